"""Tutankhamun, refereed: layers are laid or dealt, dug up card by card, and whoever digs too long pays for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from msgspec.structs import replace

from companion.game import ALONE, TEACH, Chance, Finished, Outcome, Score, Setup, Source
from companion.games.tutankhamun import aids, view
from companion.games.tutankhamun.arranged import to_show
from companion.games.tutankhamun.box import LAYERS, TutankhamunBox
from companion.games.tutankhamun.corrections import (
    Leave,
    SetBarricades,
    SetCard,
    SetPurse,
    SetScarabs,
    SetStanding,
    SetTakings,
)
from companion.games.tutankhamun.draws import CardBelow, NextCard, Pattern, QuarterTurns
from companion.games.tutankhamun.facts import OUTCOMES, TutankhamunChanceFacts, TutankhamunLogFacts
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.state import NOWHERE, OPTIONS, Phase, TutankhamunState, TutankhamunTerms
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.parts import Act
from companion.pieces.box_differences import as_printed
from companion.printed import FigurePrinted
from companion.referee import Referee

IN_PHASE: dict[Phase, tuple[type[Act[TutankhamunTable]], ...]] = {
    "laying": (Deal, Lay),
    "digging": (Scarab, Stop, Pass, Dig),
    "closing": (NoBarricade, Barricade),
}


SMALL_GAME = 20
"""Cards that are lifted in a small game for one who learns."""


class Tutankhamun(Referee[TutankhamunTable, TutankhamunState]):
    """The rules of Tutankhamun at one table."""

    table = TutankhamunTable
    acts = (Lay, Deal, Scarab, Dig, Stop, Barricade, NoBarricade, Pass)
    draws = (CardBelow(), NextCard(), Pattern(), QuarterTurns())
    corrections = (SetPurse, SetTakings, SetScarabs, SetBarricades, SetStanding, SetCard, Leave, FigurePrinted)
    randomizers: tuple[str, ...] = tuple(OUTCOMES)
    outcomes = OUTCOMES
    logged = TutankhamunLogFacts
    chance_facts = TutankhamunChanceFacts
    options = OPTIONS
    turn_rule = "TUT-10"
    over_rule = "TUT-20"
    newest_rules = 2
    terms: TutankhamunTerms

    def agreed(self, setup: Setup, box: TutankhamunBox) -> TutankhamunTerms:
        return TutankhamunTerms.of(setup, box, self.rules_version)

    @classmethod
    def settled(cls, setup: Setup) -> Setup:
        """A setup whose sources fit its tray: people report the cards of a real tray, and of no other. In a small game
        whoever learns, at the first seat, digs first [TUT-02, TUT-10]."""
        cards: Source = "table" if setup.options.get("tray") == "physical" else "companion"
        fitting: dict[str, Source] = {"layers": "companion", "turns": "companion", "cards": cards}
        options = setup.options
        if options.get(TEACH) == ALONE:
            options = {**options, "first_layer": (1 - LAYERS) % len(setup.seats)}
        return replace(setup, sources={**setup.sources, **fitting}, options=options)

    def start(self) -> TutankhamunState:
        """Everybody has their purse and cards [TUT-01]; the first layer is due, or all lie in the real tray."""
        terms, seats = self.terms, self.terms.seats
        fresh = TutankhamunState(
            phase="laying",
            seat=terms.owner(0),
            purses=(terms.money,) * seats,
            scarabs=(terms.outfit.scarabs,) * seats,
            barricades=(terms.outfit.barricades,) * seats,
            playing=(True,) * seats,
            standing=(NOWHERE,) * seats,
            bank=-terms.money * seats,
            depths=(0,) * len(terms.squares),
        )
        table = self.at(fresh)
        return (table.with_real_layers() if table.is_real else table.next_layer()).state

    def players_to_move(self, table: TutankhamunTable) -> tuple[int, ...]:
        return (table.state.seat,) if table.state.phase in IN_PHASE else ()

    def turn_by(self, table: TutankhamunTable) -> str:
        return "TUT-02" if table.state.phase == "laying" else self.turn_rule

    def listed(self, table: TutankhamunTable) -> list[Act[TutankhamunTable]]:
        """All that can be done belongs to this part of a turn; sampled layouts are legal as they are made."""
        kinds = IN_PHASE[table.state.phase]
        return [act for kind in kinds for act in kind.thinkable(table) if kind.sampled or not act.why_not(table)]

    def ended(self, table: TutankhamunTable) -> TutankhamunTable:
        """What was set aside is nobody's, and the tray is turned up."""
        return table if table.state.phase == "over" else table.with_takings(0).replace(digging=NOWHERE).over()

    def scored(self, table: TutankhamunTable) -> Finished:
        """The purses as they stand. Most money wins, of those still in; equals share it [TUT-21]."""
        purses = table.state.purses
        winners = tuple(seat for seat in table.still_in if purses[seat] == max(purses))  # who has left has nothing
        return Finished(tuple(_score(table.terms, seat, purse) for seat, purse in enumerate(purses)), winners)

    def counted(self, table: TutankhamunTable) -> dict[str, int]:
        """Cards in all and of each kind, silver, scarabs and barricades."""
        state, terms = table.state, table.terms
        to_be_laid = len(terms.squares) * (len(terms.kinds) - len(state.layers))
        standing = sum(at != NOWHERE for at in state.standing)
        return {
            "cards": to_be_laid + sum(state.depths) + state.lifted,
            "silver": state.bank + sum(state.purses) + state.takings,
            "scarabs": sum(state.scarabs) + state.doubled + state.scarabs_gone,
            "barricades": sum(state.barricades) + standing + state.barricades_gone,
            **as_printed(_cards(table), state.otherwise),
        }

    def is_short_over(self, table: TutankhamunTable) -> bool:
        """A small game ends before the first turn after so many cards have been lifted."""
        state = table.state
        return state.phase == "digging" and not state.digs and not state.doubled and state.lifted >= SMALL_GAME

    def to_show(self, table: TutankhamunTable, chance: Chance) -> Collection[Outcome]:
        return to_show(table, chance)

    def board(self, table: TutankhamunTable) -> view.TutankhamunBoard:
        return view.board(table)

    def hand(self, table: TutankhamunTable) -> view.TutankhamunHand:
        return view.hand(table)

    def help(self, table: TutankhamunTable) -> aids.TutankhamunHelp:
        return aids.help_for(table)


def _score(terms: TutankhamunTerms, seat: int, purse: int) -> Score:
    gold, silver = terms.coins(purse)
    return Score(seat, purse, {"gold": gold * terms.outfit.gold_in_silver, "silver": silver})


def _cards(table: TutankhamunTable) -> Counter[str]:
    """Each kind of card: those that lie or have lain in the tray, and those nobody has laid or reported yet."""
    cards: Counter[str] = Counter()
    for layer, kind in enumerate(table.terms.kinds):
        if layer >= len(table.state.layers):
            cards.update(dict(kind.cards))
            continue
        cards.update(card for card in table.state.layers[layer] if card)
        if not all(table.state.layers[layer]):
            cards.update(table.unseen(layer))
    return cards
