"""Which draws are arranged at a table to learn at: in the first round a treasure, a wound and what heals it are found,
everybody can act, the mummies walk, and the block falls where nobody stands; and the first touch comes as soon as it
can."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from companion.game import Chance, Outcome
from companion.games.horus.cards import CURED_BY, TREASURES, WOUNDS, kind
from companion.games.horus.draws import steps_of
from companion.games.horus.pyramid import Pyramid

ACTING = 4
"""What the first two dice for actions show at least: everybody can do something."""


def to_show(table: Pyramid, chance: Chance) -> Collection[Outcome]:
    """What is to be seen [HOR-20, HOR-32, HOR-40, HOR-50, HOR-70]. In total secrecy nothing that is found is arranged:
    everybody would know what it is."""
    state, odds = table.state, [outcome for outcome, _ in chance.odds]
    if chance.randomizer == "mummy_dice":
        return _to_touch(table, odds)
    if state.round != 1:
        return ()
    if chance.randomizer == "action_dice" and chance.facts.get("nth") in (1, 2):
        return [face for face in odds if int(face) >= ACTING]
    if chance.randomizer == "blocks":
        taken = {each.square for each in state.adventurers}
        return [number for number in odds if str(number) not in taken]
    if chance.randomizer == "search" and not table.terms.secrecy:
        return next(filter(None, _to_find(table, odds)), ())
    return ()


def _to_find(table: Pyramid, odds: Sequence[Outcome]) -> Iterator[Collection[Outcome]]:
    """What nobody has found yet: a treasure, then a wound, then for whoever has one what heals it."""
    found = {kind(card) for each in table.state.adventurers for card in each.cards}
    own = {kind(card) for card in table.state.adventurers[table.state.seat].cards}
    if not found & TREASURES:
        yield [card for card in odds if kind(str(card)) in TREASURES]
    if not found.intersection(WOUNDS):
        yield [card for card in odds if card in WOUNDS]
    if not found.intersection(CURED_BY):
        yield [card for card in odds if own.intersection(CURED_BY.get(str(card), ()))]


def _to_touch(table: Pyramid, odds: Sequence[Outcome]) -> Collection[Outcome]:
    """As many steps as the first touch takes; in the first round, where nobody can be touched yet, one at least."""
    state, dice, walks_from = table.state, table.dice("mummy"), table.terms.mummies_from
    walk, stand = ([face for face in odds if (int(face) >= walks_from) is walks] for walks in (True, False))
    steps = next(_touching(table), 0)
    if not steps:
        return walk if state.round == 1 and dice.count(0) == len(dice) else ()
    missing = steps - steps_of(table, dice)
    if missing <= 0:
        return stand
    return walk if missing >= dice.count(0) else ()


def _touching(table: Pyramid) -> Iterator[int]:
    """After how many steps a mummy touches somebody, the fewest first; never, once somebody has been touched."""
    everybody = table.state.adventurers
    if any("mummy" in each.cards or each.fate == "turned" for each in everybody):
        return
    taken = {each.square for each in everybody if each.fate == "inside"}
    for steps in range(1, len(table.terms.dice) + 1):
        if any(not each.lying and taken.intersection(each.walker.walk(steps)[1]) for each in table.state.mummies):
            yield steps
