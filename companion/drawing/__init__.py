"""Pieces drawn in plain characters, for the terminal: what every table may have, and what a referee adds to it."""
