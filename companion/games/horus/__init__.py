"""The Adventurers: The Pyramid of Horus."""

from companion.games.bundle import Bundle
from companion.games.horus.box import HorusBox
from companion.games.horus.tools import TOOLS

GAME = Bundle(HorusBox, TOOLS)
