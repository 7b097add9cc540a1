"""The keepsake: the table as it lay at the end, on a sheet of A5 at 300 dots an inch. What every game's has is here."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace
from PIL import Image

from companion.game import Finished, Score, Seat
from companion.keepsake.lettering import filled, writable
from companion.keepsake.panel import (
    BRASS,
    CLAY,
    DUNE,
    FAINT,
    INK,
    IVORY,
    LAPIS,
    LAURELS,
    PAPER,
    KeepsakePanel,
    Panels,
    PanelSay,
    Point,
    Room,
    on_circle,
    sign_of,
)
from companion.keepsake.pencil import Pencil

WIDE, HIGH = 2480, 1748
AROUND = Room(66, 212, 1150, 1450)
BELOW = Room(1170, 890, 2340, 1625)
SCORES = Room(1170, 280, 2340, 818)
"""Where the scores of four parts lie; of more or fewer they end further down or up, and what is below begins there."""
GAP = 72
HEAD, ROW = 128, 82
MOST_ROWS = 560  # so high are the rows together at most
HEADS = ((44, 1), *((size, 2) for size in range(34, 27, -1)), *((size, 3) for size in range(24, 19, -1)))
"""The sizes of a name above its column, and on how many lines."""
GOLD = "#f5e3b4"
WREATH = 212  # room inside the laurels
LONGEST = 26  # letters of a name


class KeepsakeSheet(NamedTuple):
    """What a keepsake tells of any game.

    :param title: of the box.
    :param called: what a part of the score is called, and ``total``.
    :param seal: the seal of the luck, in hexadecimal digits.
    :param head: the newest link of the chain of entries, in hexadecimal digits; so many are written as are enough.
    :param note: in small print: which table, and when it was played.
    """

    title: str
    seats: tuple[Seat, ...]
    end: Finished
    say: PanelSay
    called: Callable[[str], str]
    seal: str = ""
    note: str = ""
    head: str = ""


def keepsake(sheet: KeepsakeSheet, panels: Panels, game: Any, state: Any) -> bytes:
    """The sheet as a PNG."""
    out = io.BytesIO()
    picture_of(sheet, panels, game, state).save(out, "PNG", dpi=(300, 300))
    return out.getvalue()


def picture_of(sheet: KeepsakeSheet, panels: Panels, game: Any, state: Any) -> Image.Image:
    """The sheet, drawn."""
    seats = tuple(replace(seat, name=name_of(seat, sheet.say)) for seat in sheet.seats)
    sheet = sheet._replace(seats=seats)
    panel = KeepsakePanel(game, state, seats, AROUND, sheet.say)
    pencil = Pencil(Image.new("RGB", (WIDE, HIGH), PAPER))
    _desert(pencil)
    _frame(pencil)
    _title(pencil, sheet.title)
    panels.around(pencil, panel)
    _winner(pencil, sheet)
    bottom = _scores(pencil, sheet)
    panels.below(pencil, panel._replace(room=BELOW._replace(top=bottom + GAP)))
    _seal(pencil, sheet)
    return pencil.picture


def name_of(seat: Seat, say: PanelSay) -> str:
    """A name as far as letters here can write it and as it has room; a name of other letters is that of its sign."""
    name = writable("bold", seat.name).strip() or say(f"name.{sign_of(seat)[1]}")
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"


def signed(points: int) -> str:
    """Points with a minus sign that is as wide as a digit."""
    return str(points).replace("-", "−")


def _desert(pencil: Pencil) -> None:
    """Dunes and three pyramids along the lower edge, faint enough to write on."""
    for height, swing, shift, shade in ((250, 46, 0.4, "#efe0bf"), (170, 38, 2.2, "#ebdab4"), (90, 30, 4.1, "#e6d3a8")):
        crest = [
            (float(x), HIGH - height - swing * math.sin(x / WIDE * 2 * math.pi * 1.15 + shift))
            for x in range(0, WIDE + 40, 40)
        ]
        if height == 170:
            for left, base, tall in ((1052, 110, 68), (958, 170, 106)):
                _pyramid(pencil, left, HIGH - 172, base, tall)
        pencil.polygon([*crest, (WIDE, HIGH), (0, HIGH)], shade)


def _pyramid(pencil: Pencil, left: float, foot: float, base: float, tall: float) -> None:
    top = (left + base * 0.5, foot - tall)
    pencil.polygon([(left, foot), top, (left + base, foot)], "#e2cb98")
    pencil.polygon([(left + base * 0.62, foot), top, (left + base, foot)], "#d3b77f")


def _frame(pencil: Pencil) -> None:
    for inset, width, ink in ((44, 8, BRASS), (64, 3, INK)):
        pencil.lines.rectangle((inset, inset, WIDE - inset - 1, HIGH - inset - 1), outline=ink, width=width)


def _title(pencil: Pencil, title: str) -> None:
    """The name of the game, between two rows of pyramids where it leaves room for them."""
    wide = pencil.text((WIDE / 2, 158), title, 124, INK, face="title", anchor="mm", room=WIDE - 260)
    for left, right in ((130, WIDE / 2 - wide / 2 - 60), (WIDE / 2 + wide / 2 + 60, WIDE - 130)):
        count = int((right - left) // 64)
        if count < 1:
            return
        for n in range(count):
            x = left + (right - left) / count * (n + 0.5)
            pencil.polygon([(x - 24, 182), (x, 132), (x + 24, 182)], (CLAY, BRASS, LAPIS)[n % 3])
        pencil.lines.rectangle((left, 192, right, 196), fill=INK)


def _winner(pencil: Pencil, sheet: KeepsakeSheet) -> None:
    """The most points, who has won with them, and laurels for that."""
    winners = sheet.end.winners
    if winners:
        _laurels(pencil)
    x, y = LAURELS
    best = max(score.total for score in sheet.end.scores)
    pencil.text((x, y - 26), signed(best), 200, CLAY, face="bold", anchor="mm", room=1.7 * WREATH)
    size, lines = _who(sheet)
    if not lines:
        for nth, seat in enumerate(winners):
            colour, shape = sign_of(sheet.seats[seat])
            pencil.sign(shape, (x + 54 * (nth - (len(winners) - 1) / 2), y + 92), 20, colour, INK, 3)
        size, lines = 40, ["", sheet.say("keepsake.shared", n=len(winners))]
    for down, line in zip(_downs(size), lines, strict=False):
        pencil.text((x, round(y + down)), line, size, INK, face="bold", anchor="mm", room=_chord(down))


def _who(sheet: KeepsakeSheet) -> tuple[int, list[str]]:
    """Who has won, and in which size there is room for it inside the laurels; no lines where there is none."""
    names = [sheet.seats[seat].name for seat in sheet.end.winners]
    key = ("nobody", "winner")[len(names)] if len(names) < 2 else "winners"
    sentence = sheet.say(f"keepsake.{key}", who=names)
    for size in range(50, 27, -2):
        lines = filled(sentence, "bold", size, [_chord(down) for down in _downs(size)])
        if lines is not None:
            return size, lines
    return 0, []


def _downs(size: int) -> list[float]:
    """How far below the middle of the laurels each line lies that has room there."""
    return [92 + 1.12 * size * nth for nth in range(6) if 92 + 1.12 * size * nth + size / 2 < WREATH]


def _chord(down: float) -> float:
    """How wide it is inside the laurels so far below their middle."""
    return min(1.7 * WREATH, 2 * math.sqrt(WREATH**2 - down**2))


def _laurels(pencil: Pencil) -> None:
    """Two twigs of laurel."""
    for side in (-1, 1):
        turns = [90 + side * (16 + 10.5 * n) for n in range(15)]
        twig = [on_circle(LAURELS, 262, turn) for turn in turns]
        pencil.lines.line(twig, fill="#7f8f45", width=4, joint="curve")
        for n, (base, turn) in enumerate(zip(twig, turns, strict=True)):
            for lean in (-36, 30):
                tip = on_circle(base, 52 - 1.7 * n, turn + side * 90 + side * lean)
                _leaf(pencil, base, tip, "#7f8f45" if lean < 0 else "#9aa75c")


def _leaf(pencil: Pencil, base: Point, tip: Point, shade: str) -> None:
    (x, y), (u, v) = base, tip
    across, along = (v - y) * 0.22, (x - u) * 0.22
    pencil.polygon(
        [base, (x + (u - x) * 0.45 + across, y + (v - y) * 0.45 + along), tip,
         (x + (u - x) * 0.45 - across, y + (v - y) * 0.45 - along)], shade,
    )  # fmt: skip


def _scores(pencil: Pencil, sheet: KeepsakeSheet) -> float:
    """The score sheet: a column for each seat, a row for each part; the answer is where it ends."""
    parts = list(dict.fromkeys(part for score in sheet.end.scores for part in score.parts))
    row = min(ROW, MOST_ROWS / (len(parts) + 1))
    left, top, right, _ = SCORES
    labels = 330 if len(sheet.end.scores) < 5 else 270
    bottom = top + HEAD + row * (len(parts) + 1)
    pencil.lines.rounded_rectangle((left, top, right, bottom), 18, fill=IVORY)
    wide = (right - left - labels) / len(sheet.end.scores)
    for nth, score in enumerate(sheet.end.scores):
        begin = left + labels + wide * nth
        if score.seat in sheet.end.winners:
            pencil.lines.rounded_rectangle((begin, top, begin + wide, bottom), 18, fill=GOLD)
        _head(pencil, sheet.seats[score.seat], (begin + wide / 2, top), wide - 14)
        _column(pencil, score, parts, Room(begin + 10, top + HEAD, begin + wide - 10, bottom))
    for nth, part in enumerate([*parts, "total"]):
        y = top + HEAD + row * nth
        ink, width, face = (INK, 5, "bold") if part == "total" else (DUNE, 3, "plain")
        pencil.lines.line((left + 24, y, right - 24, y), fill=ink, width=width)
        pencil.text((left + 34, y + row / 2), sheet.called(part), 46, INK, face=face, room=labels - 50)
    pencil.lines.rounded_rectangle((left, top, right, bottom), 18, outline=BRASS, width=5)
    return bottom


def _column(pencil: Pencil, score: Score, parts: Sequence[str], room: Room) -> None:
    """What a seat has for each part, and in all."""
    x, row = (room.left + room.right) / 2, room.high / (len(parts) + 1)
    for nth, part in enumerate(parts):
        y = room.top + row * (nth + 0.5)
        pencil.text((x, y), signed(score.parts.get(part, 0)), 54, INK, anchor="mm", room=room.wide)
    y = room.bottom - row / 2
    pencil.text((x, y), signed(score.total), 68, CLAY, face="bold", anchor="mm", room=room.wide)


def _head(pencil: Pencil, seat: Seat, at: Point, room: float) -> None:
    """Whose column it is: a sign, and a name on up to three lines."""
    x, top = at
    colour, shape = sign_of(seat)
    pencil.sign(shape, (x, top + 32), 20, colour, INK, 3)
    pencil.block((x, top + 90), seat.name, HEADS, INK, face="bold", room=room)


def _eights(digits: str) -> list[str]:
    return [digits[nth : nth + 8] for nth in range(0, len(digits), 8)]


def _seal(pencil: Pencil, sheet: KeepsakeSheet) -> None:
    """The seal of the luck in wax, its digits and those of the head, and the small print."""
    if sheet.seal:
        centre = (190, 1545)
        for n in range(14):
            pencil.disc(on_circle(centre, 62, 360 / 14 * n + 7), 17 + 3 * (n % 3), "#8e2f22")
        pencil.disc(centre, 68, "#a63a2a")
        pencil.disc(centre, 52, "#8e2f22")
        pencil.disc(centre, 48, "#a63a2a")
        pencil.polygon([(centre[0] - 30, 1566), (centre[0], 1512), (centre[0] + 30, 1566)], "#8e2f22")
        pencil.polygon([(centre[0] + 6, 1566), (centre[0], 1512), (centre[0] + 30, 1566)], "#742519")
        pencil.text((300, 1470), sheet.say("keepsake.seal"), 42, INK, face="bold", room=740)
        for nth, eight in enumerate(_eights(sheet.seal)):
            line, column = divmod(nth, 4)
            pencil.text((300 + 172 * column, 1520 + 44 * line), eight, 36, INK, room=164)
        if sheet.head:
            pencil.text((300, 1618), sheet.say("keepsake.head"), 36, INK, face="bold", room=164)
        for column, eight in enumerate(_eights(sheet.head)[:4], 1):
            pencil.text((300 + 172 * column, 1618), eight, 36, INK, room=164)
    if sheet.note:
        pencil.text((WIDE - 140, HIGH - 98), sheet.note, 34, FAINT, anchor="rm", room=1100)
