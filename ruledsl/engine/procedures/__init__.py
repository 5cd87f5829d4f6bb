"""Lowers statements, steps, actions and triggers, and the decisions in them."""
