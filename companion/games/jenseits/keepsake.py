"""A keepsake of a game: the table as it lay at the end, on a sheet of A5 at 300 dots an inch."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.score import PARTS
from companion.games.jenseits.state import Find, JenseitsState
from companion.keepsake.pencil import Pencil, Point, on_circle
from companion.words import say

WIDE, HIGH = 2480, 1748
PAPER, INK, FAINT = "#f3e7cd", "#3a2818", "#8d7758"
DUNE, BRASS, CLAY, LAPIS = "#d9c08c", "#b1853a", "#b5532f", "#27497a"
SEASONS = ("#dfe3d0", "#d3dcae", "#ecd79a", "#dfb98a")
RING, OUTER, INNER = (590, 912), 440, 330
WREATH = 212  # room inside the laurels
SHEET_LEFT, SHEET_RIGHT = 1170, 2340
LABELS = 330  # so wide is what stands before the columns
GOLD = "#f5e3b4"
PLAIN = ("#8a7a66", "circle")


class Sheet(NamedTuple):
    """What the keepsake tells: a game, where it stands, and in whose words."""

    game: Jenseits
    state: JenseitsState
    language: str
    seal: str
    note: str  # in small print: which table, and when it was played

    def say(self, key: str, **facts: str | int | Sequence[str]) -> str:
        return say(self.language, key, facts)

    def sign(self, seat: int) -> tuple[str, str]:
        sits = self.game.setup.seats[seat]
        return sits.colour or PLAIN[0], sits.shape or PLAIN[1]

    def name(self, seat: int) -> str:
        return self.game.setup.seats[seat].name


def keepsake(game: Jenseits, state: JenseitsState, *, language: str = "en", seal: str = "", note: str = "") -> bytes:
    """The sheet as a PNG.

    :param seal: the seal of the luck, in hexadecimal digits.
    :param note: a line of small print.
    """
    picture = picture_of(Sheet(game, state, language, seal, note))
    out = io.BytesIO()
    picture.save(out, "PNG", dpi=(300, 300))
    return out.getvalue()


def picture_of(sheet: Sheet) -> Image.Image:
    """The sheet, drawn."""
    pencil = Pencil(Image.new("RGB", (WIDE, HIGH), PAPER))
    _desert(pencil)
    _frame(pencil)
    _title(pencil, sheet)
    _ring(pencil, sheet)
    _scores(pencil, sheet)
    _finds(pencil, sheet)
    _seal(pencil, sheet)
    return pencil.picture


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


def _title(pencil: Pencil, sheet: Sheet) -> None:
    """The name of the game, between two rows of pyramids."""
    wide = pencil.text((WIDE / 2, 158), sheet.game.terms.box.title, 124, INK, face="title", anchor="mm")
    for left, right in ((130, WIDE / 2 - wide / 2 - 60), (WIDE / 2 + wide / 2 + 60, WIDE - 130)):
        count = int((right - left) // 64)
        for n in range(count):
            x = left + (right - left) / count * (n + 0.5)
            pencil.polygon([(x - 24, 182), (x, 132), (x + 24, 182)], (CLAY, BRASS, LAPIS)[n % 3])
        pencil.lines.rectangle((left, 192, right, 196), fill=INK)


def _ring(pencil: Pencil, sheet: Sheet) -> None:
    """The ring of weeks, with the markers where they stand, and who has won in the middle."""
    weeks = sheet.game.terms.calendar.weeks
    pencil.disc(RING, OUTER + 22, INK)
    pencil.disc(RING, OUTER + 18, BRASS)
    pencil.disc(RING, OUTER + 4, INK)
    for week in range(weeks):
        _week(pencil, week, weeks)
    pencil.disc(RING, INNER - 2, INK)
    pencil.disc(RING, INNER - 6, BRASS)
    pencil.disc(RING, INNER - 20, PAPER)
    for seat in range(len(sheet.state.seats)):
        _marker(pencil, sheet, seat, weeks)
    _winner(pencil, sheet)


def _turn(week: int, weeks: int) -> float:
    """Where a week begins: week 1 is at the top, time goes as on a clock."""
    return -90 + 360 / weeks * (week - 0.5)


def _week(pencil: Pencil, week: int, weeks: int) -> None:
    begin, end = _turn(week, weeks) + 0.25, _turn(week + 1, weeks) - 0.25
    shade = SEASONS[week * len(SEASONS) // weeks] if week else "#f6efdc"
    arc = [on_circle(RING, OUTER, begin), on_circle(RING, OUTER, end)]
    pencil.polygon([*arc, on_circle(RING, INNER, end), on_circle(RING, INNER, begin)], shade)
    middle = on_circle(RING, (OUTER + INNER) / 2 + 6, (begin + end) / 2)
    pencil.text(middle, str(week + 1), 31, INK, face="bold" if week % 4 == 0 else "plain", anchor="mm")


def _marker(pencil: Pencil, sheet: Sheet, seat: int, weeks: int) -> None:
    """A marker outside the ring at its week, further out the higher it lies in its stack."""
    track = sheet.state.track
    at = track.at(seat)
    height = track.stack(at).index(seat)
    colour, shape = sheet.sign(seat)
    centre = on_circle(RING, OUTER + 58 + 53 * height, -90 + 360 / weeks * (at % weeks))
    pencil.sign(shape, centre, 24, colour, INK, 4)


def _winner(pencil: Pencil, sheet: Sheet) -> None:
    """Laurels, the names of the winners, and their points."""
    end = sheet.game.tally(sheet.state)
    _laurels(pencil)
    names = [sheet.name(seat) for seat in end.winners]
    x, y = RING
    best = max(score.total for score in end.scores)
    pencil.text((x, y - 26), str(best), 200, CLAY, face="bold", anchor="mm")
    key = "keepsake.jenseits.winner" if len(names) == 1 else "keepsake.jenseits.winners"
    for nth, line in enumerate(pencil.lines_of(sheet.say(key, who=names), 50, "bold", 1.7 * WREATH)):
        down = 92 + 56 * nth
        room = 2 * math.sqrt(WREATH**2 - down**2)
        pencil.text((x, y + down), line, 50, INK, face="bold", anchor="mm", room=room)
    terms = sheet.game.terms
    first = terms.calendar.date(terms.begin).year
    pencil.text((x, y - 160), f"{first}–{terms.box.time.years[-1]}", 46, FAINT, anchor="mm")


def _laurels(pencil: Pencil) -> None:
    """Two twigs of laurel around the middle."""
    for side in (-1, 1):
        turns = [90 + side * (16 + 10.5 * n) for n in range(15)]
        twig = [on_circle(RING, 262, turn) for turn in turns]
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


def _scores(pencil: Pencil, sheet: Sheet) -> None:
    """The score sheet: a column for each seat, a row for each part."""
    end = sheet.game.tally(sheet.state)
    top, head, row = 280, 128, 82
    wide = (SHEET_RIGHT - SHEET_LEFT - LABELS) / len(end.scores)
    bottom = top + head + row * (len(PARTS) + 1)
    frame = (SHEET_LEFT, top, SHEET_RIGHT, bottom)
    pencil.lines.rounded_rectangle(frame, 18, fill="#fbf4e2")
    for score in end.scores:
        x = SHEET_LEFT + LABELS + wide * (score.seat + 0.5)
        if score.seat in end.winners:
            pencil.lines.rounded_rectangle((x - wide / 2, top, x + wide / 2, bottom), 18, fill=GOLD)
        _head(pencil, sheet, score.seat, (x, top), wide - 14)
        for nth, part in enumerate(PARTS):
            pencil.text((x, top + head + row * (nth + 0.5)), str(score.parts[part]), 54, INK, anchor="mm")
        pencil.text((x, bottom - row / 2), str(score.total), 68, CLAY, face="bold", anchor="mm")
    for nth, key in enumerate([*(f"score.jenseits.{part}" for part in PARTS), "keepsake.jenseits.total"]):
        y = top + head + row * nth
        heavy = nth == len(PARTS)
        pencil.lines.line(
            (SHEET_LEFT + 24, y, SHEET_RIGHT - 24, y), fill=INK if heavy else DUNE, width=5 if heavy else 3
        )
        face = "bold" if heavy else "plain"
        pencil.text((SHEET_LEFT + 34, y + row / 2), sheet.say(key), 46, INK, face=face, room=LABELS - 50)
    pencil.lines.rounded_rectangle(frame, 18, outline=BRASS, width=5)


def _head(pencil: Pencil, sheet: Sheet, seat: int, at: Point, room: float) -> None:
    """Whose column it is: a sign, and a name on one line or on two."""
    x, top = at
    colour, shape = sheet.sign(seat)
    pencil.sign(shape, (x, top + 32), 20, colour, INK, 3)
    lines = pencil.lines_of(sheet.name(seat), 44, "bold", room)
    for nth, line in enumerate(lines):
        down, size = (90, 44) if len(lines) == 1 else (75 + 32 * nth, 34)
        pencil.text((x, top + down), line, size, INK, face="bold", anchor="mm", room=room)


def _finds(pencil: Pencil, sheet: Sheet) -> None:
    """What every seat has dug up, and the exhibitions it has held."""
    top, bottom = 890, 1560
    high = (bottom - top) / len(sheet.state.seats)
    size = min(_disc_size(_places(sheet, seat), high - 74) for seat in range(len(sheet.state.seats)))
    for seat in range(len(sheet.state.seats)):
        _finds_of(pencil, sheet, seat, top + high * seat, size)
    x = float(SHEET_LEFT)
    for site in sheet.game.terms.sites:
        pencil.disc((x + 16, 1605), 16, sheet.game.terms.box.sites[site].colour, INK, 3)
        x += 42 + pencil.text((x + 42, 1605), sheet.say(f"name.{site}"), 36, INK) + 34


def _held(sheet: Sheet, seat: int) -> list[str]:
    """The exhibitions of a seat."""
    return [card for card in sheet.state.seats[seat].cards if card in sheet.game.terms.exhibitions]


def _places(sheet: Sheet, seat: int) -> int:
    """How many places its things take up: an exhibition two, and one that may stay empty where a line ends."""
    held = len(_held(sheet, seat))
    return len(sheet.state.seats[seat].finds) + 2 * held + (held > 0)


def _finds_of(pencil: Pencil, sheet: Sheet, seat: int, top: float, size: int) -> None:
    mine = sheet.state.seats[seat]
    colour, shape = sheet.sign(seat)
    pencil.sign(shape, (SHEET_LEFT + 20, top + 24), 18, colour, INK, 3)
    pencil.text((SHEET_LEFT + 56, top + 24), sheet.name(seat), 44, INK, face="bold", room=800)
    order = sheet.game.terms.sites
    finds = sorted(mine.finds, key=lambda find: (order.index(find.site), find.token))
    each_line = int((SHEET_RIGHT - SHEET_LEFT) // (size + 8))
    for nth, find in enumerate(finds):
        line, column = divmod(nth, each_line)
        centre = (SHEET_LEFT + (size + 8) * (column + 0.5), top + 56 + (size + 8) * (line + 0.5))
        _token(pencil, sheet, find, centre, size / 2)
    _shown(pencil, sheet, _held(sheet, seat), len(finds), each_line, size, top + 56)


def _disc_size(things: int, high: float) -> int:
    """How large the tokens can be drawn, so that all of them fit."""
    for size in range(92, 20, -2):
        lines = math.ceil(things / ((SHEET_RIGHT - SHEET_LEFT) // (size + 8)))
        if lines * (size + 8) <= high:
            return size
    return 20


def _token(pencil: Pencil, sheet: Sheet, find: Find, centre: Point, radius: float) -> None:
    """A token in its site's colour: an object with its value, or a book."""
    sites = sheet.game.terms.box.sites
    kind, _, which = find.token.partition(":")
    colour = sites[find.site].colour
    pencil.disc(centre, radius, colour, INK, max(2.0, radius / 12))
    pencil.disc(centre, radius * 0.72, "#fbf4e2")
    if kind == "object":
        pencil.text((centre[0], centre[1] - 1), which, round(radius * 1.1), INK, face="bold", anchor="mm")
    else:
        _book(pencil, centre, radius * 0.46, sites[which].colour if which else None)


