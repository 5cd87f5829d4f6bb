"""Edits that mend mistakes, by the code of the mistake."""
