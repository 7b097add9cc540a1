"""What is the game's own on the keepsake: the plan as it lay at the end, and what became of everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.horus.state import HorusState, HorusTerms
from companion.keepsake.panel import FAINT, INK, IVORY, KeepsakePanel, Panels, Point, nothing, sign_of

if TYPE_CHECKING:
    from companion.keepsake.pencil import Pencil

AREA = {"den": "#cdb387", "sand": "#e3c98c", "pond": "#7fa8a0", "corridor": "#b9a184"}
STONE, SHADE, WALL, WRAP = "#6d5f4f", "#4a4036", "#3a2818", "#e9dfc3"


def plan(pencil: Pencil, panel: KeepsakePanel) -> None:
    """The plan: areas, walls, fallen blocks, mummies; and beside it what became of whom."""
    terms: HorusTerms = panel.game.terms
    state: HorusState = panel.state
    left, top, _right, bottom = panel.room
    grid = terms.box.plan.grid
    side = min((bottom - top) / len(grid), panel.room.wide * 0.58 / len(grid[0]))
    at = {name: (left + side * x, top + side * y) for y, row in enumerate(grid) for x, name in enumerate(row) if name}
    for name, (x, y) in at.items():
        _square(pencil, name, (x, y), side, AREA[terms.area[name]], fallen=name in map(str, state.fallen))
    _walls(pencil, terms, at, side)
    for mummy in state.mummies:
        x, y = at[mummy.at]
        pencil.disc((x + side * 0.7, y + side * 0.34), side * 0.2, WRAP, INK, 3)
        pencil.line([(x + side * 0.56, y + side * 0.3), (x + side * 0.84, y + side * 0.36)], FAINT, 3)
    for name in dict.fromkeys(each.rests for each in state.adventurers if each.rests):
        _resting(pencil, panel, name, at[name], side)
    _fates(pencil, panel, left + side * len(grid[0]) + 40)


def _resting(pencil: Pencil, panel: KeepsakePanel, name: str, at: Point, side: float) -> None:
    """Those who were sealed in on a square, side by side."""
    state: HorusState = panel.state
    there = [seat for seat, each in enumerate(state.adventurers) if each.rests == name]
    for nth, seat in enumerate(there):
        colour, sign = sign_of(panel.seats[seat])
        row, column = divmod(nth, 3)
        pencil.sign(
            sign, (at[0] + side * (0.24 + 0.27 * column), at[1] + side * (0.26 + 0.26 * row)), 9, colour, INK, 2
        )


def _square(pencil: Pencil, name: str, at: Point, side: float, shade: str, *, fallen: bool) -> None:
    """A square with its name, or with the block that fell on it."""
    x, y = at
    pencil.card((x + 2, y + 2, x + side - 2, y + side - 2), 6, shade)
    if fallen:
        pencil.card((x + 6, y + 9, x + side - 4, y + side - 3), 8, SHADE)
        pencil.card((x + 5, y + 5, x + side - 7, y + side - 9), 8, STONE)
    ink = IVORY if fallen else INK
    pencil.text((x + side * 0.3, y + side * 0.74), name, 26, ink, anchor="mm", room=side * 0.54)


def _walls(pencil: Pencil, terms: HorusTerms, at: dict[str, Point], side: float) -> None:
    """The solid lines: between squares, and round the whole but for the entrances."""
    for one, other in terms.box.plan.walls:
        (x, y), (u, v) = at[one], at[other]
        if x == u:
            edge = max(y, v)
            pencil.line([(x, edge), (x + side, edge)], WALL, 8)
        else:
            edge = max(x, u)
            pencil.line([(edge, y), (edge, y + side)], WALL, 8)


def _fates(pencil: Pencil, panel: KeepsakePanel, left: float) -> None:
    """Seat under seat: its sign and name, its adventurer, and what became of them."""
    state: HorusState = panel.state
    room = panel.room.right - left
    pitch = min(112.0, panel.room.high / len(panel.seats))
    for seat, mine in enumerate(state.adventurers):
        y = panel.room.top + pitch * seat + 22
        colour, sign = sign_of(panel.seats[seat])
        pencil.sign(sign, (left + 16, y), 15, colour, INK, 3)
        pencil.text((left + 42, y), panel.seats[seat].name, 32, INK, face="bold", room=room - 42)
        who = panel.say(f"name.{mine.who}") if mine.who else ""
        fate = panel.say(f"drawn.fate_{mine.fate}")
        pencil.text((left + 42, y + 36), f"{who}: {fate}" if who else fate, 30, FAINT, room=room - 42)


PANELS = Panels(around=nothing, below=plan)
