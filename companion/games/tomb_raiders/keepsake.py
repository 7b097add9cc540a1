"""What is The Tomb Raiders' own on the keepsake: the scale of weeks round the winner, and everybody's finds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.games.tomb_raiders.state import BEST, TombTerms
from companion.keepsake.panel import (
    BRASS,
    CLAY,
    FAINT,
    INK,
    IVORY,
    LAPIS,
    LAURELS,
    PAPER,
    KeepsakePanel,
    Panels,
    Point,
    on_circle,
    sign_of,
)

if TYPE_CHECKING:
    from companion.keepsake.pencil import Pencil

OUTER, INNER = 440, 352
BEGIN, ROUND = -240.0, 300.0
"""Where the scale begins, and how far it goes round: week 0 is at the lower left."""
TENS = 10
MARKER = 24
GAP = 8
LEGEND = 65
WIDEST, NARROWEST = 74, 22


def scale(pencil: Pencil, panel: KeepsakePanel) -> None:
    """The weeks of the game as an arc, from 0 to the foremost marker, with the markers where they stand."""
    track = panel.state.track
    last = max(TENS, math.ceil(track.foremost / TENS) * TENS)
    pencil.disc(LAURELS, OUTER + 18, BRASS)
    pencil.disc(LAURELS, OUTER + 4, PAPER)
    for week in range(last):
        edges = [_degrees(week + edge, last) for edge in (0.06, 0.94)]
        shade = "#ecd79a" if week // TENS % 2 else "#d3dcae"
        arc = [on_circle(LAURELS, OUTER, degrees) for degrees in edges]
        pencil.polygon([*arc, *(on_circle(LAURELS, INNER, degrees) for degrees in reversed(edges))], shade)
    for week in range(0, last + 1, TENS):
        at = on_circle(LAURELS, (OUTER + INNER) / 2, _degrees(week, last))
        pencil.text(at, str(week), 34, INK, face="bold", anchor="mm")
    for week in sorted({track.at(seat) for seat in range(len(panel.seats))}):
        for above, seat in enumerate(track.stack(week)):
            colour, shape = sign_of(panel.seats[seat])
            at = on_circle(LAURELS, OUTER + 50 - 34 * above, _degrees(week, last))
            pencil.sign(shape, at, MARKER, colour, INK, 4)


def _degrees(week: float, last: int) -> float:
    return BEGIN + ROUND * week / last


def finds(pencil: Pencil, panel: KeepsakePanel) -> None:
    """Every seat's artifacts, exhibitions, museums and professors; and which colour is which region."""
    left, top, _, bottom = panel.room
    printed = printed_of(panel)
    high = (bottom - LEGEND - top) / len(panel.seats)
    size = min(_size(len(_things(panel, seat)), panel.room.wide, high - 74) for seat in range(len(panel.seats)))
    for seat in range(len(panel.seats)):
        _row(pencil, panel, seat, top + high * seat, size)
    x, y = left, bottom - 20
    for region in printed.regions:
        pencil.disc((x + 16, y), 16, printed.box.regions[region].colour, INK, 3)
        x += 42 + pencil.text((x + 42, y), panel.say(f"name.{region}"), 36, INK) + 34


def printed_of(panel: KeepsakePanel) -> TombTerms:
    """The printed figures that the game was played with."""
    printed: TombTerms = panel.game.terms
    return printed


def _things(panel: KeepsakePanel, seat: int) -> list[tuple[str, str]]:
    """What lies before a seat that is worth points: a colour and what is written on it, artifacts first."""
    printed, mine = printed_of(panel), panel.state.seats[seat]
    artifacts = sorted((printed.artifacts[card] for card in mine.finds), key=lambda find: (find[0], -find[1]))
    things = [(printed.box.regions[region].colour, str(value)) for region, value in artifacts]
    shown = sorted(printed.exhibitions[card].points for card in mine.cards if card in printed.exhibitions)
    given = sorted(printed.museums[card].points for card in mine.cards if card in printed.museums)
    things += [*((LAPIS, str(points)) for points in shown), *((CLAY, str(points)) for points in given)]
    for name, holder in sorted(panel.state.professors.items()):
        if holder == seat:
            asked = printed.box.professors
            things.append((BRASS, str((asked.best_knowledge if name == BEST else asked.region).points)))
    return things


def _size(things: int, wide: float, high: float) -> int:
    """How large cards can be drawn, so that all of them fit."""
    for size in range(WIDEST, NARROWEST, -2):
        if math.ceil(things / (wide // (size + GAP))) * (size * 1.3 + GAP) <= high:
            return size
    return NARROWEST


def _row(pencil: Pencil, panel: KeepsakePanel, seat: int, top: float, size: int) -> None:
    left = panel.room.left
    colour, shape = sign_of(panel.seats[seat])
    pencil.sign(shape, (left + 20, top + 24), 18, colour, INK, 3)
    named = pencil.text((left + 56, top + 24), panel.seats[seat].name, 44, INK, face="bold", room=800)
    said = f"{panel.say('name.knowledge')} {panel.state.seats[seat].known}"
    pencil.text((left + 80 + named, top + 26), said, 32, FAINT, room=panel.room.wide - 100 - named)
    each_line = int(panel.room.wide // (size + GAP))
    for nth, (shade, points) in enumerate(_things(panel, seat)):
        line, column = divmod(nth, each_line)
        at = (left + (size + GAP) * column, top + 56 + (size * 1.3 + GAP) * line)
        _card(pencil, at, size, shade, points, plain=shade not in (LAPIS, CLAY, BRASS))


def _card(pencil: Pencil, at: Point, size: float, shade: str, points: str, *, plain: bool) -> None:
    """A small card with its points: an artifact on ivory, anything else in its own colour."""
    left, upper = at
    box = (left, upper, left + size, upper + size * 1.3)
    pencil.lines.rounded_rectangle(box, size / 8, fill=shade, outline=INK, width=3)
    middle = (left + size / 2, upper + size * 0.65)
    if plain:
        pencil.disc(middle, size * 0.36, IVORY)
    pencil.text(middle, points, round(size * 0.52), INK if plain else IVORY, face="bold", anchor="mm")


PANELS = Panels(around=scale, below=finds)
