"""The web service: pages, JSON API and live lines. It knows keys, bytes and languages, and no rule of any game."""
