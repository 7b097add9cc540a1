"""What each seat sees of a game of Tutankhamun.

The board (seats by their index, squares ``"a1"`` to ``"d4"``, layers counted from 1 at the bottom)::

    {"phase": "laying" | "dealing" | "turning" | "digging" | "uncovering" | "closing" | "over",
     "way": "dealt" | "laid" | "physical", "open_memory": false, "odds": false,
     "tray": {"side": 4, "layers": 6, "value": {"mask": -10, …}, "house": ["chain", …],   # whose worth is ours
              "squares": [{"square": "a1", "depth": 5,    # so many cards lie here: the open one is of layer 5
                           "top": "chain" | null,         # the open card
                           "barricade": 2 | null}, …×16]},   # whose barricade stands here; row by row
     "layers": [{"layer": 1, "owner": 0, "laid": true, "cards": {"mask": 1, …}}, …×6],   # what each is made of
     "laying": {"layer": 2, "seat": 1} | null,            # which layer is due, and who lays it
     "turn": {"seat": 1, "digs": 2, "takings": 5, "doubled": false, "factor": 1,
              "cards": [{"square": "b2", "card": "chain", "value": 1}, …],   # uncovered this turn and still there
              "risk": {"void": 5, "most": 10},            # what the worst card could cost: takings void, and silver
              "uncovering": "b2" | null, "fee": 3} | null,
     "seats": [{"seat": 0, "total": 10, "gold": 1, "silver": 5, "scarabs": 2, "barricades": 1,
                "playing": true, "standing": "c3" | null}, …],
     "next": 2 | null,                                    # whose turn comes after this one
     "first": 0,                                          # who digs first
     "passed": [0],                                       # who has passed one after another since the last dig
     "last": {"seat": 1, "square": "b2", "card": "mask", "points": -10} | null,   # uncovered last, until the next dig
     "gold_in_silver": 5,
     "cards_left": 88, "covered": 72,                     # in the tray; of them under another
     "removed": [{"square": "b2", "layer": 6, "card": "earth"}, …],   # only with open memory; card null: nobody saw it
     "found": {"quarters": 3 | null, "layers": [[16 cards or nulls], …×6]}}         # once the end is settled

``you`` is ``{"lay": {"layer": 2, "cards": {"obelisk_base": 2, …}}}`` for the seat that is laying, and ``{"lay": null}``
for others. What lies under an open card, the quarter turns and a layer that is laid are in no view before the end
(TUT-40), and cards that have left the tray are listed only with open memory.
"""

from __future__ import annotations

from companion.game import Json
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.parts import Facts


def board(table: TutankhamunTable) -> Facts:
    """What lies there; the whole tray, once all of it may be seen."""
    state, terms = table.state, table.terms
    shown: Facts = {
        "phase": state.phase,
        "way": terms.tray,
        "open_memory": terms.open_memory,
        "odds": terms.odds,
        "tray": _tray(table),
        "layers": [
            {"layer": n + 1, "owner": terms.owner(n), "laid": n < len(state.layers), "cards": table.cards(n)}
            for n in range(len(terms.kinds))
        ],
        "laying": _laying(table),
        "turn": _turn(table),
        "seats": [_seat(table, seat) for seat in range(terms.seats)],
        "next": _next(table),
        "first": terms.first_digger,
        "passed": list(state.passed),
        "last": _last(table),
        "gold_in_silver": terms.outfit.gold_in_silver,
        "cards_left": sum(state.depths),
        "covered": sum(depth - 1 for depth in state.depths if depth),
    }
    if terms.open_memory and table.is_filled:
        shown["removed"] = _removed(table)
    if not table.masked:
        shown["found"] = _found(table)
    return shown


def hand(table: TutankhamunTable) -> Facts:
    """What only the seat whose hand it is sees: the cards it is to lay."""
    if table.state.phase != "laying" or table.seat != table.state.seat:
        return {"lay": None}
    return {"lay": {"layer": table.number_due, "cards": dict(table.layer_due.cards)}}


def _tray(table: TutankhamunTable) -> Facts:
    """The tray as the toolbox shows it too, and the barricades."""
    return {
        "side": table.terms.kinds[0].side,
        "layers": len(table.terms.kinds),
        "value": dict(table.terms.values),
        "house": list(table.terms.house_worths),
        "squares": [_square(table, at, square) for at, square in enumerate(table.terms.squares)],
    }


def _square(table: TutankhamunTable, at: int, square: str) -> Facts:
    top = table.state.top(at) if table.is_filled else ""
    return {
        "square": square,
        "depth": table.state.depths[at],
        "top": top or None,
        "barricade": table.state.barricaded_by(at),
    }


def _laying(table: TutankhamunTable) -> Facts | None:
    if table.state.phase not in {"laying", "dealing"}:
        return None
    return {"layer": table.number_due, "seat": table.state.seat}


def _turn(table: TutankhamunTable) -> Facts | None:
    state, terms = table.state, table.terms
    if not table.is_filled or state.phase == "over":
        return None
    return {
        "seat": state.seat,
        "digs": state.digs,
        "takings": state.takings,
        "doubled": state.doubled,
        "factor": state.factor,
        "cards": [
            {"square": terms.squares[at], "card": state.top(at), "value": terms.values[state.top(at)]}
            for at in state.dug
        ],
        "risk": {"void": state.takings, "most": _worst(table) * state.factor},
        "uncovering": table.name(state.digging),
        "fee": terms.outfit.pass_fee,
    }


def _worst(table: TutankhamunTable) -> int:
    """The most that a card could cost: by what the layers are made of that can be reached by a dig, seen or not."""
    state, terms = table.state, table.terms
    layers = {depth - 2 for at, depth in enumerate(state.depths) if depth > 1 and at not in state.standing}
    return max((-terms.values[card] for layer in layers for card in table.cards(layer)), default=0)


def _seat(table: TutankhamunTable, seat: int) -> Facts:
    state = table.state
    gold, silver = table.terms.coins(state.purses[seat])
    return {
        "seat": seat,
        "total": state.purses[seat],
        "gold": gold,
        "silver": silver,
        "scarabs": state.scarabs[seat],
        "barricades": state.barricades[seat],
        "playing": state.playing[seat],
        "standing": table.name(state.standing[seat]),
    }


def _next(table: TutankhamunTable) -> int | None:
    if not table.is_filled or table.state.phase == "over":
        return None
    return min(table.still_in, key=lambda seat: (seat - table.state.seat - 1) % table.terms.seats)


def _last(table: TutankhamunTable) -> Facts | None:
    last = table.state.last
    if last is None:
        return None
    return {"seat": last.seat, "square": table.name(last.square), "card": last.card, "points": last.points}


def _removed(table: TutankhamunTable) -> list[Json]:
    layers = table.state.layers
    return [
        {"square": table.name(at), "layer": layer + 1, "card": layers[layer][at] or None}
        for at, depth in enumerate(table.state.depths)
        for layer in reversed(range(depth, len(layers)))
    ]


def _found(table: TutankhamunTable) -> Facts:
    """The whole tray turned up: each layer as it lay on the board."""
    layers: list[Json] = [[card or None for card in layout] for layout in table.state.layers]
    return {"quarters": None if table.is_real else table.state.quarters, "layers": layers}
