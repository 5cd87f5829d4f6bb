"""What a game is like: a study of many games, what is worth saying about it, and how to show it."""
