"""The pieces drawn in plain characters, for the terminal. What it does not know it writes out in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.game import Json
from companion.words import catalogue, spoken

Board = Mapping[str, Json]
MARGIN = 14
SILENT = {"tools", "cue", "last_draw", "value", "walls"}


class Pen:
    """Draws for one table: knows the language and who sits where."""

    def __init__(self, language: str, names: Sequence[str]) -> None:
        self.words = catalogue(language)
        self.names = names
        self._drawings: dict[str, Callable[[Board, Json], Iterator[str]]] = {
            "track": self._track,
            "dial": self._dial,
            "bags": self._bags,
            "finds": self._finds,
            "points": self._points,
            "dice": self._dice,
            "blocks": self._blocks,
            "plan": self._plan,
            "mummies": self._mummies,
            "tray": self._tray,
        }

    def draw(self, board: Board) -> Iterator[str]:
        """The board, piece under piece, each with its name before its first line."""
        for piece, lies in board.items():
            if lies in (None, [], {}) or piece in SILENT:
                continue
            title = self.said(piece)
            for line in self._drawings.get(piece, self._plainly)(board, lies):
                yield f"{title:{MARGIN}}{line}"
                title = ""

    def said(self, thing: Json) -> str:
        """A thing by its name."""
        if isinstance(thing, str):
            return spoken(self.words, thing)
        return "–" if thing is None else str(thing)

    def name(self, seat: Json) -> str:
        """Who sits on a seat."""
        return self.names[seat] if isinstance(seat, int) else "?"

    def _track(self, _: Board, track: Json) -> Iterator[str]:
        marks = _of(track)
        order = [self.name(seat) for seat in _list(marks.get("next"))]
        where = [
            f"{self.name(mark['seat'])} {'' if mark.get('year') is None else str(mark['year']) + '/'}{mark['week']}"
            for mark in sorted(map(_of, _list(marks["markers"])), key=lambda mark: int(str(mark["at"])))
        ]
        yield "  ".join(where) + (f"   ▸ {order[0]}" if order else "")

    def _dial(self, _: Board, dial: Json) -> Iterator[str]:
        tokens = _list(_of(dial).get("tokens"))
        yield f"{self.said('knowledge')} {_of(dial).get('knowledge', '–')}"
        yield "  ".join(f"{week:>2}" for week in range(1, 13)) + f"  {self.said('weeks')}"
        if tokens:
            yield "  ".join(f"{count:>2}" for count in tokens[-12:]) + f"  {self.said('tokens')}"

    def _bags(self, _: Board, bags: Json) -> Iterator[str]:
        for bag in _maps(bags):
            inside = "  ".join(f"{self._token(token)}×{count}" for token, count in _of(bag.get("inside")).items())
            yield f"{self.said(bag['bag']):13}{'?' if bag['left'] is None else bag['left']:>3}   {inside}".rstrip()

    def _token(self, token: str) -> str:
        return f"[{token.removeprefix('object:')}]" if token.startswith("object:") else self.said(token) + " "

    def _finds(self, _: Board, finds: Json) -> Iterator[str]:
        for seat, kept in enumerate(_list(finds)):
            told = ", ".join(f"{self.said(find['token'])} ({self.said(find['bag'])})" for find in _maps(kept))
            yield f"{self.names[seat]:13}{told or '–'}"

    def _points(self, _: Board, points: Json) -> Iterator[str]:
        yield "  ".join(f"{self.names[seat]} {have}" for seat, have in enumerate(_list(points)))

    def _dice(self, _: Board, dice: Json) -> Iterator[str]:
        rolled = _list(_of(dice).get("rolled"))
        yield " ".join(f"[{face}]" for face in rolled) or "–"

    def _blocks(self, _: Board, blocks: Json) -> Iterator[str]:
        box = _of(blocks)
        yield f"{box['left']}/{box['of']}   " + " ".join(str(number) for number in _list(box.get("fallen")))

    def _plan(self, board: Board, plan: Json) -> Iterator[str]:
        fallen = {str(number) for number in _list(_of(board.get("blocks")).get("fallen"))}
        stands = {str(mummy["square"]): str(mummy["mummy"])[0].upper() for mummy in _maps(board.get("mummies"))}
        for row in _list(_of(plan)["grid"]):
            squares = [str(square) for square in _list(row)]
            yield "".join(f"{'##' if square in fallen else square + stands.get(square, ''):^5}" for square in squares)

    def _mummies(self, _: Board, mummies: Json) -> Iterator[str]:
        for mummy in _maps(mummies):
            yield f"{self.said(mummy['mummy']):13}{mummy['square']} → {mummy['towards']}"

    def _tray(self, _: Board, tray: Json) -> Iterator[str]:
        squares = [_of(square) for square in _list(_of(tray)["squares"])]
        side = int(str(_of(tray)["side"]))
        for row in range(0, len(squares), side):
            yield "".join(
                f"{square['square']} {self._top(square)[:13]:14}{square['depth']}  "
                for square in squares[row : row + side]
            ).rstrip()

    def _top(self, square: Board) -> str:
        top = square.get("top")
        return self.said(_of(top).get("card") if isinstance(top, Mapping) else top)

    def _plainly(self, _: Board, lies: Json) -> Iterator[str]:
        if isinstance(lies, Sequence) and not isinstance(lies, str) and any(isinstance(part, Mapping) for part in lies):
            yield from (self._in_words(part) for part in lies)
        else:
            yield self._in_words(lies)

    def _in_words(self, value: Json) -> str:
        if isinstance(value, Mapping):
            kept = {key: part for key, part in value.items() if part not in (None, [], {}) and key not in SILENT}
            return "  ".join(f"{self.said(key)} {self._part(key, part)}" for key, part in kept.items())
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ", ".join(self._in_words(part) for part in value)
        return self.said(value)

    def _part(self, key: str, part: Json) -> str:
        if key == "seat":
            return self.name(part)
        told = self._in_words(part)
        return f"({told})" if isinstance(part, Mapping) else told


def _of(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _maps(value: Json) -> list[Mapping[str, Json]]:
    return [_of(part) for part in _list(value)]
