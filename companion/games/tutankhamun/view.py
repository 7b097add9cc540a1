"""What each seat sees of a game of Tutankhamun, and what it is told of a step.

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
     "found": {"quarters": 3 | null, "layers": [[16 cards or nulls], …×6]}}         # only when the game is over

``you`` is ``{"lay": {"layer": 2, "cards": {"obelisk_base": 2, …}}}`` for the seat that is laying, and ``{"lay": null}``
for others. What lies under an open card, the quarter turns and a layer that is laid are in no view before the end
(TUT-40), and cards that have left the tray are listed only with open memory.
"""

from __future__ import annotations

from msgspec import to_builtins

from companion.game import Corrected, Dealt, Json, Played, Seen, Step
from companion.games.tutankhamun.layers import FREE
from companion.games.tutankhamun.moves import Lay
from companion.games.tutankhamun.score import coins
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState


def sees(terms: Terms, state: TutankhamunState, seat: int | None) -> Seen:
    """What a seat, or a spectator, may see."""
    board: dict[str, Json] = {
        "phase": state.phase,
        "way": terms.tray,
        "open_memory": terms.open_memory,
        "odds": terms.odds,
        "tray": _tray(terms, state),
        "layers": [
            {"layer": n + 1, "owner": terms.owner(n), "laid": n < len(state.layers), "cards": dict(kind.cards)}
            for n, kind in enumerate(terms.kinds)
        ],
        "laying": _laying(state),
        "turn": _turn(terms, state),
        "seats": [_seat(terms, state, each) for each in range(terms.seats)],
        "next": _next(state),
        "first": terms.first_digger,
        "passed": list(state.passed),
        "last": _last(terms, state),
        "gold_in_silver": terms.gold_in_silver,
        "cards_left": sum(state.depths),
        "covered": sum(depth - 1 for depth in state.depths if depth),
    }
    if terms.open_memory and is_play(state):
        board["removed"] = _removed(terms, state)
    if state.phase == "over":
        board["found"] = _found(terms, state)
    return Seen(board, None if seat is None else {"lay": _to_lay(terms, state, seat)})


def is_play(state: TutankhamunState) -> bool:
    """Whether the tray is laid and turned."""
    return state.phase not in {"laying", "dealing", "turning"}


def _tray(terms: Terms, state: TutankhamunState) -> dict[str, Json]:
    """The tray as the toolbox shows it too, and the barricades."""
    return {
        "side": terms.kinds[0].side,
        "layers": len(terms.kinds),
        "value": dict(terms.values),
        "house": list(terms.house_worths),
        "squares": [_square(terms, state, at) for at in range(len(terms.squares))],
    }


def _square(terms: Terms, state: TutankhamunState, at: int) -> dict[str, Json]:
    depth = state.depths[at]
    top = state.top(at) if is_play(state) else ""
    return {
        "square": terms.squares[at],
        "depth": depth,
        "top": top or None,
        "barricade": state.barricaded_by(at),
    }


def _laying(state: TutankhamunState) -> dict[str, Json] | None:
    if state.phase not in {"laying", "dealing"}:
        return None
    return {"layer": len(state.layers) + 1, "seat": state.seat}


def _turn(terms: Terms, state: TutankhamunState) -> dict[str, Json] | None:
    if not is_play(state) or state.phase == "over":
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
        "risk": {"void": state.takings, "most": _worst(terms, state) * state.factor},
        "uncovering": None if state.digging == NOWHERE else terms.squares[state.digging],
        "fee": terms.pass_fee,
    }


def _worst(terms: Terms, state: TutankhamunState) -> int:
    """The most that a card could cost: by what the layers are made of that can be reached by a dig, seen or not."""
    layers = {depth - 2 for at, depth in enumerate(state.depths) if depth > 1 and at not in state.standing}
    return max((-terms.values[card] for layer in layers for card, _ in terms.kinds[layer].cards), default=0)


def _seat(terms: Terms, state: TutankhamunState, seat: int) -> dict[str, Json]:
    gold, silver = coins(terms, state.purses[seat])
    standing = state.standing[seat]
    return {
        "seat": seat,
        "total": state.purses[seat],
        "gold": gold,
        "silver": silver,
        "scarabs": state.scarabs[seat],
        "barricades": state.barricades[seat],
        "playing": state.playing[seat],
        "standing": None if standing == NOWHERE else terms.squares[standing],
    }


def _next(state: TutankhamunState) -> int | None:
    if not is_play(state) or state.phase == "over":
        return None
    seats = len(state.playing)
    order = ((state.seat + step) % seats for step in range(1, seats + 1))
    return next((seat for seat in order if state.playing[seat]), None)


def _last(terms: Terms, state: TutankhamunState) -> dict[str, Json] | None:
    if state.last is None:
        return None
    seat, square, card = state.last.seat, terms.squares[state.last.square], state.last.card
    return {"seat": seat, "square": square, "card": card, "points": state.last.points}


def _removed(terms: Terms, state: TutankhamunState) -> list[Json]:
    return [
        {"square": terms.squares[at], "layer": layer + 1, "card": state.layers[layer][at] or None}
        for at, depth in enumerate(state.depths)
        for layer in reversed(range(depth, len(state.layers)))
    ]


def _found(terms: Terms, state: TutankhamunState) -> dict[str, Json]:
    """The whole tray turned up: each layer as it lay on the board."""
    layers: list[Json] = [[card or None for card in layout] for layout in state.layers]
    return {"quarters": None if terms.tray == "physical" else state.quarters, "layers": layers}


def _to_lay(terms: Terms, state: TutankhamunState, seat: int) -> dict[str, Json] | None:
    if state.phase != "laying" or seat != state.seat:
        return None
    number = len(state.layers)
    return {"layer": number + 1, "cards": dict(terms.kinds[number].cards)}


def tells(terms: Terms, before: TutankhamunState, step: Step) -> dict[str, Json]:
    """What anybody is told of a step, all the same. Of a layer only that it lies; of a card only with open memory."""
    match step:
        case Played(move=Lay()):
            return {"type": "lay", "layer": len(before.layers) + 1}
        case Played(move=move):
            told: dict[str, Json] = to_builtins(move)
            if before.phase == "laying":
                told["layer"] = len(before.layers) + 1
            return told
        case Corrected(correction=correction):
            return _corrected(terms, to_builtins(correction))
        case Dealt(outcome=outcome):
            return _fell(terms, before, outcome)


def _fell(terms: Terms, before: TutankhamunState, outcome: str | int) -> dict[str, Json]:
    match before.phase:
        case "uncovering":
            told: dict[str, Json] = {"type": "uncover", "square": terms.squares[before.digging]}
            if terms.open_memory:
                told |= {"type": "uncover_card", "card": outcome, "points": terms.values[str(outcome)] * before.factor}
            return told
        case "turning":
            return {"type": "turn_tray"}
        case _:
            return _dealt(before)


def _dealt(before: TutankhamunState) -> dict[str, Json]:
    """That the companion has dealt a part of a layer; the same for every layout."""
    told: dict[str, Json] = {"layer": len(before.layers) + 1}
    if not before.laying:
        return {"type": "deal_pattern", **told}
    return {
        "type": "deal_card",
        **told,
        "n": len(before.laying) - before.laying.count(FREE) + 1,
        "of": len(before.laying),
    }


def _corrected(terms: Terms, told: dict[str, Json]) -> dict[str, Json]:
    """What was put right; a card only with open memory, for it will leave the tray."""
    if told["type"] == "standing":
        return {"square": "in_hand"} | told
    return told if terms.open_memory else {key: value for key, value in told.items() if key != "card"}
