"""Views as the service sends them, one for each thing a screen can be asked to show."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from companion import boxes

View = dict[str, Any]

SEATS = [
    {"name": "Ada", "colour": "#c8553d", "shape": "circle"},
    {"name": "Béatrice", "colour": "#2f7fae", "shape": "square"},
    {"name": "Carlo", "colour": "#5f8f3a", "shape": "triangle"},
    {"name": "Dörte", "colour": "#e0a526", "shape": "diamond"},
    {"name": "Eve", "colour": "#7d5ba6", "shape": "hexagon"},
    {"name": "Fred", "colour": "#3c8d86", "shape": "star"},
]
MINUTE = 60_000
START = 1_767_000_000_000


def _log(lines: list[tuple[int | None, Mapping[str, Any]]]) -> list[View]:
    return [
        {"seq": i + 1, "at": START + i * MINUTE, "by": "host", "seat": seat, "kind": "move", "undone": False, "what": what}
        for i, (seat, what) in enumerate(lines)
    ]


def _view(box: str, seats: int, tools: list[str], board: Mapping[str, Any], log: list[View]) -> View:
    return {
        "table": "k7f3x",
        "box": box,
        "mode": "toolbox",
        "seq": len(log),
        "over": False,
        "closed": False,
        "ask": {"kind": "move", "seat": 0, "seats": list(range(seats)), "options": {}},
        "board": {"tools": tools, **board},
        "you": None,
        "me": {"role": "host", "seat": None},
        "seats": SEATS[:seats],
        "log": log,
        "seal": "7d" * 32,
        "secret": None,
        "luck": {"draws": 12, "stirs": 1},
        "undo": {"open": True, "to": 3, "why": None, "redo": None},
        "pace": "flow",
        "sources": {"default": "companion"},
        "options": {},
        "rules": 1,
    }


COLOURS = {"greece": "#e8622f", "crete": "#8e2a5b", "egypt": "#e9c832", "palestine": "#5f8f3a", "mesopotamia": "#2f7fae"}


def jenseits() -> View:
    """A dig: bags, dial at 4, four markers, two of them on one week."""
    track = {
        "weeks": 52,
        "ring": True,
        "years": [1901, 1902, 1903],
        "year": 1902,
        "end": {"week": 1, "year": 1904},
        "markers": [
            {"seat": 0, "week": 9, "year": 1902, "at": 60, "height": 0},
            {"seat": 1, "week": 9, "year": 1902, "at": 60, "height": 1},
            {"seat": 2, "week": 23, "year": 1902, "at": 74, "height": 0},
            {"seat": 3, "week": 50, "year": 1902, "at": 101, "height": 0},
        ],
        "next": [1, 0, 2, 3],
    }
    left = {"greece": 27, "crete": 30, "egypt": 22, "palestine": 30, "mesopotamia": 18}
    board = {
        "track": track,
        "dial": {"knowledge": 4, "tokens": [0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5], "from": "rules"},
        "bags": [{"bag": bag, "colour": COLOURS[bag], "left": n, "start": 30, "inside": {"blank": 16}} for bag, n in left.items()],
        "drawing": None,
        "finds": [
            [{"bag": "egypt", "token": "object:4"}, {"bag": "egypt", "token": "book:mesopotamia"}, {"bag": "greece", "token": "object:6"}],
            [],
            [{"bag": "mesopotamia", "token": "object:3"}, {"bag": "mesopotamia", "token": "open_book"}],
            [{"bag": "crete", "token": "object:2"}],
        ],
        "points": [12, 4, 9, 0],
        "cue": None,
    }
    log = _log(
        [
            (0, {"type": "advance", "whose": "Ada", "n": 4}),
            (0, {"type": "draw", "whose": "Ada", "n": 2, "bag": "egypt"}),
            (0, {"type": "token", "whose": "Ada", "token": "object:4", "bag": "egypt", "nth": 1, "of": 2}),
            (0, {"type": "token", "whose": "Ada", "token": "blank", "bag": "egypt", "nth": 2, "of": 2}),
        ]
    )
    return _view("jenseits", 4, ["track", "dial", "bags", "points"], board, log)


def jenseits_drawing() -> View:
    """In the middle of a draw, waiting for a press."""
    view = jenseits()
    view["board"]["drawing"] = {"bag": "egypt", "seat": 1, "of": 5, "drawn": ["blank", "object:5", "book:mesopotamia"]}
    view["ask"] = {
        "kind": "chance",
        "question": "token egypt",
        "randomizer": "tokens",
        "source": "companion",
        "seat": 1,
        "waits": True,
        "odds": [["blank", 15], ["object:1", 3], ["object:2", 2], ["object:3", 3], ["object:5", 1], ["open_book", 1]],
        "facts": {"site": "egypt", "nth": 4, "of": 5},
    }
    view["pace"] = "press"
    view["undo"] = {"open": True, "to": 1, "why": "undo.revealed", "redo": None}
    return view


def jenseits_reporting() -> View:
    """The table draws from its own bag and reports."""
    view = jenseits_drawing()
    view["ask"]["source"] = "table"
    view["sources"] = {"default": "companion", "tokens": "table"}
    return view


def jenseits_over() -> View:
    view = jenseits()
    view["over"] = view["closed"] = True
    view["secret"] = "ab" * 32
    view["ask"] = {
        "kind": "over",
        "scores": [{"seat": i, "total": n, "parts": {"points": n}} for i, n in enumerate([12, 4, 9, 0])],
        "winners": [0],
    }
    view["undo"] = {"open": False, "to": None, "why": "undo.over", "redo": None}
    return view


def tomb_raiders() -> View:
    """Region piles that nobody may count, and weeks without end."""
    view = jenseits()
    piles = ["greece", "crete", "egypt", "mesopotamia"]
    view["box"] = "tomb_raiders"
    view["board"]["tools"] = ["track", "dial", "bags", "points"]
    view["board"]["bags"] = [{"bag": pile, "colour": COLOURS[pile], "left": None, "start": None, "inside": None} for pile in piles]
    view["board"]["dial"] = {"knowledge": 7, "tokens": [1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6], "from": "house"}
    view["board"]["track"] |= {"years": None, "year": None, "end": None}
    for marker in view["board"]["track"]["markers"]:
        marker["year"] = None
    view["board"]["finds"] = [[], [], [], []]
    return view


def horus() -> View:
    """Three blocks have fallen; a mummy has just walked round a corner."""
    plan = boxes.load("horus").plan  # type: ignore[union-attr]
    areas = {
        "den": [str(n) for n in range(1, 17)],
        "sand": [str(n) for n in range(17, 31)],
        "pond": [str(n) for n in range(31, 37)],
    }
    board = {
        "dice": {"faces": 6, "count": 5, "colours": ["green", "yellow", "blue", "black", "red"], "rolled": [3, 5, 2, 6, 1], "rolling": 0},
        "blocks": {"of": 36, "left": 33, "fallen": [13, 28, 35], "drawn": 35},
        "plan": {
            "grid": [list(row) for row in plan.grid],
            "walls": [list(wall) for wall in plan.walls],
            "corridor": {name: list(way) for name, way in plan.corridor.items()},
            "entrances": list(plan.entrances),
            "areas": areas,
            "from": "house",
        },
        "mummies": [
            {"mummy": "initkaes", "square": "A5", "towards": "NW", "stretch": "left", "walked": ["A4", "A5"]},
            {"mummy": "sanakht", "square": "H3", "towards": "H4", "stretch": "far", "walked": ["H3"]},
            {"mummy": "imhotep", "square": "T4", "towards": "T5", "stretch": "right", "walked": ["T4"]},
        ],
        "points": [6, 0, 3, 10, 2, 0],
        "finds": [[]] * 6,
        "cue": None,
    }
    log = _log([(0, {"type": "roll", "n": 5}), (0, {"type": "walk", "n": 2}), (0, {"type": "fall", "block": 35})])
    return _view("horus", 6, ["dice", "blocks", "mummies", "points"], board, log)


CARDS = [
    ["earth", "mosquito", "snake_head", "snake_body"],
    ["snake_tail", "scorpion", "mask", "obelisk_base"],
    ["obelisk_middle", "obelisk_top", "vase_alabaster", "vase_faience"],
    ["bracelet", "chain", "pectoral", "falcon"],
]
VALUES = {
    "mosquito": -1, "snake_head": -2, "scorpion": -3, "mask": -10, "obelisk_base": 1, "obelisk_middle": 0, "obelisk_top": 2, "snake_body": 0,
    "snake_tail": 1, "vase_alabaster": 3, "vase_faience": 1, "bracelet": 2, "chain": 1, "pectoral": 4, "falcon": 2, "earth": 0,
}  # fmt: skip


def tutankhamun() -> View:
    """Every card once, in every depth; two squares bare or covered."""
    squares: list[View] = [
        {"square": f"{'abcd'[c]}{r + 1}", "depth": (r * 4 + c) % 6 + 1, "top": card} for r, row in enumerate(CARDS) for c, card in enumerate(row)
    ]
    squares[5] |= {"depth": 0, "top": None}
    squares[10] |= {"top": None}
    board = {"tray": {"side": 4, "layers": 6, "squares": squares, "value": VALUES}, "points": [13, 27, -4, 41], "finds": [[]] * 4, "cue": None}
    log = _log([(0, {"type": "uncover", "square": "b2"}), (0, {"type": "award", "whose": "Ada", "n": 3})])
    return _view("tutankhamun", 4, ["tray", "points", "shovel"], board, log)


ALL: dict[str, Callable[[], View]] = {
    each.__name__: each for each in (jenseits, jenseits_drawing, jenseits_reporting, jenseits_over, tomb_raiders, horus, tutankhamun)
}


def shown(name: str, **changes: Any) -> View:
    """A view by its name, with some parts changed."""
    return copy.deepcopy(ALL[name]()) | changes
