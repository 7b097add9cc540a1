"""What is drawn: how each layer lies, how far the tray is turned, and which card comes to light."""

from __future__ import annotations

from companion.game import Chance, Outcome
from companion.games.tutankhamun.layers import (
    CODE,
    FREE,
    Layout,
    loose_left,
    pattern_odds,
    patterns,
    turned,
    with_card,
    with_next,
    with_pattern,
)
from companion.games.tutankhamun.state import NOWHERE, Uncovered
from companion.games.tutankhamun.tray import Tray
from companion.parts import UNSEEN, Draw, Facts
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nobody

QUARTERS: tuple[tuple[Outcome, int], ...] = ((0, 1), (1, 1), (2, 1), (3, 1))


class Pattern(Draw[Tray]):
    """How the obelisks and snakes of a layer lie, before its other cards."""

    rule = "TUT-03"
    odds_rule = "TUT-04"

    def due(self, here: Tray) -> bool:
        return here.state.phase == "dealing" and not here.state.laying

    def asked(self, here: Tray) -> Chance:
        odds = pattern_odds(here.layer_due)
        return Chance("layers", f"layer {here.number_due} pattern", odds, pressed=False, hidden=True)

    def why_not(self, here: Tray, outcome: Outcome) -> Refusal | None:
        """All are equally likely; they are thousands, so they are not looked through."""
        if type(outcome) is int and 0 <= outcome < len(patterns(here.layer_due)):
            return None
        return Illegal("core.cannot_fall", rule=self.odds_rule, outcome=outcome)

    def fallen(self, here: Tray, outcome: Outcome) -> Tray:
        return _laid(here, with_pattern(here.layer_due, int(outcome)))

    def told(self, here: Tray, outcome: Outcome) -> Facts:
        return {"type": "deal_pattern", "layer": here.number_due}


class NextCard(Draw[Tray]):
    """The card for the next free square of a layer. No question tells where that is."""

    rule = "TUT-03"
    odds_rule = "TUT-02"

    def due(self, here: Tray) -> bool:
        return here.state.phase == "dealing" and bool(here.state.laying)

    def asked(self, here: Tray) -> Chance:
        odds = loose_left(here.layer_due, here.state.laying)
        return Chance("layers", f"layer {here.number_due} card {_nth(here)}", odds, pressed=False, hidden=True)

    def fallen(self, here: Tray, outcome: Outcome) -> Tray:
        return _laid(here, with_next(here.layer_due, here.state.laying, str(outcome)))

    def told(self, here: Tray, outcome: Outcome) -> Facts:
        """That a card was dealt; the same for every layout."""
        of = len(here.state.laying)
        return {"type": "deal_card", "layer": here.number_due, "n": _nth(here), "of": of}


def _nth(here: Tray) -> int:
    """Which card of its layer comes next, from 1."""
    return len(here.state.laying) - here.state.laying.count(FREE) + 1


def _laid(here: Tray, layout: Layout) -> Tray:
    return here.but(laying=layout) if FREE in layout else here.with_layer(layout)


class QuarterTurns(Draw[Tray]):
    """How often the tray is turned by a quarter; then the first player begins [TUT-05]."""

    rule = "TUT-03"
    odds_rule = "TUT-05"

    def due(self, here: Tray) -> bool:
        return here.state.phase == "turning"

    def asked(self, here: Tray) -> Chance:
        return Chance("turns", "quarter turns", QUARTERS, pressed=False, hidden=True)

    def fallen(self, here: Tray, outcome: Outcome) -> Tray:
        quarters, layers = int(outcome), zip(here.state.layers, here.terms.kinds, strict=True)
        lying = tuple(turned(layer, kind.side, quarters) for layer, kind in layers)
        return here.but(layers=lying, quarters=quarters).first_turn()

    def told(self, here: Tray, outcome: Outcome) -> Facts:
        return {"type": "turn_tray"}


class CardBelow(Draw[Tray]):
    """The card below the one just lifted: the one that lies there, or in a real tray any its layer has left. All see it
    as it comes to light, but neither log nor record remembers it for them, unless memory is open [TUT-40]."""

    secret = Secret(lambda here, card: card if here.terms.open_memory else UNSEEN, to=nobody, passing=lambda here: True)
    rule = "TUT-12"
    odds_rule = "TUT-02"

    def due(self, here: Tray) -> bool:
        return here.state.phase == "uncovering"

    def asked(self, here: Tray) -> Chance:
        square, layer = here.name(here.state.digging), _layer_below(here)
        known = here.state.layers[layer][here.state.digging]
        return Chance(
            "cards",
            f"card {square} {layer + 1}",
            ((known, 1),) if known else self._may_show(here, layer),
            seat=here.state.seat,
            rule="TUT-10",
            pressed=not known,
            veiled=not known and not here.terms.odds,
            facts={"square": square, "layer": layer + 1},
        )

    def _may_show(self, here: Tray, layer: int) -> tuple[tuple[Outcome, int], ...]:
        """Where nobody may count, every card of the layer is named, also one of which none is left."""
        unseen = here.unseen(layer).items()
        may_count = here.terms.odds or here.terms.open_memory
        return tuple((card, count) for card, count in unseen if count) if may_count else tuple(unseen)

    def why_not(self, here: Tray, outcome: Outcome) -> Refusal | None:
        odds = dict(self.asked(here).odds)
        if odds.get(outcome):
            return None
        if outcome not in odds:
            return Illegal("core.cannot_fall", rule=self.odds_rule, outcome=outcome)
        return Illegal("tutankhamun.none_unseen", rule=self.odds_rule, card=outcome, n=_layer_below(here) + 1)

    def besides(self, here: Tray) -> tuple[str, ...]:
        """Any card that no rule keeps from its layer, as long as another is left in whose place it can lie; obelisks
        and a snake in the lowest layer only where all of them can [TUT-04]."""
        layer = _layer_below(here)
        return here.terms.loose[layer].besides(here.unseen(layer))

    def otherwise(self, here: Tray, outcome: Outcome) -> Tray:
        """With one such card more in its layer; or with all obelisks and the snake, of which it is a piece."""
        layer = _layer_below(here)
        more = here.terms.loose[layer].exchanged(here.unseen(layer), str(outcome))
        return here.but(otherwise=(*here.state.otherwise, *more))

    def stated(self, here: Tray, outcome: Outcome) -> str | None:
        if outcome in CODE:
            return "TUT-04"
        return "TUT-02" if outcome in here.terms.values else None

    def fallen(self, here: Tray, outcome: Outcome) -> Tray:
        """A good card adds to the takings; a bad one voids them, is paid, and ends the turn [TUT-13, TUT-14]."""
        state, at, card = here.state, here.state.digging, str(outcome)
        points = here.terms.values[card] * state.factor
        takings = state.takings + points if points >= 0 else 0
        shown = here.but(
            phase="digging",
            layers=with_card(state.layers, _layer_below(here), at, card),
            digging=NOWHERE,
            dug=(*state.dug, at),
            last=Uncovered(state.seat, at, card, points),
            takings=takings,
            bank=state.bank + state.takings - takings,
        )
        return shown.unless_over() if points >= 0 else shown.paid(-points).turn_ended()

    def told(self, here: Tray, outcome: Outcome) -> Facts:
        square = here.name(here.state.digging)
        if not outcome:
            return {"type": "uncover", "square": square}
        points = here.terms.values[str(outcome)] * here.state.factor
        return {"type": "uncover_card", "square": square, "card": outcome, "points": points}


def _layer_below(here: Tray) -> int:
    return here.state.depths[here.state.digging] - 1
