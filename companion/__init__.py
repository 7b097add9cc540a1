"""Digside's companion: the table in play, its games, its pieces and its boxes."""

__version__ = "0.3.0"
