"""Rig files for common cases, by name: ``none``, ``sim``, ``nano`` and ``gpio``."""
