"""Computer players. A player gets what its seat sees and may choose, never the match."""
