"""Lowers what may be chosen: listing it, drawing from it, taking what was chosen."""
