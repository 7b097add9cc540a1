"""The referee's table of The Tomb Raiders, drawn: storage, presentations, professors, what lies before seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.drawing.paper import NOTHING, Board, Drawing, Paper, aligned, listed, maps, number, of, with_count
from companion.drawing.tools import track
from companion.game import Json


def storage(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Card under card, with its weeks."""
    cards = of(board["cards"])
    rows = []
    for place, card in enumerate(listed(lies), 1):
        printed = of(cards.get(str(card)))
        weeks = paper.marked(_weeks(paper, printed), _ours(board, str(printed["kind"]))) if card else ""
        rows.append([str(place), paper.said(card) if card else NOTHING, weeks])
    yield from aligned(rows)


def exhibitions(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Exhibition under exhibition: its points, and step by step what it asks for and takes."""
    for card in maps(lies):
        points = paper.marked(paper.say("points", n=number(card["points"])), _ours(board, "exhibition"))
        head = f"{paper.said(card['id'])}  {points}  "
        ours = _ours(board, str(card["id"]))
        yield from paper.flow(head, (_step(paper, step, ours) for step in maps(card["steps"])))


def _step(paper: Paper, step: Board, ours: str | None) -> str:
    asked = " + ".join(f"{n} {paper.said(region)}" for region, n in of(step["objects"]).items())
    return f"{asked}: {paper.marked(_weeks(paper, step), ours)}."


def museums(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Museum under museum: its points, what it takes, its weeks."""
    rows = []
    for card in maps(lies):
        gift = paper.say("gift", n=number(card["artifacts"]))
        points = paper.marked(paper.say("points", n=number(card["points"])), _ours(board, "museum"))
        rows.append([paper.said(card["id"]), points, gift, paper.marked(_weeks(paper, card), _ours(board, "museum"))])
    yield from aligned(rows)


def deck(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """How many green cards are to come, or how many have been taken of those that can be."""
    pile = of(lies)
    if pile["left"] is None:
        yield paper.say("takes", n=number(pile["takes"]), most=number(pile["most"]))
    else:
        yield paper.say("left", n=number(pile["left"]))


def professors(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Who has which."""
    yield from aligned(
        [[paper.said(each["id"]), NOTHING if each["seat"] is None else paper.name(each["seat"])] for each in maps(lies)]
    )


def task(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Who is at which pile, and what it has shown."""
    at = of(lies)
    if at:
        head = f"{paper.name(at['seat'])}, {paper.said(at['region'])}   "
        yield from paper.flow(head, map(paper.said, listed(at["drawn"])))


def chart(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What the chart shows whoever is next for each region they know about: cards for 1 to 12 weeks."""
    order = listed(of(board["track"]).get("next"))
    if not order:
        return
    mine = maps(board["seats"])[number(order[0])]
    rows = [[paper.said("weeks"), "", *map(str, range(1, 13))]]
    for region, points in of(mine["expertise"]).items():
        if points:
            known = number(points) + min(number(points), number(mine["general"])) + number(mine["assistants"])
            cards = listed(listed(of(lies)["rows"])[min(known, 12) - 1])
            rows.append([paper.marked(paper.said(region), of(lies).get("from")), str(known), *map(str, cards)])
    yield from aligned(rows if len(rows) > 1 else [], right=range(1, 14))


def players(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """For each seat: its week, its points, what it knows, its cards, and its finds. Of a hand only its size."""
    labels = [paper.said(label) for label in ("knowledge", "cards", "finds")]
    width = max(map(len, (*labels, *paper.names))) + 4
    order = listed(of(board["track"]).get("next"))
    for seat, mine in enumerate(maps(lies)):
        mark = "▸ " if order and order[0] == seat else "  "
        yield from paper.flow(f"{mark + paper.name(seat):{width}}", _stands(paper, board, seat, mine))
        lines = [_knows(paper, mine), _held(paper, mine["cards"]), _found(paper, board, mine["finds"])]
        for label, parts in zip(labels, lines, strict=True):
            if parts:
                yield from paper.flow(f"  {label:{width - 2}}", parts)


def _stands(paper: Paper, board: Board, seat: int, mine: Board) -> list[str]:
    at = next(mark["week"] for mark in maps(of(board["track"])["markers"]) if mark["seat"] == seat)
    score = next(score for score in maps(board["scores"]) if score["seat"] == seat)
    hand = paper.say("hand", n=number(mine["hand"]))
    return [paper.say("week", week=number(at)), paper.say("points", n=number(score["total"])), hand]


def _knows(paper: Paper, mine: Board) -> list[str]:
    known = {**of(mine["expertise"]), "general": mine["general"], "assistant": mine["assistants"]}
    return [f"{paper.said(what)} {points}" for what, points in known.items() if points]


def _held(paper: Paper, cards: Json) -> list[str]:
    held = Counter(str(card) for card in listed(cards))
    return [with_count(paper.said(card), n) for card, n in sorted(held.items())]


def _found(paper: Paper, board: Board, finds: Json) -> list[str]:
    """Artifacts by name and worth, each marked where its worth is our own figure."""
    held = Counter(str(card) for card in listed(finds))
    return [
        paper.marked(with_count(paper.said(card), n), _ours(board, card.rpartition("-")[0]))
        for card, n in sorted(held.items())
    ]


def _ours(board: Board, what: str) -> str | None:
    """Whether what such a thing bears is our own figure."""
    return "house" if what in listed(board["house"]) else None


def hand(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The cards in a hand, for the one who asks."""
    yield from paper.flow("", (with_count(paper.said(card["id"]), number(card["n"])) for card in maps(lies)))


def unknown(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The cards in a real hand that nobody has shown."""
    yield from paper.flow("", (with_count(paper.said(card), number(n)) for card, n in of(lies).items()))


def look(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What a seat has seen in a pile."""
    seen = of(lies)
    rubble = [paper.said(f"rubble-{seen['region']}")] if seen["rubble"] else []
    yield from paper.flow("", [*_held(paper, seen["artifacts"]), *rubble])


def _weeks(paper: Paper, card: Board) -> str:
    return paper.say("weeks", n=number(card.get("weeks")))


DRAWINGS: dict[str, Drawing] = {
    "track": track,
    "storage": storage,
    "exhibitions": exhibitions,
    "museums": museums,
    "deck": deck,
    "professors": professors,
    "task": task,
    "chart": chart,
    "seats": players,
    "you.hand": hand,
    "you.unknown": unknown,
    "you.look": look,
}
"""Who draws which piece."""

SILENT = frozenset({"phase", "way", "thief", "cards", "regions", "gone", "scores", "congresses", "house"})
"""What another piece shows with its own."""
