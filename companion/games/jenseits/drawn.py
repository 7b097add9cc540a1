"""The referee's table of Jenseits von Theben, drawn: cards, exhibitions, piles, and what each player has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.drawing.paper import NOTHING, Board, Drawing, Paper, aligned, listed, maps, number, of, with_count
from companion.drawing.tools import TOOLS, bags, finds_lines
from companion.game import Json


def open_cards(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Card under card, with its city and its weeks; and what four others would cost."""
    rows = []
    for place, card in enumerate(maps(lies), 1):
        what = [paper.said(card["face"]), paper.said(card["city"]), _weeks(paper, card)] if card else [NOTHING, "", ""]
        rows.append([str(place), *what])
    home = of(board.get("map")).get("home")
    rows.append(["▸", paper.said("refresh"), paper.said(home), _weeks(paper, of(board.get("refresh")))])
    yield from aligned(rows)


def exhibitions(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Exhibition under exhibition: its weeks, its points, and what it asks for."""
    rows, asked = [], []
    for place, shown in of(lies).items():
        card = of(shown)
        what = [NOTHING, "", ""]
        if card:
            what = [paper.said(card["face"]), _weeks(paper, card), paper.say("points", n=number(card["points"]))]
        rows.append([place, *what])
        asked.append([f"{paper.said(site)} {count}" for site, count in of(card.get("objects")).items()])
    heads = list(aligned(rows))
    width = max(map(len, heads), default=0)
    for head, objects in zip(heads, asked, strict=True):
        yield from paper.flow(f"{head:{width}}  ", objects)


def piles(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """How many cards lie in each pile, and what is known of them."""
    heap = of(lies)
    parts = [_part(paper, part) for part in maps(heap["parts"])]
    rows = [[paper.said("at_pile"), str(heap["draw"]), *(parts[:1] or [""])], *(["", "", part] for part in parts[1:])]
    if heap["aside"]:
        rows.append([paper.said("at_aside"), str(heap["aside"]), ""])
    top = of(heap.get("top"))
    on_top = paper.say("on_top", card=paper.said(top["face"])) if top else ""
    rows.append([paper.said("at_discards"), str(heap["discards"]), on_top])
    yield from aligned(rows, right=[1])


def _part(paper: Paper, part: Board) -> str:
    shown = len(listed(part["exhibitions"]))
    return paper.say("pile_with" if shown else "pile", n=shown, research=number(part["research"]))


def bags_and_sites(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The bags; and what waits on the sites for the first to dig there."""
    yield from bags(paper, board, lies)
    sites = [site for site in maps(of(board["map"])["sites"]) if site["first_find"] is not None]
    if sites:
        waiting = (f"{paper.said(site['id'])} {paper.token(site['first_find'])}" for site in sites)
        yield from paper.flow(f"{paper.said('at_site')}: ", waiting)


def players(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """For each seat: where and when it is, its points, what it knows, its cards, and its finds."""
    labels = [paper.said(label) for label in ("knowledge", "cards", "finds")]
    width = max(map(len, (*labels, *paper.names))) + 4
    order = listed(of(board.get("track")).get("next"))
    kept = listed(board.get("finds"))
    for seat, mine in enumerate(maps(lies)):
        mark = "▸ " if order and order[0] == seat else "  "
        yield from paper.flow(f"{mark + paper.name(seat):{width}}", _stands(paper, board, seat, mine))
        lines = [_knows(paper, mine), _cards(paper, mine), finds_lines(paper, kept[seat])]
        for label, parts in zip(labels, lines, strict=True):
            if parts:
                yield from paper.flow(f"  {label:{width - 2}}", parts)


def _stands(paper: Paper, board: Board, seat: int, mine: Board) -> list[str]:
    mark = next(mark for mark in maps(of(board["track"])["markers"]) if mark["seat"] == seat)
    score = next(score for score in maps(board["scores"]) if score["seat"] == seat)
    parts = [f"{paper.said(part)} {points}" for part, points in of(score["parts"]).items() if points]
    total = paper.say("points", n=number(score["total"])) + (":" if parts else "")
    return [paper.said(mine["place"]), f"{mark['year']}/{mark['week']}", total, *parts]


def _knows(paper: Paper, mine: Board) -> list[str]:
    """The sites it knows about, how much, what its ethnology card would add, and which permits have been used."""
    parts = []
    for site, known in of(mine["knowledge"]).items():
        total, adds = number(of(known)["total"]), number(of(known)["ethnology"])
        used = "" if of(mine["permits"])[site] else f" ({paper.say('used')})"
        if total or adds or used:
            parts.append(f"{paper.said(site)} {total}{f'+{adds}' if adds else ''}{used}")
    return parts


def _cards(paper: Paper, mine: Board) -> list[str]:
    faces = Counter(paper.said(card["face"]) for card in maps(mine["cards"]))
    return [with_count(face, count) for face, count in sorted(faces.items())]


def dial(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What the dial shows whoever is next for each site about which they have books: tokens for 1 to 12 weeks."""
    order = listed(of(board.get("track")).get("next"))
    if not order:
        return
    mine = maps(board["seats"])[number(order[0])]
    known = {site: of(each) for site, each in of(mine["knowledge"]).items()}
    digs = {site: number(each["total"]) for site, each in known.items() if each["books"]}
    if not digs:
        return
    table = [[paper.said("weeks"), "", *map(str, range(1, 13))]]
    for site, points in digs.items():
        tokens = listed(listed(of(lies)["rows"])[points - 1])
        table.append([paper.said(site), str(points), *map(str, tokens)])
    yield from aligned(table, right=range(1, 14))


def _weeks(paper: Paper, card: Board) -> str:
    return paper.say("weeks", n=number(card["weeks"]))


DRAWINGS: dict[str, Drawing] = TOOLS | {
    "open": open_cards,
    "exhibitions": exhibitions,
    "piles": piles,
    "seats": players,
    "dial": dial,
    "bags": bags_and_sites,
}
"""Who draws which piece."""

SILENT = frozenset({"phase", "map", "finds", "refresh", "scores", "congresses"})
"""What another piece shows with its own."""
