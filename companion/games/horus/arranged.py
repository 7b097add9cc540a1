"""Which draws are arranged at a table to learn at: in the first round a treasure, a wound and a piece of equipment are
found, the mummies walk, everybody can act, and the block falls where nobody stands."""

from __future__ import annotations

from collections.abc import Collection

from companion.game import Chance, Outcome
from companion.games.horus.cards import EQUIPMENT, TREASURES, WOUNDS, kind
from companion.games.horus.pyramid import Pyramid

KINDS: tuple[Collection[str], ...] = (TREASURES, WOUNDS, EQUIPMENT)
"""What the first cards that are searched for are, one after another."""
ACTING = 4
"""What the first two dice for actions show at least: everybody can do something."""


def to_show(table: Pyramid, chance: Chance) -> Collection[Outcome]:
    """What is to be seen in the first round [HOR-20, HOR-32, HOR-40, HOR-50]. In total secrecy nothing that is found
    is arranged: everybody would know what it is."""
    state, odds = table.state, [outcome for outcome, _ in chance.odds]
    if state.round != 1:
        return ()
    nth = chance.facts.get("nth")
    if chance.randomizer == "action_dice" and nth in (1, 2):
        return [face for face in odds if int(face) >= ACTING]
    if chance.randomizer == "mummy_dice" and nth == 1:
        return [face for face in odds if int(face) >= table.terms.mummies_from]
    if chance.randomizer == "blocks":
        taken = {each.square for each in state.adventurers}
        return [number for number in odds if str(number) not in taken]
    found = sum(len(each.cards) for each in state.adventurers)
    if chance.randomizer != "search" or table.terms.secrecy or found >= len(KINDS):
        return ()
    return [card for card in odds if kind(str(card)) in KINDS[found]]
