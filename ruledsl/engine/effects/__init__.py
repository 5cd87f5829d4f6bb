"""Lowers what changes a position, and what must follow from it: knowledge, dirty triggers."""
