"""Lowers expressions: values, conditions and sets."""
