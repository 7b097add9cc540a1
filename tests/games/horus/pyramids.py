"""Tables of The Pyramid of Horus for tests."""

from __future__ import annotations

from companion.boxes import load
from companion.games.horus.box import HorusBox


def _box() -> HorusBox:
    found = load(HorusBox)
    assert isinstance(found, HorusBox)
    return found


BOX = _box()