def _book(pencil: Pencil, centre: Point, half: float, cover: str | None) -> None:
    """A closed book in the colour of what it is about, or an open one."""
    x, y = centre
    if cover is not None:
        left, right, top, bottom = x - half * 0.8, x + half * 0.8, y - half, y + half
        pencil.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], cover, INK, 3)
        pencil.lines.line((left + half * 0.4, top + 2, left + half * 0.4, bottom - 2), fill=INK, width=2)
        return
    for side in (-1, 1):
        edge = [(x, y - half * 0.5), (x + side * half * 1.2, y - half * 0.85), (x + side * half * 1.2, y + half * 0.6)]
        pencil.polygon([*edge, (x, y + half * 0.95)], "#ffffff", INK, 3)


def _shown(pencil: Pencil, sheet: Sheet, cards: list[str], after: int, each_line: int, size: float, top: float) -> None:
    """Exhibitions as tickets as wide as two tokens, with their city and points."""
    spot = after
    for card in cards:
        if spot % each_line == each_line - 1:
            spot += 1
        line, column = divmod(spot, each_line)
        exhibition = sheet.game.terms.exhibitions[card]
        left, upper = SHEET_LEFT + (size + 8) * column + 4, top + (size + 8) * line + 4
        box = (left, upper + size * 0.08, left + 2 * size + 4, upper + size * 0.92)
        pencil.lines.rounded_rectangle(box, size / 8, fill=LAPIS, outline=INK, width=3)
        middle = upper + size / 2
        city = sheet.say(f"name.{exhibition.city}")
        pencil.text((left + size * 0.14, middle), city, round(size * 0.42), "#fbf4e2", room=size * 1.25)
        points = str(exhibition.points)
        pencil.text((left + 1.75 * size, middle), points, round(size * 0.56), "#f5d77f", face="bold", anchor="mm")
        spot += 2


