"""The Tomb Raiders, refereed: two to four archaeologists, one track of weeks, four piles that nobody may count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.game import Finished, Setup, Source
from companion.games.tomb_raiders.aids import help_for, shared_help
from companion.games.tomb_raiders.corrections import SetArtifact, SetCard, SetMarker, SetProfessor
from companion.games.tomb_raiders.draws import Come, Find, Kept, Lie, Looked, Marker, Stored, Top
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.score import finished
from companion.games.tomb_raiders.state import OPTIONS, Table, Terms, TombState, counted_in_all, first_state
from companion.games.tomb_raiders.view import board_of, hand_of
from companion.referee import Facts, Referee


class TombRaiders(Referee[Table, TombState]):
    """The referee. A hand, and what was seen in a pile, is one seat's; how much lies on a pile is nobody's."""

    here = Table
    acts = (Take, Play, Dig, Exhibit, Donate)
    draws = (Marker(), Come(), Lie(), Find(), Looked(), Kept(), Top(), Stored())
    mends = (SetMarker, SetCard, SetArtifact, SetProfessor)
    randomizers: tuple[str, ...] = ("start", "cards", "piles")
    options = OPTIONS
    turn_rule = "TTR-01"
    over_rule = "TTR-70"
    terms: Terms

    def agreed(self, setup: Setup, box: Any) -> Terms:
        return Terms(setup, box)

    @classmethod
    def settled(cls, setup: Setup) -> Setup:
        """Who draws follows from whose the cards are."""
        way = setup.options.get("cards", "companion")
        cards: Source = "companion" if way == "companion" else "table"
        piles: Source = "table" if way == "real" else "companion"
        return replace(setup, sources={**setup.sources, "cards": cards, "piles": piles})

    def start(self) -> TombState:
        return first_state(self.terms)

    def whose(self, here: Table) -> tuple[int, ...]:
        """Whoever has a pile open, else whoever is furthest back; nobody when the draw pile is empty [TTR-01]."""
        if here.over:
            return ()
        return (here.task.seat,) if here.choosing else (here.state.track.furthest_back,)

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
