"""Thebes: The Tomb Raiders."""

from companion.games.bundle import Bundle
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.tomb_raiders.tools import TOOLS

GAME = Bundle(TombRaidersBox, TOOLS)
