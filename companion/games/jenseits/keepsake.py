"""What is Jenseits' own on the keepsake: the ring of weeks round the winner, and what everybody has dug up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.games.jenseits.state import Find, JenseitsState
from companion.games.jenseits.terms import JenseitsTerms
from companion.keepsake.panel import (
    BRASS,
    FAINT,
    INK,
    IVORY,
    LAPIS,
    LAURELS,
    PAPER,
    KeepsakePanel,
    Panels,
    Point,
    Room,
    on_circle,
    sign_of,
)

if TYPE_CHECKING:
    from companion.keepsake.pencil import Pencil

SEASONS = ("#dfe3d0", "#d3dcae", "#ecd79a", "#dfb98a")
OUTER, INNER = 440, 330
MARKER = 24
LEGEND = 65  # so high is what tells the colours of the sites


def ring(pencil: Pencil, panel: KeepsakePanel) -> None:
    """The ring of weeks, with the markers where they stand; and which years were played, above the points."""
    printed, weeks = printed_of(panel), printed_of(panel).calendar.weeks
    pencil.disc(LAURELS, OUTER + 22, INK)
    pencil.disc(LAURELS, OUTER + 18, BRASS)
    pencil.disc(LAURELS, OUTER + 4, INK)
    for week in range(weeks):
        _week(pencil, week, weeks)
    pencil.disc(LAURELS, INNER - 2, INK)
    pencil.disc(LAURELS, INNER - 6, BRASS)
    pencil.disc(LAURELS, INNER - 20, PAPER)
    for week, stack in _stacks(panel.state, weeks).items():
        _markers(pencil, panel, stack, -90 + 360 / weeks * week)
    first = printed.calendar.date(printed.begin).year
    x, y = LAURELS
    pencil.text((x, y - 160), f"{first}–{printed.box.time.years[-1]}", 46, FAINT, anchor="mm")


def printed_of(panel: KeepsakePanel) -> JenseitsTerms:
    """The printed figures that the game was played with."""
    printed: JenseitsTerms = panel.game.terms
    return printed


def _turn(week: int, weeks: int) -> float:
    """Where a week begins: week 1 is at the top, time goes as on a clock."""
    return -90 + 360 / weeks * (week - 0.5)


def _week(pencil: Pencil, week: int, weeks: int) -> None:
    begin, end = _turn(week, weeks) + 0.25, _turn(week + 1, weeks) - 0.25
    shade = SEASONS[week * len(SEASONS) // weeks] if week else "#f6efdc"
    arc = [on_circle(LAURELS, OUTER, begin), on_circle(LAURELS, OUTER, end)]
    pencil.polygon([*arc, on_circle(LAURELS, INNER, end), on_circle(LAURELS, INNER, begin)], shade)
    middle = on_circle(LAURELS, (OUTER + INNER) / 2 + 6, (begin + end) / 2)
    pencil.text(middle, str(week + 1), 31, INK, face="bold" if week % 4 == 0 else "plain", anchor="mm")


def _stacks(state: JenseitsState, weeks: int) -> dict[int, list[int]]:
    """The seats whose markers lie on a week, from below; whoever is there in an earlier year lies below."""
    track = state.track
    found: dict[int, list[int]] = {}
    for time in sorted({track.at(seat) for seat in range(len(state.seats))}):
        found.setdefault(time % weeks, []).extend(track.stack(time))
    return found


def _markers(pencil: Pencil, panel: KeepsakePanel, stack: list[int], degrees: float) -> None:
    """A stack of markers outside the ring, further out the higher; closer, and over the ring, where room is short."""
    highest = OUTER + 58 + 53 * (len(stack) - 1)
    farthest = min(highest, _reach(panel.room, degrees) - MARKER - 2)
    step = 53 if farthest == highest else 30
    for above, seat in enumerate(stack, 1 - len(stack)):
        colour, shape = sign_of(panel.seats[seat])
        pencil.sign(shape, on_circle(LAURELS, farthest + step * above, degrees), MARKER, colour, INK, 4)


def _reach(room: Room, degrees: float) -> float:
    """How far it is from the laurels to where the room ends."""
    (x, y), (across, down) = LAURELS, on_circle((0, 0), 1, degrees)
    wide = room.right - x if across > 0 else x - room.left
    high = room.bottom - y if down > 0 else y - room.top
    return min(far / max(abs(slope), 1e-9) for far, slope in ((wide, across), (high, down)))


def finds(pencil: Pencil, panel: KeepsakePanel) -> None:
    """What every seat has dug up, and the exhibitions it has held; and which colour is which site."""
    left, top, _, bottom = panel.room
    printed, seats = printed_of(panel), range(len(panel.seats))
    high = (bottom - LEGEND - top) / len(seats)
    size = min(_disc_size(_places(panel, seat), panel.room.wide, high - 74) for seat in seats)
    for seat in seats:
        _finds_of(pencil, panel, seat, top + high * seat, size)
    x, y = left, bottom - 20
    for site in printed.sites:
        pencil.disc((x + 16, y), 16, printed.box.sites[site].colour, INK, 3)
        x += 42 + pencil.text((x + 42, y), panel.say(f"name.{site}"), 36, INK) + 34


def _held(panel: KeepsakePanel, seat: int) -> list[str]:
    """The exhibitions of a seat."""
    return [card for card in panel.state.seats[seat].cards if card in printed_of(panel).exhibitions]


def _places(panel: KeepsakePanel, seat: int) -> int:
    """How many places its things take up: an exhibition two, and one that may stay empty where a line ends."""
    held = len(_held(panel, seat))
    return len(panel.state.seats[seat].finds) + 2 * held + (held > 0)


def _finds_of(pencil: Pencil, panel: KeepsakePanel, seat: int, top: float, size: int) -> None:
    left, mine = panel.room.left, panel.state.seats[seat]
    colour, shape = sign_of(panel.seats[seat])
    pencil.sign(shape, (left + 20, top + 24), 18, colour, INK, 3)
    pencil.text((left + 56, top + 24), panel.seats[seat].name, 44, INK, face="bold", room=800)
    order = printed_of(panel).sites
    found = sorted(mine.finds, key=lambda find: (order.index(find.site), find.token))
    each_line = int(panel.room.wide // (size + 8))
    for nth, find in enumerate(found):
        line, column = divmod(nth, each_line)
        centre = (left + (size + 8) * (column + 0.5), top + 56 + (size + 8) * (line + 0.5))
        _token(pencil, panel, find, centre, size / 2)
    spot = len(found)
    for card in _held(panel, seat):
        if spot % each_line == each_line - 1:
            spot += 1
        line, column = divmod(spot, each_line)
        _ticket(pencil, panel, card, (left + (size + 8) * column + 4, top + 56 + (size + 8) * line + 4), size)
        spot += 2


def _disc_size(things: int, wide: float, high: float) -> int:
    """How large the tokens can be drawn, so that all of them fit."""
    for size in range(92, 20, -2):
        lines = math.ceil(things / (wide // (size + 8)))
        if lines * (size + 8) <= high:
            return size
    return 20


def _token(pencil: Pencil, panel: KeepsakePanel, find: Find, centre: Point, radius: float) -> None:
    """A token in its site's colour: an object with its value, or a book."""
    sites = printed_of(panel).box.sites
    kind, _, which = find.token.partition(":")
    colour = sites[find.site].colour
    pencil.disc(centre, radius, colour, INK, max(2.0, radius / 12))
    pencil.disc(centre, radius * 0.72, IVORY)
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


def _ticket(pencil: Pencil, panel: KeepsakePanel, card: str, at: Point, size: float) -> None:
    """An exhibition as a ticket as wide as two tokens, with its city and points."""
    left, upper = at
    exhibition = printed_of(panel).exhibitions[card]
    box = (left, upper + size * 0.08, left + 2 * size + 4, upper + size * 0.92)
    pencil.lines.rounded_rectangle(box, size / 8, fill=LAPIS, outline=INK, width=3)
    middle = upper + size / 2
    city = panel.say(f"name.{exhibition.city}")
    pencil.text((left + size * 0.14, middle), city, round(size * 0.42), IVORY, room=size * 1.25)
    points = str(exhibition.points)
    pencil.text((left + 1.75 * size, middle), points, round(size * 0.56), "#f5d77f", face="bold", anchor="mm")


PANELS = Panels(around=ring, below=finds)
