"""The Tomb Raiders, refereed: two to four archaeologists, one track of weeks, four piles that nobody may count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.game import Finished, Setup, Source
from companion.games.tomb_raiders.aids import help_for, shared_help
from companion.games.tomb_raiders.corrections import (
    PileEmpty,
    SetArtifact,
    SetCard,
    SetHand,
    SetMarker,
    SetProfessor,
)
from companion.games.tomb_raiders.draws import Come, Find, Kept, Lie, Looked, Marker, Named, Stored, Taken, Top
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import (
    GENERAL,
    LIKE_GENERAL,
    MOST_WEEKS,
    OPTIONS,
    Permit,
    Table,
    Terms,
    TombState,
    counted_in_all,
    finished,
    first_state,
    permit_of,
)
from companion.games.tomb_raiders.view import board_of, hand_of
from companion.parts import Act, Facts, Mend
from companion.printed import Printed
from companion.referee import Referee
from companion.refusals import Illegal, Refusal


class TombRaiders(Referee[Table, TombState]):
    """The referee. A hand, and what was seen in a pile, is one seat's; how much lies on a pile is nobody's."""

    here = Table
    acts = (Take, Play, Dig, Exhibit, Donate)
    draws = (Marker(), Come(), Lie(), Find(), Looked(), Kept(), Taken(), Named(), Top(), Stored())
    mends = (SetMarker, SetCard, SetArtifact, SetProfessor, SetHand, PileEmpty, Printed)
    randomizers: tuple[str, ...] = ("start", "cards", "piles")
    options = OPTIONS
    turn_rule = "TTR-01"
    over_rule = "TTR-70"
    newest_rules = 2
    terms: Terms

    def agreed(self, setup: Setup, box: Any) -> Terms:
        return Terms(setup, box, self.rules_version)

    @classmethod
    def settled(cls, setup: Setup) -> Setup:
        """Who draws follows from whose the cards are."""
        way = setup.options.get("cards", "companion")
        cards: Source = "companion" if way == "companion" else "table"
        piles: Source = "table" if way == "real" else "companion"
        return replace(setup, sources={**setup.sources, "cards": cards, "piles": piles})

    def lacks(self, kind: type[Act[Table]] | type[Mend[Table]]) -> Refusal | None:
        """Hands and a draw pile that are the companion's are as they are."""
        if kind is SetHand and not self.terms.is_real:
            return Illegal("tomb_raiders.own_hands", rule="TTR-80")
        own = kind is PileEmpty and (not self.terms.is_real or self.terms.rules == 1)
        return Illegal("tomb_raiders.own_pile", rule="TTR-70") if own else None

    def start(self) -> TombState:
        return first_state(self.terms)

    def whose(self, here: Table) -> tuple[int, ...]:
        """Whoever has a pile open, else whoever is furthest back; nobody when the draw pile is empty [TTR-01]."""
        if here.over:
            return ()
        return (here.task.seat,) if here.choosing else (here.state.track.furthest_back,)

    def listed(self, here: Table) -> Iterator[Act[Table]]:
        return iter(quickly(here))

    def scored(self, here: Table) -> Finished:
        return finished(here)

    def counted(self, here: Table) -> Mapping[str, int]:
        return counted_in_all(here.state)

    def board(self, here: Table) -> Facts:
        return board_of(here)

    def hand(self, here: Table) -> Facts:
        return hand_of(here)

    def help(self, here: Table) -> Facts:
        return help_for(here)

    def shown_help(self, here: Table) -> Facts:
        return shared_help(here)


def quickly(here: Table) -> list[Act[Table]]:
    """What a seat whose turn it is may do. Made for speed: a law of the tests holds it against what the moves say."""
    if here.choosing:
        return list(Play.thinkable(here))
    moves: list[Act[Table]] = [*Take.thinkable(here), *Play.thinkable(here), *_digs(here)]
    moves += (act for act in Exhibit.thinkable(here) if act.steps(here))
    moves += Donate.thinkable(here)
    return moves


def _digs(here: Table) -> Iterator[Dig]:
    general = here.holds(GENERAL) or here.holds(LIKE_GENERAL)
    for region, points in here.mine.expertise.items():
        if not points:
            continue
        least = here.terms.least_weeks[here.knowledge(region).total]
        if least is not None and here.holds(permit_of(region)):
            yield from _digs_of(region, "region")[least - 1 :]
        if least is not None and general:
            yield from _digs_of(region, "general")[least - 1 :]


@cache
def _digs_of(region: str, permit: Permit) -> tuple[Dig, ...]:
    """The same dig for 1, 2, … 12 weeks."""
    return tuple(Dig(region, weeks, permit) for weeks in range(1, MOST_WEEKS + 1))
