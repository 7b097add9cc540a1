"""The referee's table of The Pyramid of Horus, drawn: the plan with all that stands on it, and everybody's cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from companion.drawing.paper import NOTHING, Board, Drawing, Paper, aligned, listed, maps, number, of, with_count
from companion.drawing.tools import TOOLS, told_apart
from companion.game import Json
from companion.refusals import AsTyped

ROOM = 10
"""So many characters a square is wide."""
IN, CLOSED, OPEN, ALCOVE = "^", "=", "u", "n"
"""Before a way in; behind the squares of a closed sarcophagus, of an open one that is not empty, of a closed alcove."""
GROUND = {"den": ".", "sand": ":", "pond": "~"}
"""Behind the squares of each area."""


def phase(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What is going on, and who has the dice."""
    keeper = f"{paper.say('keeper')}: {paper.name(board['keeper'])}"
    at_turn = [] if board["turn"] is None else [f"▸ {paper.name(board['turn'])}"]
    yield from paper.flow("", [paper.say(f"phase_{lies}"), str(board["round"] or ""), keeper, *at_turn])


def plan(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The pyramid from above, with its walls: blocks as ##, adventurers by # and their seat, mummies by ! and as many
    letters as tell them apart; by _ those that lie. What is on the squares themselves is told beneath."""
    drawing = of(lies)
    called = _squares(board, drawing)
    stands: dict[str, list[str]] = {}
    for mine in maps(board["seats"]):
        if mine["square"]:
            stands.setdefault(str(mine["square"]), []).append(f"#{number(mine['seat']) + 1}")
    short = told_apart([paper.said(mummy["mummy"]) for mummy in maps(board["mummies"])])
    for mummy in maps(board["mummies"]):
        sign = ("_" if mummy["lying"] else "!") + short[paper.said(mummy["mummy"])]
        stands.setdefault(str(mummy["square"]), []).insert(0, sign)
    fallen = {str(block) for block in listed(of(board["blocks"])["fallen"])}
    walls = {frozenset(map(str, listed(wall))) for wall in listed(drawing["walls"])}
    rows = [[str(square) for square in listed(row)] for row in listed(drawing["grid"])]
    for nth, row in enumerate(rows):
        cells = [_cell(called.get(square, ""), square in fallen, stands.get(square, [])) for square in row]
        right = ["|" if frozenset(pair) in walls else " " for pair in pairwise((*row, ""))]
        mark = paper.marked(" ", drawing.get("from")).rstrip() if row is rows[-1] else ""
        yield "".join(map("".join, zip(cells, right, strict=True))).rstrip() + mark
        under = rows[(nth + 1) % len(rows)]
        below = [
            "-" * ROOM + " " if frozenset(pair) in walls else " " * (ROOM + 1) for pair in zip(row, under, strict=True)
        ]
        if any(map(str.strip, below)):
            yield "".join(below).rstrip()

    grounds = (f"{sign} {paper.said(area)}" for area, sign in GROUND.items())
    yield from paper.flow("", [f"{IN} {paper.say('entrance')}", *grounds])
    built = {CLOSED: "closed_tomb", OPEN: "open_tomb", ALCOVE: "closed_alcove"}
    yield from paper.flow("", (f"{sign} {paper.say(what)}" for sign, what in built.items()))


def _squares(board: Board, drawing: Board) -> dict[str, str]:
    """What each square is called on the plan, with the signs of what is there."""
    called = {str(square): str(square) for row in listed(drawing["grid"]) for square in listed(row) if square}
    for area, squares in of(drawing["areas"]).items():
        for square in listed(squares):
            called[str(square)] += GROUND[area]
    for square in listed(drawing["entrances"]):
        called[str(square)] = IN + called[str(square)]
    for tomb in maps(board["sarcophagi"]):
        called[str(tomb["square"])] += "" if tomb["looted"] else OPEN if tomb["open"] else CLOSED
    closed = {str(idol["god"]) for idol in maps(board["idols"]) if idol["in_alcove"]}
    for god, squares in of(drawing["alcoves"]).items():
        for square in listed(squares) if god in closed else ():
            called[str(square)] += ALCOVE
    return called


def _cell(square: str, is_fallen: bool, stands: list[str]) -> str:
    """A square in so many characters: its name, and who stands there as far as there is room."""
    if is_fallen:
        return "##".center(ROOM)
    return " ".join([square, *stands])[:ROOM].center(ROOM)


def blocks(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """How many are left of how many, and which have fallen."""
    box = of(lies)
    yield from paper.flow(f"{box['left']}/{box['of']}   ", map(str, listed(box["fallen"])))


def mummies(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """Where each is, and where it goes next."""
    rows = []
    for each in maps(lies):
        lying = paper.say("lying") if each["lying"] else ""
        rows.append([paper.said(each["mummy"]), f"{each['square']} → {each['towards']}", lying])
    yield from aligned(rows)


def dice(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """The dice as they lie, by their colours: for actions, for the mummies, for a lock."""
    cloth = of(lies)
    rows = [("", *(paper.said(colour) for colour in listed(cloth["colours"])))]
    for roll in ("action", "mummy", "lock"):
        faces = [f"[{NOTHING if face is None else face}]" for face in listed(cloth[roll])]
        rows += [(paper.said(f"{roll}_dice"), *faces)] if faces else []
    yield from aligned(rows) if len(rows) > 1 else ()


def decks(paper: Paper, _: Board, lies: Json) -> Iterator[str]:
    """What is left to be searched."""
    yield from paper.flow("", (f"{paper.said(each['area'])} {each['left']}/{each['of']}" for each in maps(lies)))


def _ours(board: Board, what: str) -> str | None:
    """Whether what such a thing bears is our own figure."""
    return "house" if what in listed(board["house"]) else None


def _worth(paper: Paper, board: Board, card: Board) -> str:
    kind = f"{card['kind']}-{card['god']}" if card["god"] else str(card["kind"])
    return paper.marked(paper.say("worth", n=number(card["value"])), _ours(board, kind))


def sarcophagi(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """God by god, where they stand: closed, and read by whom; open, with what lies there."""
    tombs = maps(lies)
    for god in dict.fromkeys(str(each["god"]) for each in tombs):
        parts = (_tomb(paper, board, each) for each in tombs if each["god"] == god and not each["looted"])
        yield from paper.flow(f"{paper.said(god)}  ", parts)


def _tomb(paper: Paper, board: Board, tomb: Board) -> str:
    card = of(tomb["card"])
    if card:
        return f"{tomb['square']}{OPEN} {_worth(paper, board, card)}"
    read = "" if tomb["read_by"] is None else f" {paper.say('read_by', who=AsTyped(paper.name(tomb['read_by'])))}"
    return f"{tomb['square']}{CLOSED}{read}"


def idols(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """Which god's lies where, what its lock wants, and which die it curses."""
    rows = []
    for each in maps(lies):
        holder = paper.name(each["holder"]) if each["holder"] is not None else ""
        lock = "-".join(str(face) for face in listed(each["lock"])) if each["in_alcove"] else holder or NOTHING
        value = paper.marked(str(each["value"]), _ours(board, f"idol-{each['god']}"))
        rows.append([paper.said(each["god"]), value, lock, paper.said(each["colour"])])
    yield from aligned(rows, right=[1])


def seats(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """For each seat: who it is, where, how far loaded, its open cards, and the dice that are cursed for it."""
    cloth = of(board["dice"])
    colours = dict(zip(map(str, listed(cloth["gods"])), map(str, listed(cloth["colours"])), strict=True))
    for mine in maps(lies):
        who = paper.said(mine["adventurer"]) if mine["adventurer"] else NOTHING
        where = str(mine["square"]) if mine["square"] else paper.say(f"fate_{mine['fate']}")
        loaded = [
            paper.say("cards", n=number(mine["cards"])),
            paper.marked(paper.say("level", n=number(mine["level"])), _ours(board, f"level-{mine['level']}")),
            paper.say("actions", n=number(mine["actions"])),
        ]
        mark = "▸ " if mine["seat"] == board["turn"] else "  "
        yield from paper.flow(f"{mark}#{number(mine['seat']) + 1} ", [paper.name(mine["seat"]), who, where, *loaded])
        held: dict[str, int] = {}
        for card in maps(mine["open"]):
            name = " ".join(paper.said(card[part]) for part in ("kind", "god") if card[part])
            held[name] = held.get(name, 0) + 1
        hidden = [paper.say("hidden", n=len(listed(mine["backs"])))] if mine["backs"] else []
        curses = [colours[god] for god in map(str, listed(mine["cursed"]))]
        cursed = [paper.say("cursed", dice=curses)] if curses else []
        parts = [*(with_count(name, count) for name, count in held.items()), *hidden, *cursed]
        if parts:
            yield from paper.flow("     ", parts)


def shown(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """The card that was just drawn."""
    each, card = of(lies), of(of(lies)["card"])
    worth = [_worth(paper, board, card)] if card["value"] else []
    what = [paper.said(card[part]) for part in ("kind", "god") if card[part]]
    yield from paper.flow("", [paper.name(each["seat"]), *what, *worth])


DRAWINGS: dict[str, Drawing] = TOOLS | {
    "phase": phase,
    "plan": plan,
    "blocks": blocks,
    "mummies": mummies,
    "dice": dice,
    "decks": decks,
    "sarcophagi": sarcophagi,
    "idols": idols,
    "seats": seats,
    "shown": shown,
}
"""Who draws which piece."""

SILENT = frozenset(
    {
        "asking",
        "turn",
        "round",
        "keeper",
        "order",
        "reachable",
        "one_way",
        "cast_off",
        "level_table",
        "most_cards",
        "secrecy",
        "odds",
        "house",
        "adventurers",
    }
)
"""What another piece shows with its own."""
