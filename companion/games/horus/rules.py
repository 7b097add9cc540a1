"""The Pyramid of Horus, refereed: eight adventurers, three mummies, and a ceiling that comes down block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from companion.game import Chance, Finished, Outcome, Played, Setup
from companion.game import Step as TableStep
from companion.games.horus import aids, score, view
from companion.games.horus.arranged import to_show
from companion.games.horus.box import HorusBox
from companion.games.horus.cards import seen_as
from companion.games.horus.corrections import CORRECTIONS
from companion.games.horus.draws import DRAWS
from companion.games.horus.events import Asking, EnteringEvent, PassingOn
from companion.games.horus.facts import OUTCOMES, HorusChanceFacts, HorusLogFacts
from companion.games.horus.moves import Discard, End, Enter, HorusAct, Jump, Loot, Open, Pack, Pick, Ready, Search, Step
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import OPTIONS, Adventurer, Fate, HorusState, HorusTerms, Mummy, Sarcophagus
from companion.games.horus.uses import Use
from companion.parts import Act, Facts, RuledCorrection
from companion.pieces.box_differences import as_printed
from companion.referee import Referee
from companion.refusals import Illegal, Refusal

ASKED_FOR: dict[Asking, tuple[type[HorusAct], ...]] = {
    "enter": (Enter,),
    "ready": (Ready, Pack, Use),
    "act": (Step, Search, Open, Loot, Pick, Pack, Use, End),
    "jump": (Jump, Use),
    "discard": (Discard, Pack, Use),
    "decide": (Use,),
}
"""What can be done where a seat is asked for something."""

TURN_RULES: dict[Asking, str] = {
    "enter": "HOR-01",
    "ready": "HOR-11",
    "act": "HOR-30",
    "jump": "HOR-50",
    "discard": "HOR-12",
    "decide": "HOR-51",
}


STRIKES = (Step, Jump, Discard, Use)
"""The moves after which mummies may touch somebody, or a block has."""
LOST: tuple[Fate, ...] = ("turned", "sealed")


def _befell(name: str, was: Adventurer, now: Adventurer) -> Iterator[Facts]:
    """What has befallen a figure."""
    if (touches := now.cards.count("mummy") - was.cards.count("mummy")) > 0:
        yield {"type": "touched", "whose": name, "n": touches}
    if now.cards.count("block") > was.cards.count("block"):
        yield {"type": "struck", "whose": name}
    if now.fate != was.fate and now.fate in LOST:
        yield {"type": now.fate, "whose": name}


SMALL_GAME = 3
"""Rounds of a small game for one who learns."""


class Horus(Referee[Pyramid, HorusState]):
    """The rules of The Pyramid of Horus at one table."""

    table = Pyramid
    acts = (End, Enter, Ready, Step, Search, Open, Loot, Pick, Jump, Discard, Pack, Use)
    draws = DRAWS
    corrections = CORRECTIONS
    randomizers: tuple[str, ...] = tuple(OUTCOMES)
    outcomes = OUTCOMES
    logged = HorusLogFacts
    chance_facts = HorusChanceFacts
    options = OPTIONS
    turn_rule = "HOR-30"
    over_rule = "HOR-61"
    newest_rules = 2
    terms: HorusTerms

    def agreed(self, setup: Setup, box: HorusBox) -> HorusTerms:
        return HorusTerms.of(setup, box, self.rules_version)

    def start(self) -> HorusState:
        """Mummies, sarcophagi, decks and idols are in their places; everybody is about to choose [HOR-01, HOR-02]."""
        terms = self.terms
        fresh = HorusState(
            keeper=terms.first_keeper,
            adventurers=(Adventurer(),) * terms.seats,
            mummies=tuple(Mummy(name, walker) for name, walker in terms.walkers.items()),
            decks=terms.decks,
            tombs=dict(terms.tombs),
            sarcophagi=(Sarcophagus(),) * len(terms.slots),
            idols=tuple(terms.idols),
            boxed=terms.blocks,
        )
        table = self.at(fresh)
        before = (terms.first_keeper - 1) % terms.seats
        return table.with_next(*map(EnteringEvent, table.around()), PassingOn(before)).flowed().state

    def unavailable_reason(self, kind: type[Act[Pyramid]] | type[RuledCorrection[Pyramid]]) -> Refusal | None:
        filled = kind is Pack and self.terms.fills_satchels
        return Illegal("horus.fills_itself", rule="HOR-13") if filled else None

    def players_to_move(self, table: Pyramid) -> tuple[int, ...]:
        return (table.state.seat_asked,) if table.state.asking else ()

    def turn_by(self, table: Pyramid) -> str:
        return TURN_RULES.get(table.state.asking, self.turn_rule)

    def listed(self, table: Pyramid) -> list[Act[Pyramid]]:
        """All that can be done belongs to what is asked for."""
        kinds = ASKED_FOR[table.state.asking]
        return [act for kind in kinds for act in kind.thinkable(table) if act.why_not(table) is None]

    def ended(self, table: Pyramid) -> Pyramid:
        """Where the host ends it, nobody is asked any more."""
        return table.replace(pending=()) if table.state.pending else table

    def scored(self, table: Pyramid) -> Finished:
        if self.is_small and self.is_short_over(table):
            out = tuple(
                replace(each, fate="left") if each.fate == "inside" else each for each in table.state.adventurers
            )
            table = table.replace(adventurers=out)
        return score.scored(table.terms, table.state)

    def counted(self, table: Pyramid) -> dict[str, int]:
        """Cards by their kind, blocks and figures; wounds of mummies and blocks are never at an end [HOR-44]."""
        state = table.state
        cards: Counter[str] = Counter()
        for deck in (*state.decks, *state.tombs.values()):
            cards.update(deck.counts)
        cards.update(tomb.card for tomb in state.sarcophagi if tomb.card and not tomb.looted)
        cards.update(f"idol-{god}" for god in state.idols)
        held = [card for each in state.adventurers for card in each.cards]
        cards.update(seen_as(card) for card in (*held, *state.cast_off) if card not in ("mummy", "block"))
        otherwise = [each for each in state.otherwise if each.where.startswith("decks.")]
        return {
            **as_printed(cards, otherwise),
            "blocks": len(state.boxed) + len(state.fallen),
            "mummies": sum(mummy.seat < 0 for mummy in state.mummies),
            "adventurers": len(state.adventurers),
        }

    def is_short_over(self, table: Pyramid) -> bool:
        """A small game ends after some rounds; then everybody gets out who is still inside."""
        return table.state.round > SMALL_GAME and table.state.asking in ("ready", "act")

    def follows(self, before: HorusState, step: TableStep) -> list[Facts]:
        """Touches and wounds that a figure comes to, and what becomes of it [HOR-42, HOR-43, HOR-50, HOR-52]."""
        if isinstance(step, Played) and not isinstance(step.move, STRIKES):
            return []
        after: HorusState = self.after(before, step)
        seats = zip(self.terms.names, before.adventurers, after.adventurers, strict=True)
        return [fact for name, was, now in seats if was != now for fact in _befell(name, was, now)]

    def to_show(self, table: Pyramid, chance: Chance) -> Collection[Outcome]:
        return to_show(table, chance)

    def board(self, table: Pyramid) -> view.HorusBoard:
        return view.board(table)

    def hand(self, table: Pyramid) -> view.HorusHand:
        return view.hand(table)

    def help(self, table: Pyramid) -> aids.HorusHelp:
        return aids.help_for(table)
