"""A seat's view of the table as text that fits a terminal."""
