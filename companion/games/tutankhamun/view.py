"""What each seat sees of a game of Tutankhamun.

Seats are called by their index, squares ``"a1"`` to ``"d4"``, and layers are counted from 1 at the bottom. What lies
under an open card, the quarter turns and a layer that is laid are in no view before the end (TUT-40), and cards that
have left the tray are listed only with open memory.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from companion.games.tutankhamun.tray import TutankhamunTable


class TutankhamunSquare(TypedDict):
    """A square: how many cards lie there, which is open, and whose barricade stands there."""

    square: str
    depth: int
    top: str | None
    barricade: int | None


class TutankhamunTrayShown(TypedDict):
    """The tray, row by row; `house` are the cards whose worth is ours."""

    side: int
    layers: int
    value: dict[str, int]
    house: list[str]
    squares: list[TutankhamunSquare]


class TutankhamunLayer(TypedDict):
    """What a layer is made of, whose it is to lay, and whether it lies there."""

    layer: int
    owner: int | None
    laid: bool
    cards: dict[str, int]


class TutankhamunLaying(TypedDict):
    """Which layer is due, and who lays it."""

    layer: int
    seat: int


class TutankhamunUncovered(TypedDict):
    """A card that was uncovered this turn and is still there."""

    square: str
    card: str
    value: int


class TutankhamunRisk(TypedDict):
    """What the worst card could cost: the takings, void, and silver."""

    void: int
    most: int


class TutankhamunTurnSeen(TypedDict):
    """The turn that is under way."""

    seat: int
    digs: int
    takings: int
    doubled: bool
    factor: int
    cards: list[TutankhamunUncovered]
    risk: TutankhamunRisk
    uncovering: str | None
    fee: int


class TutankhamunSeat(TypedDict):
    """A seat: its money in all and in coins, what it has, whether it plays, and where its figure stands."""

    seat: int
    total: int
    gold: int
    silver: int
    scarabs: int
    barricades: int
    playing: bool
    standing: str | None


class TutankhamunLastCard(TypedDict):
    """The card that was uncovered last, until the next dig."""

    seat: int
    square: str | None
    card: str
    points: int


class TutankhamunRemoved(TypedDict):
    """A card that has left the tray; null where nobody saw it."""

    square: str | None
    layer: int
    card: str | None


class TutankhamunFound(TypedDict):
    """The whole tray turned up: by how many quarters it was turned, and each layer as it lay on the board."""

    quarters: int | None
    layers: list[list[str | None]]


class TutankhamunBoard(TypedDict):
    """The board of Tutankhamun.

    `next` is whose turn comes after this one, `first` who digs first, `passed` who has passed one after another since
    the last dig. Of `cards_left` in the tray, `covered` lie under another. `removed` is there with open memory alone,
    `found` once the end is settled.
    """

    phase: str
    way: str
    open_memory: bool
    odds: bool
    tray: TutankhamunTrayShown
    layers: list[TutankhamunLayer]
    laying: TutankhamunLaying | None
    turn: TutankhamunTurnSeen | None
    seats: list[TutankhamunSeat]
    next: int | None
    first: int
    passed: list[int]
    last: TutankhamunLastCard | None
    gold_in_silver: int
    cards_left: int
    covered: int
    removed: NotRequired[list[TutankhamunRemoved]]
    found: NotRequired[TutankhamunFound]


class TutankhamunLayerToLay(TypedDict):
    """The layer that a seat is to lay, and its cards."""

    layer: int
    cards: dict[str, int]


class TutankhamunHand(TypedDict):
    """What one seat alone sees: the cards it is to lay."""

    lay: TutankhamunLayerToLay | None


def board(table: TutankhamunTable) -> TutankhamunBoard:
    """What lies there; the whole tray, once all of it may be seen."""
    state, terms = table.state, table.terms
    shown: TutankhamunBoard = {
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


def hand(table: TutankhamunTable) -> TutankhamunHand:
    """What only the seat whose hand it is sees: the cards it is to lay."""
    if table.state.phase != "laying" or table.seat != table.state.seat:
        return {"lay": None}
    return {"lay": {"layer": table.number_due, "cards": dict(table.layer_due.cards)}}


def _tray(table: TutankhamunTable) -> TutankhamunTrayShown:
    """The tray as the toolbox shows it too, and the barricades."""
    return {
        "side": table.terms.kinds[0].side,
        "layers": len(table.terms.kinds),
        "value": dict(table.terms.values),
        "house": list(table.terms.house_worths),
        "squares": [_square(table, at, square) for at, square in enumerate(table.terms.squares)],
    }


def _square(table: TutankhamunTable, at: int, square: str) -> TutankhamunSquare:
    top = table.state.top(at) if table.is_filled else ""
    return {
        "square": square,
        "depth": table.state.depths[at],
        "top": top or None,
        "barricade": table.state.barricaded_by(at),
    }


def _laying(table: TutankhamunTable) -> TutankhamunLaying | None:
    if table.state.phase not in {"laying", "dealing"}:
        return None
    return {"layer": table.number_due, "seat": table.state.seat}


def _turn(table: TutankhamunTable) -> TutankhamunTurnSeen | None:
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


def _seat(table: TutankhamunTable, seat: int) -> TutankhamunSeat:
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


def _last(table: TutankhamunTable) -> TutankhamunLastCard | None:
    last = table.state.last
    if last is None:
        return None
    return {"seat": last.seat, "square": table.name(last.square), "card": last.card, "points": last.points}


def _removed(table: TutankhamunTable) -> list[TutankhamunRemoved]:
    layers = table.state.layers
    return [
        {"square": table.name(at), "layer": layer + 1, "card": layers[layer][at] or None}
        for at, depth in enumerate(table.state.depths)
        for layer in reversed(range(depth, len(layers)))
    ]


def _found(table: TutankhamunTable) -> TutankhamunFound:
    """The whole tray turned up: each layer as it lay on the board."""
    layers = [[card or None for card in layout] for layout in table.state.layers]
    return {"quarters": None if table.is_real else table.state.quarters, "layers": layers}
