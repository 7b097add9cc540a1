"""What is drawn: how each layer lies, how far the tray is turned, and which card comes to light."""

from __future__ import annotations

from companion.game import Chance, Outcome
from companion.games.tutankhamun.layers import (
    CODE,
    FREE,
    Layout,
    loose_left,
    odds_at,
    pattern_odds,
    patterns,
    turned,
    with_card,
    with_next,
    with_pattern,
)
from companion.games.tutankhamun.state import NOWHERE, Uncovered
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.parts import UNSEEN, Draw, Facts
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nobody

QUARTERS: tuple[tuple[Outcome, int], ...] = ((0, 1), (1, 1), (2, 1), (3, 1))


class Pattern(Draw[TutankhamunTable]):
    """How the obelisks and snakes of a layer lie, before its other cards."""

    rule = "TUT-03"
    odds_rule = "TUT-04"

    def due(self, table: TutankhamunTable) -> bool:
        return table.state.phase == "dealing" and not table.state.laying

    def chance(self, table: TutankhamunTable) -> Chance:
        odds = pattern_odds(table.layer_due)
        return Chance("layers", f"layer {table.number_due} pattern", odds, pressed=False, hidden=True)

    def why_not(self, table: TutankhamunTable, outcome: Outcome) -> Refusal | None:
        """All are equally likely; they are thousands, so they are not looked through."""
        if type(outcome) is int and 0 <= outcome < len(patterns(table.layer_due)):
            return None
        return Illegal("core.cannot_fall", rule=self.odds_rule, outcome=outcome)

    def apply_outcome(self, table: TutankhamunTable, outcome: Outcome) -> TutankhamunTable:
        return _laid(table, with_pattern(table.layer_due, int(outcome)))

    def log_facts(self, table: TutankhamunTable, outcome: Outcome) -> Facts:
        return {"type": "deal_pattern", "layer": table.number_due}


class NextCard(Draw[TutankhamunTable]):
    """The card for the next free square of a layer. No question tells where that is."""

    rule = "TUT-03"
    odds_rule = "TUT-02"

    def due(self, table: TutankhamunTable) -> bool:
        return table.state.phase == "dealing" and bool(table.state.laying)

    def chance(self, table: TutankhamunTable) -> Chance:
        odds = loose_left(table.layer_due, table.state.laying)
        return Chance("layers", f"layer {table.number_due} card {_nth(table)}", odds, pressed=False, hidden=True)

    def apply_outcome(self, table: TutankhamunTable, outcome: Outcome) -> TutankhamunTable:
        return _laid(table, with_next(table.layer_due, table.state.laying, str(outcome)))

    def log_facts(self, table: TutankhamunTable, outcome: Outcome) -> Facts:
        """That a card was dealt; the same for every layout."""
        of = len(table.state.laying)
        return {"type": "deal_card", "layer": table.number_due, "n": _nth(table), "of": of}


def _nth(table: TutankhamunTable) -> int:
    """Which card of its layer comes next, from 1."""
    return len(table.state.laying) - table.state.laying.count(FREE) + 1


def _laid(table: TutankhamunTable, layout: Layout) -> TutankhamunTable:
    return table.replace(laying=layout) if FREE in layout else table.with_layer(layout)


class QuarterTurns(Draw[TutankhamunTable]):
    """How often the tray is turned by a quarter; then the first player begins [TUT-05]."""

    rule = "TUT-03"
    odds_rule = "TUT-05"

    def due(self, table: TutankhamunTable) -> bool:
        return table.state.phase == "turning"

    def chance(self, table: TutankhamunTable) -> Chance:
        return Chance("turns", "quarter turns", QUARTERS, pressed=False, hidden=True)

    def apply_outcome(self, table: TutankhamunTable, outcome: Outcome) -> TutankhamunTable:
        quarters, layers = int(outcome), zip(table.state.layers, table.terms.kinds, strict=True)
        lying = tuple(turned(layer, kind.side, quarters) for layer, kind in layers)
        return table.replace(layers=lying, quarters=quarters).first_turn()

    def log_facts(self, table: TutankhamunTable, outcome: Outcome) -> Facts:
        return {"type": "turn_tray"}


