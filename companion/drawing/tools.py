"""What a toolbox has, drawn; a referee's table has much of it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from companion.drawing.paper import NOTHING, Board, Drawing, Paper, aligned, listed, maps, number, of, with_count
from companion.game import Json

WIDEST = 24  # characters of a square of the tray


def track(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Who stands on which week, the one furthest back first; and whose turn it is."""
    marks = of(lies)
    order = [paper.name(seat) for seat in listed(marks.get("next"))]
    where = [
        f"{paper.name(mark['seat'])} {'' if mark.get('year') is None else str(mark['year']) + '/'}{mark['week']}"
        for mark in sorted(maps(marks["markers"]), key=lambda mark: number(mark["at"]))
    ]
    if where:
        yield from paper.flow("", [*where, *(f"▸ {first}" for first in order[:1])])


def dial(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What the dial shows."""
    tokens = listed(of(lies).get("tokens"))
    yield f"{paper.said('knowledge')} {of(lies).get('knowledge', NOTHING)}"
    yield "  ".join(f"{week:>2}" for week in range(1, 13)) + f"  {paper.said('weeks')}"
    if tokens:
        counts = "  ".join(f"{count:>2}" for count in tokens[-12:])
        yield f"{counts}  {paper.marked(paper.said('tokens'), of(lies).get('from'))}"


def bags(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Bag under bag, token beside token."""
    kinds = {token: token for bag in maps(lies) for token in of(bag.get("inside"))}
    plain = [token for token in kinds if not token.startswith(("object:", "book:"))]
    objects = sorted(token for token in kinds if token.startswith("object:"))
    books = any(token.startswith("book:") for token in kinds)
    rows = [["", "", *map(paper.token, (*plain, *objects)), *([paper.said("book")] if books else [])]]
    for bag in maps(lies):
        inside = of(bag.get("inside"))
        left = "?" if bag["left"] is None else str(bag["left"])
        row = [
            paper.marked(paper.said(bag["bag"]), bag.get("from")),
            left,
            *(str(inside.get(token, NOTHING)) for token in (*plain, *objects)),
        ]
        about = [
            with_count(paper.said(token[5:]), number(inside[token])) for token in inside if token.startswith("book:")
        ]
        rows.append([*row, *([", ".join(about) or NOTHING] if books else [])])
    yield from aligned(rows if kinds else rows[1:], right=range(1, 2 + len(plain) + len(objects)), gap=" ")


def drawing(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Whose hand is in which bag, and what it has drawn."""
    draw = of(lies)
    drawn = listed(draw["drawn"])
    head = f"{paper.name(draw['seat'])}, {paper.said(draw['bag'])} {len(drawn)}/{draw['of']}   "
    yield from paper.flow(head, map(paper.token, drawn))


def finds(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What each seat has found, bag by bag."""
    width = max(map(len, paper.names), default=0) + 2
    for seat, kept in enumerate(listed(lies)):
        yield from paper.flow(f"{paper.name(seat):{width}}", finds_lines(paper, kept) or [NOTHING])


def finds_lines(paper: Paper, kept: Json) -> list[str]:
    """The finds of one seat: a bag's name and the objects from it, then each of its books."""
    parts = []
    for bag in dict.fromkeys(find["bag"] for find in maps(kept)):
        tokens = sorted(str(find["token"]) for find in maps(kept) if find["bag"] == bag)
        objects = [paper.token(token) for token in tokens if token.startswith("object:")]
        books = [paper.token(token) for token in tokens if not token.startswith("object:")]
        first = objects or books[:1]
        parts += [f"{paper.said(bag)}: {' '.join(first)}", *(books if objects else books[1:])]
    return parts


def points(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Points, seat by seat."""
    yield from paper.flow("", (f"{paper.name(seat)} {have}" for seat, have in enumerate(listed(lies))))


def dice(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """The dice on the table."""
    yield " ".join(f"[{'?' if face is None else face}]" for face in listed(of(lies).get("rolled"))) or NOTHING


def blocks(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """How many are left of how many, and which have fallen."""
    box = of(lies)
    yield from paper.flow(f"{box['left']}/{box['of']}   ", (str(block) for block in listed(box.get("fallen"))))


def plan(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The pyramid from above, with its walls: fallen blocks, and mummies by as many letters as tell them apart."""
    fallen = {str(block) for block in listed(of(board.get("blocks")).get("fallen"))}
    short = told_apart([paper.said(mummy["mummy"]) for mummy in maps(board.get("mummies"))])
    stands = {str(mummy["square"]): short[paper.said(mummy["mummy"])] for mummy in maps(board.get("mummies"))}
    walls = {frozenset(map(str, listed(wall))) for wall in listed(of(lies).get("walls"))}
    rows = [[str(square) for square in listed(row)] for row in listed(of(lies)["grid"])]
    for nth, row in enumerate(rows):
        mark = paper.marked(" ", of(lies).get("from")) if row is rows[-1] else ""
        inside = [
            f"{'##' if square in fallen else f'{square} {stands.get(square, str())}'.strip():^6}" for square in row
        ]
        right = ["|" if frozenset(pair) in walls else " " for pair in pairwise((*row, ""))]
        yield "".join(map("".join, zip(inside, right, strict=True))).rstrip() + mark.rstrip()
        below = [
            "------ " if frozenset(pair) in walls else " " * 7
            for pair in zip(row, rows[(nth + 1) % len(rows)], strict=True)
        ]
        if any(map(str.strip, below)):
            yield "".join(below).rstrip()


def told_apart(names: Sequence[str]) -> dict[str, str]:
    """Names, each cut to so few letters that no other begins with them.

    >>> told_apart(["Initkaes", "Sanakht", "Imhotep"])
    {'Initkaes': 'In', 'Sanakht': 'S', 'Imhotep': 'Im'}
    """

    def enough(name: str) -> str:
        lengths = range(1, len(name) + 1)
        alone = (n for n in lengths if not any(other != name and other.startswith(name[:n]) for other in names))
        return name[: next(alone, len(name))]

    return {name: enough(name) for name in names}


def mummies(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Where each stands, and where it goes next."""
    yield from aligned([[paper.said(each["mummy"]), f"{each['square']} → {each['towards']}"] for each in maps(lies)])


def tray(paper: Paper, _: Board, lies: Json, mark: Callable[[Paper, Board], str] | None = None) -> Iterator[str]:
    """Square beside square: its name, how many cards lie there, the open card and its value.

    :param mark: what else lies on a square, in a few characters.
    """
    side = number(of(lies)["side"])
    squares = maps(of(lies)["squares"])
    inner = min((paper.room - 1) // side - 1, WIDEST)
    rule = "+" + side * ("-" * inner + "+")
    for first in range(0, len(squares), side):
        row = squares[first : first + side]
        yield rule
        yield "|" + "".join(f"{_stack(square, mark(paper, square) if mark else '', inner)}|" for square in row)
        yield "|" + "".join(f"{_open(paper, square, of(lies), inner)}|" for square in row)
    yield rule


def _stack(square: Board, mark: str, inner: int) -> str:
    depth = f"×{square['depth']}" if square["depth"] else "  "
    return f" {square['square']} {mark[: inner - len(depth) - 6]:{inner - len(depth) - 5}}{depth} "


def worth_of(paper: Paper, tray: Board, card: Json) -> str:
    """What a card is worth, with its sign; nothing where it is nothing."""
    worth = number(of(tray.get("value")).get(str(card)))
    return paper.marked(f"{worth:+d}" if worth else "", "house" if card in listed(tray.get("house")) else None)


def _open(paper: Paper, square: Board, tray: Board, inner: int) -> str:
    top = square.get("top")
    if top is None:
        return f" {NOTHING:{inner - 1}}"
    value = worth_of(paper, tray, top)
    room = inner - len(value) - 2 - bool(value)
    name = paper.said(top)
    name = name if len(name) <= room else name[: room - 1] + "…"
    return f" {name:{inner - len(value) - 2}}{value} "


def decks(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """How many cards each deck has left."""
    each = (f"{paper.marked(paper.said(deck['deck']), deck.get('from'))} {deck['left']}" for deck in maps(lies))
    yield from paper.flow("", each)


def cards(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What lies open, place by place, and before each seat."""
    for place in maps(of(lies)["places"]):
        if lying := [paper.said(card) for card in listed(place["cards"])]:
            yield from paper.flow(f"{paper.said(place['place'])}: ", lying)
    for seat, kept in enumerate(listed(of(lies)["before"])):
        if kept:
            yield from paper.flow(f"{paper.name(seat)}: ", (paper.said(card) for card in listed(kept)))


def hidden(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """How many cards lie face down before each seat, and from which deck."""
    for seat, decks in enumerate(listed(of(lies)["before"])):
        backs = [str(deck) for deck in listed(decks)]
        if backs:
            yield from paper.flow(
                f"{paper.name(seat)}: ",
                (with_count(paper.said(deck), backs.count(deck)) for deck in dict.fromkeys(backs)),
            )


def own_hidden(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What lies face down before the seat whose eyes are looking."""
    yield from paper.flow("", (f"{paper.said(each['card'])} ({paper.said(each['deck'])})" for each in maps(lies)))


def loads(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What everybody carries, the level it makes, and the actions the dice gave."""
    each = (
        f"{paper.name(seat)} {load['cards']}/{load['level']}"
        + ("" if load["actions"] is None else f" ▸ {load['actions']}")
        for seat, load in enumerate(maps(lies))
    )
    yield from paper.flow("", each)


def turn(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Whose turn it is."""
    yield f"▸ {paper.name(of(lies)['seat'])}"


def permits(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """The permits of each seat that lie face up."""
    for seat, mine in enumerate(maps(lies)):
        yield from paper.flow(
            f"{paper.name(seat)}: ", [paper.said(site) for site, is_up in mine.items() if is_up] or [NOTHING]
        )


def takings(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What is set aside, and where barricades lie."""
    barred = (f"{square} {paper.name(seat)}" for square, seat in of(of(lies)["barred"]).items())
    yield from paper.flow(f"{of(lies)['aside']}   ", barred)


TOOLS: dict[str, Drawing] = {
    "track": track,
    "dial": dial,
    "bags": bags,
    "drawing": drawing,
    "finds": finds,
    "points": points,
    "dice": dice,
    "blocks": blocks,
    "plan": plan,
    "mummies": mummies,
    "tray": tray,
    "decks": decks,
    "cards": cards,
    "hidden": hidden,
    "you.hidden": own_hidden,
    "loads": loads,
    "turn": turn,
    "permits": permits,
    "takings": takings,
}
"""Who draws which piece."""

SILENT = frozenset({"tools", "cue", "gold", "last_draw", "value", "walls", "levels", "ways", "looking"})
"""What needs no drawing."""
