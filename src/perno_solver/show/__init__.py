"""The game as people see it: the table drawn, and moves in words."""
