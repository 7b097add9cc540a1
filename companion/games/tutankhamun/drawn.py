"""The referee's table of Tutankhamun, drawn: the tray, the turn, purses, and what can still come to light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.drawing.paper import NOTHING, Board, Drawing, Paper, aligned, listed, maps, number, of, with_count
from companion.drawing.tools import TOOLS, tray
from companion.game import Json


def filled_tray(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The tray, once it is filled, with its barricades."""
    if any(square["top"] is not None or square["depth"] for square in maps(of(lies)["squares"])):
        yield from tray(paper, board, lies, mark=_barricade)


def _barricade(paper: Paper, square: Board) -> str:
    return "" if square["barricade"] is None else f"#{paper.name(square['barricade'])}"


def phase(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What is going on, and who lays which layer."""
    due = of(board.get("laying"))
    who = [f"{paper.said('layer_' + str(due['layer']))}: {paper.name(due['seat'])}"] if due else []
    yield from paper.flow("", [paper.said(lies), *who])


def layers(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What the layers are made of from which a card can come to light next; before that, the layer that is due."""
    next_ones = {number(square["depth"]) - 1 for square in maps(of(board["tray"])["squares"])}
    due = of(board.get("laying"))
    if due:
        next_ones = {number(due["layer"])}
    for layer in reversed(maps(lies)) if board["phase"] != "over" else ():
        if number(layer["layer"]) in next_ones:
            cards = (with_count(paper.said(card), number(count)) for card, count in of(layer["cards"]).items())
            yield from paper.flow(f"{layer['layer']}  ", cards)


def turn(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Whose it is, what is set aside, what a bad card would cost, and what this turn has brought to light."""
    now = of(lies)
    takings = f"{paper.said('takings')} {now['takings']}"
    doubled = [paper.said("doubled")] if now["doubled"] else []
    risk = paper.marked(paper.say("risk", n=number(of(now["risk"])["most"])), _origin_of_risk(board, now))
    yield from paper.flow("", [paper.name(now["seat"]), f"{paper.said('digs')} {now['digs']}", takings, *doubled, risk])
    cards = [
        f"{card['square']} {paper.said(card['card'])} {_brought(paper, board, card, 'value')}"
        for card in maps(now["cards"])
    ]
    if cards:
        yield from paper.flow("", cards)


def _origin_of_risk(board: Board, now: Board) -> str | None:
    """Whether what the worst card costs is our own figure."""
    worst = -number(of(now["risk"])["most"]) // (2 if now["doubled"] else 1)
    values = of(of(board["tray"])["value"])
    return "house" if any(values[str(card)] == worst for card in listed(of(board["tray"])["house"])) else None


def players(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Purse, scarabs and barricade of each; and who has left."""
    names = ("total", "gold", "silver", "scarabs", "barricades")
    rows = [["", *map(paper.said, (*names, "standing"))]]
    at_turn = of(board.get("turn")).get("seat")
    passed = listed(board.get("passed"))
    for mine in maps(lies):
        seat = mine["seat"]
        who = ("▸ " if seat == at_turn else "  ") + paper.name(seat)
        state = paper.said("passed") if seat in passed else ""
        where = paper.said(mine["standing"]) if mine["playing"] else paper.say("left")
        rows.append([who, *(str(mine[name]) for name in names), where + (f"  ({state})" if state else "")])
    yield from aligned(rows, right=range(1, 1 + len(names)))


def last(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The card that came to light last, and what it brought."""
    card = of(lies)
    brought = _brought(paper, board, card, "points")
    yield f"{card['square']} {paper.said(card['card'])} {brought}  {paper.name(card['seat'])}"


def _brought(paper: Paper, board: Board, card: Board, what: str) -> str:
    """What a card brought or cost, with its sign, marked where its worth is our own figure."""
    return paper.marked(
        f"{number(card[what]):+d}", "house" if card["card"] in listed(of(board["tray"])["house"]) else None
    )


def left(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """How many cards the tray still has, and how many of them nobody sees."""
    yield f"{lies}   {paper.said('covered')} {board['covered']}"


def removed(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What has left the tray, kind by kind."""
    kinds = Counter(paper.said(each["card"] or "?") for each in maps(lies))
    yield from paper.flow("", (with_count(kind, count) for kind, count in sorted(kinds.items())))


def whole_tray(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Every layer as it lay, from the top down; and how far the tray was turned."""
    turned_up = of(lies)
    side = number(of(board["tray"])["side"])
    if turned_up["quarters"] is not None:
        yield f"{paper.said('quarters')} {turned_up['quarters']}"
    for below, layer in reversed(list(enumerate(listed(turned_up["layers"]), 1))):
        cards = [NOTHING if card is None else paper.said(card) for card in listed(layer)]
        if set(cards) == {paper.said("earth")}:
            continue
        for first in range(0, len(cards), side):
            head = f"{below}" if first == 0 else " "
            yield f"{head}  " + "".join(f"{card[:19]:20}" for card in cards[first : first + side]).rstrip()


DRAWINGS: dict[str, Drawing] = TOOLS | {
    "phase": phase,
    "tray": filled_tray,
    "layers": layers,
    "turn": turn,
    "seats": players,
    "last": last,
    "cards_left": left,
    "removed": removed,
    "found": whole_tray,
}
"""Who draws which piece."""

SILENT = frozenset({"way", "open_memory", "odds", "laying", "next", "first", "passed", "gold_in_silver", "covered"})
"""What another piece shows with its own."""
