"""What can go wrong on the wire, for those who call a board."""

from __future__ import annotations

from firmware_bridge.messages import REASONS, RefusalCode


class LinkLost(ConnectionError):
    """No answer: no port, no board, or a cable that is out. The board lets go by itself."""


class BoardRefused(Exception):
    """The board understood and said no."""

    def __init__(self, code: RefusalCode) -> None:
        super().__init__(REASONS[code])
        self.code = code
