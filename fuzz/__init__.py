"""Fuzzing that stays: made-up and damaged files, and whatever they were ever found to break."""
