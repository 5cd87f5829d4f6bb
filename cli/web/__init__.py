"""The table in the browser: a server, and pages that need none."""
