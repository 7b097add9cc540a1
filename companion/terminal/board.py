"""The pieces drawn in plain characters, for the terminal. What it does not know it writes out in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion import games
from companion.drawing.paper import MARGIN, OURS, Board, Drawing, Paper
from companion.drawing.tools import SILENT, TOOLS
from companion.game import Json

YOU = "you."
"""Goes before the name of a drawing of what one seat alone sees."""


def board_lines(paper: Paper, board: Board, area: str) -> Iterator[str]:
    """The board, piece under piece, each with its name before its first line.

    :param area: the box that is refereed, or ``toolbox``.
    """
    yield from _pieces(paper, board, *_drawings(area))
    if paper.has_ours:
        yield OURS + " " + paper.say("house")


def held(paper: Paper, hand: Board, area: str) -> Iterator[str]:
    """What one seat alone sees; its drawings go by ``you.`` and the name."""
    drawings, silent = _drawings(area)
    own = {name.removeprefix(YOU): drawing for name, drawing in drawings.items() if name.startswith(YOU)}
    yield from _pieces(paper, hand, own, silent)


def _pieces(paper: Paper, board: Board, drawings: Mapping[str, Drawing], silent: frozenset[str]) -> Iterator[str]:
    for piece, lies in board.items():
        if lies in (None, [], {}) or piece in silent:
            continue
        title = paper.said(piece)
        for line in drawings[piece](paper, board, lies) if piece in drawings else plainly(paper, lies):
            if len(title) >= MARGIN:
                yield title
                title = ""
            yield f"{title:{MARGIN}}{line}".rstrip()
            title = ""


def _drawings(area: str) -> tuple[Mapping[str, Drawing], frozenset[str]]:
    """Who draws each piece, and which need no drawing: a refereed box has drawings of its own."""
    refereed = games.bundle(area).refereed if area in games.names() else None
    if refereed is None:
        return TOOLS, SILENT
    game = refereed()
    return TOOLS | dict(game.drawings), SILENT | game.silent


def news(paper: Paper, before: Board, board: Board, area: str) -> Iterator[str]:
    """What has changed of the parts of the board that say more than the log may keep."""
    refereed = games.bundle(area).refereed if area in games.names() else None
    told = refereed().news if refereed else ()
    changed = {piece: board[piece] for piece in told if board.get(piece) and board[piece] != before.get(piece)}
    drawings, _ = _drawings(area)
    for piece, lies in changed.items():
        yield from (f"{paper.said(piece)}: {line}" for line in drawings[piece](paper, board, lies))


def plainly(paper: Paper, lies: Json) -> Iterator[str]:
    """A piece in words."""
    if isinstance(lies, Sequence) and not isinstance(lies, str) and any(isinstance(part, Mapping) for part in lies):
        for part in lies:
            yield from paper.flow("", [_in_words(paper, part)])
    else:
        yield _in_words(paper, lies)


def _in_words(paper: Paper, value: Json) -> str:
    if isinstance(value, Mapping):
        kept = {key: part for key, part in value.items() if part not in (None, [], {}) and key not in SILENT}
        return "  ".join(f"{paper.said(key)} {_part(paper, key, part)}" for key, part in kept.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_in_words(paper, part) for part in value)
    return paper.said(value)


def _part(paper: Paper, key: str, part: Json) -> str:
    if key == "seat":
        return paper.name(part)
    told = _in_words(paper, part)
    return f"({told})" if isinstance(part, Mapping) else told