class CardBelow(Draw[TutankhamunTable]):
    """The card below the one just lifted: the one that lies there, or in a real tray any its layer has left. All see it
    as it comes to light, but neither log nor record remembers it for them, unless memory is open [TUT-40]."""

    secret = Secret(
        lambda table, card: card if table.terms.open_memory else UNSEEN, to=nobody, passing=lambda table: True
    )
    rule = "TUT-12"
    odds_rule = "TUT-02"

    def due(self, table: TutankhamunTable) -> bool:
        return table.state.phase == "uncovering"

    def chance(self, table: TutankhamunTable) -> Chance:
        square, layer = table.name(table.state.digging), _layer_below(table)
        known = table.state.layers[layer][table.state.digging]
        return Chance(
            "cards",
            f"card {square} {layer + 1}",
            ((known, 1),) if known else self._may_show(table, layer),
            seat=table.state.seat,
            rule="TUT-10",
            pressed=table.is_real and not known,
            veiled=not known and not table.terms.odds,
            facts={"square": square, "layer": layer + 1},
        )

    def _may_show(self, table: TutankhamunTable, layer: int) -> tuple[tuple[Outcome, int], ...]:
        """Where nobody may count, every card of the layer is named, also one of which none is left."""
        unseen = table.unseen(layer).items()
        if not table.is_real:
            likely = odds_at(table.terms.kinds[layer], table.state.layers[layer], table.state.digging)
            unseen = {card: likely.get(card, 0) for card, _ in unseen}.items()
        may_count = table.terms.odds or table.terms.open_memory
        return tuple((card, count) for card, count in unseen if count) if may_count else tuple(unseen)

    def why_not(self, table: TutankhamunTable, outcome: Outcome) -> Refusal | None:
        odds = dict(self.chance(table).odds)
        if odds.get(outcome):
            return None
        if outcome not in odds:
            return Illegal("core.cannot_fall", rule=self.odds_rule, outcome=outcome)
        return Illegal("tutankhamun.none_unseen", rule=self.odds_rule, card=outcome, n=_layer_below(table) + 1)

    def off_list_outcomes(self, table: TutankhamunTable) -> tuple[str, ...]:
        """Any card that no rule keeps from its layer, as long as another is left in whose place it can lie; obelisks
        and a snake in the lowest layer only where all of them can [TUT-04]."""
        layer = _layer_below(table)
        return table.terms.loose[layer].off_list_outcomes(table.unseen(layer))

    def amend_for(self, table: TutankhamunTable, outcome: Outcome) -> TutankhamunTable:
        """With one such card more in its layer; or with all obelisks and the snake, of which it is a piece."""
        layer = _layer_below(table)
        more = table.terms.loose[layer].exchanged(table.unseen(layer), str(outcome))
        return table.replace(otherwise=(*table.state.otherwise, *more))

    def count_rule_for(self, table: TutankhamunTable, outcome: Outcome) -> str | None:
        if outcome in CODE:
            return "TUT-04"
        return "TUT-02" if outcome in table.terms.values else None

    def apply_outcome(self, table: TutankhamunTable, outcome: Outcome) -> TutankhamunTable:
        """A good card adds to the takings; a bad one voids them, is paid, and ends the turn [TUT-13, TUT-14]."""
        state, at, card = table.state, table.state.digging, str(outcome)
        points = table.terms.values[card] * state.factor
        takings = state.takings + points if points >= 0 else 0
        shown = table.replace(
            phase="digging",
            layers=with_card(state.layers, _layer_below(table), at, card),
            digging=NOWHERE,
            dug=(*state.dug, at),
            last=Uncovered(state.seat, at, card, points),
            takings=takings,
            bank=state.bank + state.takings - takings,
        )
        return shown.unless_over() if points >= 0 else shown.paid(-points).turn_ended()

    def log_facts(self, table: TutankhamunTable, outcome: Outcome) -> Facts:
        square = table.name(table.state.digging)
        if not outcome:
            return {"type": "uncover", "square": square}
        points = table.terms.values[str(outcome)] * table.state.factor
        return {"type": "uncover_card", "square": square, "card": outcome, "points": points}


def _layer_below(table: TutankhamunTable) -> int:
    return table.state.depths[table.state.digging] - 1
