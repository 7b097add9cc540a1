"""Digside in a terminal: its commands, and a table told and drawn in characters."""
