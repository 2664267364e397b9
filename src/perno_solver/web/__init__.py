"""A table to play at in the browser: one function that answers the page, and two ways to reach it."""
