"""The Tomb Raiders, refereed: two to four archaeologists, one track of weeks, four piles that nobody may count."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.game import Chance, Finished, Outcome, Played, Setup, Source, Step
from companion.games.tomb_raiders.aids import TombHelp, TombSharedHelp, help_for, shared_help
from companion.games.tomb_raiders.arranged import to_show
from companion.games.tomb_raiders.corrections import (
    PileEmpty,
    SetArtifact,
    SetCard,
    SetHand,
    SetMarker,
    SetProfessor,
)
from companion.games.tomb_raiders.draws import (
    Come,
    KeptArtifact,
    Lie,
    Looked,
    Named,
    PileCard,
    Stored,
    Taken,
    TombMarker,
    Top,
)
from companion.games.tomb_raiders.facts import OUTCOMES, TombRaidersChanceFacts, TombRaidersLogFacts
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import (
    BEST,
    GENERAL,
    LIKE_GENERAL,
    MOST_WEEKS,
    OPTIONS,
    Permit,
    TombState,
    TombTable,
    TombTerms,
    counted_in_all,
    finished,
    first_state,
    permit_of,
)
from companion.games.tomb_raiders.view import TombBoard, TombHandShown, board_of, hand_of
from companion.parts import Act, Facts, RuledCorrection
from companion.printed import FigurePrinted
from companion.referee import Referee
from companion.refusals import Illegal, Refusal

LEARNER = 0
"""The seat of whoever learns in a small game: it is on top of the stack."""
SMALL_GAME = 24
"""Weeks of a small game for one who learns."""


class TombRaiders(Referee[TombTable, TombState]):
    """The referee. A hand, and what was seen in a pile, is one seat's; how much lies on a pile is nobody's."""

    table = TombTable
    acts = (Take, Play, Dig, Exhibit, Donate)
    draws = (TombMarker(), Come(), Lie(), PileCard(), Looked(), KeptArtifact(), Taken(), Named(), Top(), Stored())
    corrections = (SetMarker, SetCard, SetArtifact, SetProfessor, SetHand, PileEmpty, FigurePrinted)
    randomizers: tuple[str, ...] = tuple(OUTCOMES)
    outcomes = OUTCOMES
    logged = TombRaidersLogFacts
    chance_facts = TombRaidersChanceFacts
    options = OPTIONS
    turn_rule = "TTR-01"
    over_rule = "TTR-70"
    newest_rules = 2
    terms: TombTerms

    def agreed(self, setup: Setup, box: Any) -> TombTerms:
        return TombTerms(setup, box, self.rules_version)

    @classmethod
    def settled(cls, setup: Setup) -> Setup:
        """Who draws follows from whose the cards are."""
        way = setup.options.get("cards", "companion")
        cards: Source = "companion" if way == "companion" else "table"
        piles: Source = "table" if way == "real" else "companion"
        return replace(setup, sources={**setup.sources, "cards": cards, "piles": piles})

    def unavailable_reason(self, kind: type[Act[TombTable]] | type[RuledCorrection[TombTable]]) -> Refusal | None:
        """Hands and a draw pile that are the companion's are as they are."""
        if kind is SetHand and not self.terms.is_real:
            return Illegal("tomb_raiders.own_hands", rule="TTR-80")
        own = kind is PileEmpty and (not self.terms.is_real or self.terms.rules == 1)
        return Illegal("tomb_raiders.own_pile", rule="TTR-70") if own else None

    def start(self) -> TombState:
        return first_state(self.terms)

    def players_to_move(self, table: TombTable) -> tuple[int, ...]:
        """Whoever has a pile open, else whoever is furthest back; nobody when the draw pile is empty [TTR-01]."""
        if table.over:
            return ()
        return (table.task.seat,) if table.choosing else (table.state.track.furthest_back,)

    def listed(self, table: TombTable) -> Iterator[Act[TombTable]]:
        return iter(listed_moves(table))

    def scored(self, table: TombTable) -> Finished:
        return finished(table)

    def counted(self, table: TombTable) -> Mapping[str, int]:
        return counted_in_all(table.state)

    def is_short_over(self, table: TombTable) -> bool:
        """A small game ends when all markers are some weeks on."""
        return not table.choosing and min(table.state.track.times) >= SMALL_GAME

    def to_show(self, table: TombTable, chance: Chance) -> Collection[Outcome]:
        """In a small game whoever learns begins; for what else is to be seen, see `arranged.py`."""
        if chance.randomizer == "start":
            return [LEARNER] if self.is_small else ()
        return to_show(table, chance)

    def follows(self, before: TombState, step: Step) -> list[Facts]:
        """Professors that change hands, and assistants that wait for a dig [TTR-34, TTR-50, TTR-51]."""
        if not (isinstance(step, Played) and isinstance(step.move, Take | Play)) and not before.taking | before.naming:
            return []
        after: TombState = self.after(before, step)
        box, names = self.terms.box.professors, self.terms.names
        told: list[Facts] = [
            {
                "type": "professor",
                "professor": professor,
                "whose": names[seat],
                "n": (box.best_knowledge if professor == BEST else box.region).points,
            }
            for professor, seat in after.professors.items()
            if before.professors.get(professor) != seat
        ]
        seats = zip(names, before.seats, after.seats, strict=True)
        waiting = [(name, now.assistants) for name, was, now in seats if now.assistants > was.assistants]
        return told + [{"type": "assistants", "whose": name, "n": n} for name, n in waiting]

    def board(self, table: TombTable) -> TombBoard:
        return board_of(table)

    def hand(self, table: TombTable) -> TombHandShown:
        return hand_of(table)

    def help(self, table: TombTable) -> TombHelp:
        return help_for(table)

    def shown_help(self, table: TombTable) -> TombSharedHelp:
        return shared_help(table)


def listed_moves(table: TombTable) -> list[Act[TombTable]]:
    """What a seat whose turn it is may do. Made for speed: a law of the tests holds it against what the moves say."""
    if table.choosing:
        return list(Play.thinkable(table))
    moves: list[Act[TombTable]] = [*Take.thinkable(table), *Play.thinkable(table), *_digs(table)]
    moves += [act for act in Exhibit.thinkable(table) if not act.missing(table, 0)]
    moves += Donate.thinkable(table)
    return moves


def _digs(table: TombTable) -> Iterator[Dig]:
    general = table.holds(GENERAL) or table.holds(LIKE_GENERAL)
    for region, points in table.mine.expertise.items():
        if not points:
            continue
        least = table.terms.least_weeks[table.knowledge(region).total]
        if least is not None and table.holds(permit_of(region)):
            yield from _digs_of(region, "region")[least - 1 :]
        if least is not None and general:
            yield from _digs_of(region, "general")[least - 1 :]


@cache
def _digs_of(region: str, permit: Permit) -> tuple[Dig, ...]:
    """The same dig for 1, 2, … 12 weeks."""
    return tuple(Dig(region, weeks, permit) for weeks in range(1, MOST_WEEKS + 1))