def _seal(pencil: Pencil, sheet: Sheet) -> None:
    """The seal of the luck in wax, and the small print."""
    if sheet.seal:
        centre = (190, 1545)
        for n in range(14):
            pencil.disc(on_circle(centre, 62, 360 / 14 * n + 7), 17 + 3 * (n % 3), "#8e2f22")
        pencil.disc(centre, 68, "#a63a2a")
        pencil.disc(centre, 52, "#8e2f22")
        pencil.disc(centre, 48, "#a63a2a")
        pencil.polygon([(centre[0] - 30, 1566), (centre[0], 1512), (centre[0] + 30, 1566)], "#8e2f22")
        pencil.polygon([(centre[0] + 6, 1566), (centre[0], 1512), (centre[0] + 30, 1566)], "#742519")
        pencil.text((300, 1486), sheet.say("keepsake.jenseits.seal"), 42, INK, face="bold", room=740)
        for nth in range(0, len(sheet.seal), 8):
            line, column = divmod(nth // 8, 4)
            pencil.text((300 + 172 * column, 1538 + 44 * line), sheet.seal[nth : nth + 8], 36, INK, room=164)
    if sheet.note:
        pencil.text((WIDE - 140, HIGH - 98), sheet.note, 34, FAINT, anchor="rm", room=1100)
