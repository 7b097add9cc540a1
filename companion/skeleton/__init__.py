"""A whole game, as small as one can be: `digside new-game` copies it under another name."""
