"""Two games side by side: what changed, where it shows, what it does to many games."""
