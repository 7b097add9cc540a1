"""What is Tutankhamun's own on the keepsake: the purses round the winner, and the whole tray turned up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.tutankhamun.state import TutankhamunState, TutankhamunTerms
from companion.keepsake.panel import (
    BRASS,
    CLEAR,
    FAINT,
    INK,
    IVORY,
    LAPIS,
    LAURELS,
    PAPER,
    KeepsakePanel,
    Panels,
    Point,
    Stroke,
    on_circle,
    sign_of,
)

if TYPE_CHECKING:
    from companion.keepsake.pencil import Pencil

Fate = Literal["lifted", "open", "buried"]
FATES: tuple[Fate, ...] = ("lifted", "open", "buried")

EARTHS = ("#4a2a16", "#6b3f1e", "#8a5728", "#a97638", "#c79652", "#e2c084")
"""Of each layer, from the bottom."""
PAPYRUS, EDGE, SHINE, DARK = "#ecd9ac", "#7d5a2c", "#fff0b0", "#1c0f06"
GAIN, LOSS = "#3f6b2a", "#a3311b"
METALS = {"gold": ("#e3b04b", "#94681c"), "silver": ("#d9d6cc", "#85827a")}
COLLAR = CLEAR + 24
PURSE = (86, 72)
"""So far a purse reaches from its middle, to the sides and up and down."""
NAMES = ((30, 1), *((size, 2) for size in range(26, 21, -1)), (20, 3))
ACROSS = 3  # so many layers lie side by side
APART = 36

GOLD, LAZULI, RED, GREEN, BONE, PEN, STONE = "#c98f1f", "#2b5fa3", "#b3402c", "#4f8a4a", "#f6ead0", "#3a2513", "#9c8463"
VASE = "M-11-30H11L8-22C22-12 24 8 14 26H-14C-24 8-22-12-8-22Z"


def line(path: str, width: float = 3.5, ink: str = PEN) -> Stroke:
    return Stroke(path, ink, width)


def shape(path: str, fill: str, width: float = 2.4) -> Stroke:
    return Stroke(path, PEN, width, fill)


def ring(x: float, y: float, across: float, down: float = 0) -> str:
    """The path of a circle, or of an oval."""
    down = down or across
    u, v = across * 0.5523, down * 0.5523
    return (
        f"M{x - across} {y}C{x - across} {y - v} {x - u} {y - down} {x} {y - down}"
        f"C{x + u} {y - down} {x + across} {y - v} {x + across} {y}"
        f"C{x + across} {y + v} {x + u} {y + down} {x} {y + down}"
        f"C{x - u} {y + down} {x - across} {y + v} {x - across} {y}Z"
    )


SIGNS: dict[str, tuple[Stroke, ...]] = {
    "mosquito": (
        shape("M-2-6C-30-28-34-4-4 0ZM2-6C30-28 34-4 4 0Z", BONE, 1.8),
        line("M-3 4C-16 6-22 14-24 26M3 4C16 6 22 14 24 26M-3 8C-10 14-12 22-12 32M3 8C10 14 12 22 12 32", 2.2),
        shape("M0-12C7-12 6 20 0 28C-6 20-7-12 0-12Z", "#6b4a2a"),
        shape(ring(0, -15, 6.5), RED, 2),
        line("M0-21V-33", 2.4),
    ),
    "snake_head": (
        shape("M-12 34C-14 14-30 6-24-12C-18-32 18-32 24-12C30 6 14 14 12 34Z", GREEN),
        shape("M-12-14C-8-28 8-28 12-14C12-4 5 2 0 2S-12-4-12-14Z", "#7fae63"),
        Stroke(ring(-6, -14, 2.4), PEN, 1, PEN),
        Stroke(ring(6, -14, 2.4), PEN, 1, PEN),
        line("M0 2V10M0 10L-5 16M0 10L5 16", 2.2, RED),
    ),
    "snake_body": (
        shape("M-36-12C-24-26-8-26 2-10S24 10 36-2V14C24 28 8 26-4 10S-24-8-36 6Z", GREEN),
        line("M-26-8L-20 0M-8-14L-10-4M10 2L4 10M24 6L22 16", 2.4, "#2f5d33"),
    ),
    "snake_tail": (
        shape("M-36-14C-18-24-4-10 8-4S28-2 34 18C22 12 12 14 0 8S-22-2-36 6Z", GREEN),
        line("M-24-12L-20-2M-6-6L-10 4M12 2L8 10", 2.4, "#2f5d33"),
    ),
    "scorpion": (
        shape("M0 6C12 6 13 20 0 24C-13 20-12 6 0 6Z", "#7b4a22"),
        shape("M0-8C8-8 9 6 0 8C-9 6-8-8 0-8Z", "#7b4a22"),
        line("M0-8C2-24 20-28 20-14C20-8 14-8 13-12", 4, "#7b4a22"),
        line("M-9 12L-22 8M-9 18L-22 22M9 12L22 8M9 18L22 22", 2.6),
        line("M-7 22C-16 28-18 34-10 35M7 22C16 28 18 34 10 35", 3.4, "#7b4a22"),
        Stroke(ring(13, -12, 2), RED, 1, RED),
    ),
    "mask": (
        shape("M-26 34C-34 4-30-32 0-34C30-32 34 4 26 34H14L10 22H-10L-14 34Z", GOLD),
        line("M-27 0H-16M-28 10H-15M-27 20H-14M27 0H16M28 10H15M27 20H14M-25-12H-16M25-12H16", 3, LAZULI),
        shape("M-15-14C-14-24 14-24 15-14C16 6 8 18 0 18S-16 6-15-14Z", "#e9b949"),
        line("M-10-8C-8-11-4-11-2-8M2-8C4-11 8-11 10-8M-4 8H4", 2.4),
        shape("M-4 18H4L3 32H-3Z", LAZULI, 1.8),
        line("M0-24V-32", 3.4, RED),
    ),
    "obelisk_base": (
        shape("M-17-36H17L20 20H-20Z", STONE),
        shape("M-28 20H28V34H-28Z", "#7c6546"),
        line("M-8-22H8M-8-10H0M-8 2H8M3-10H8", 2.4),
    ),
    "obelisk_middle": (
        shape("M-15-37H15L18 37H-18Z", STONE),
        line(ring(0, -18, 6), 2.4),
        line("M0-12V0M-6-6H6M-8 12C-4 6 4 6 8 12M-8 24H8", 2.4),
    ),
    "obelisk_top": (
        shape("M-13-14H13L17 37H-17Z", STONE),
        shape("M-13-14L0-37L13-14Z", GOLD),
        line("M-7 2H7M-7 14H1M-7 26H7", 2.4),
    ),
    "vase_alabaster": (
        shape(VASE, "#efe0bb"),
        line("M-13-8C-4-4 4-14 14-8M-16 6C-6 12 4 2 16 8", 2.2, "#b99a63"),
        shape("M-14 26H14V33H-14Z", "#cfae74"),
    ),
    "vase_faience": (
        shape(VASE, "#4aa39b"),
        line("M-16-6L-8-12L0-6L8-12L16-6M-17 8H17", 2.4, "#1e5a62"),
        shape("M-14 26H14V33H-14Z", "#2f7d78"),
    ),
    "bracelet": (
        line(ring(0, 0, 28, 24), 15),
        line(ring(0, 0, 28, 24), 10.5, GOLD),
        line("M-28-6V6M28-6V6M-17-20L-21-14M17-20L21-14M-17 20L-21 14M17 20L21 14", 4.5, LAZULI),
        shape(ring(0, 24, 8), RED, 2.2),
    ),
    "chain": (
        line("M-30-26C-30 14-14 24 0 24S30 14 30-26", 9),
        line("M-30-26C-30 14-14 24 0 24S30 14 30-26", 5, GOLD),
        *(shape(ring(x, y, 5.5), LAZULI, 2) for x, y in ((-28, -6), (-20, 12), (20, 12), (28, -6))),
        shape("M0 16L9 26L0 37L-9 26Z", "#4aa39b"),
    ),
    "pectoral": (
        shape("M-34-24H34L26 26H-26Z", GOLD),
        shape("M-26-17H26L20 19H-20Z", LAZULI, 1.8),
        shape("M0-10C8-10 8 8 0 12C-8 8-8-10 0-10Z", "#2f7d78", 1.8),
        line("M-5-4C-16-14-22-4-20 8M5-4C16-14 22-4 20 8", 3.4, "#e9b949"),
        shape(ring(0, -12, 5), RED, 1.8),
    ),
    "falcon": (
        shape("M-6-34C8-36 14-26 12-18C24-6 20 18 8 30H-8C-20 12-18-10-10-18L-20-20C-18-28-12-33-6-34Z", "#3f6fae"),
        shape("M10-12C22 0 18 16 8 28C4 14 2 0 10-12Z", GOLD, 2),
        shape(ring(-4, -25, 3.2), BONE, 2),
        line("M-4-20C-2-14-8-12-6-8M-8 30V37M6 30V37", 2.6),
    ),
    "earth": (
        line("M-28 18C-18 8-12 14-4 2C2-6 8-2 12 4C18 12 24 10 30 18Z", 3, EDGE),
        line("M-14-12H-13.9M10-18H10.1M22-4H22.1M-24 0H-23.9M-2-24H-1.9", 5, EDGE),
    ),
}
"""The signs on the cards, as on the screens."""


def purses(pencil: Pencil, panel: KeepsakePanel) -> None:
    """A collar of gold and lapis round the laurels, and round it what each seat has in its purse."""
    for radius, shade in ((COLLAR, INK), (COLLAR - 3, BRASS), (CLEAR + 3, INK), (CLEAR, PAPER)):
        pencil.disc(LAURELS, radius, shade)
    for nth in range(60):
        pencil.line([on_circle(LAURELS, CLEAR + far, 6 * nth) for far in (6, 18)], LAPIS, 12)
    seats = len(panel.seats)
    for seat in range(seats):
        _purse(pencil, panel, seat, _beside_the_collar(360 / seats * seat - (135 if seats == 4 else 90)))


def _beside_the_collar(degrees: float) -> Point:
    """The middle of a purse as near to the collar as it can lie."""
    far = COLLAR
    while True:
        x, y = on_circle((0, 0), far, degrees)
        if math.hypot(max(0, abs(x) - PURSE[0]), max(0, abs(y) - PURSE[1])) > COLLAR + 8:
            return round(LAURELS[0] + x), round(LAURELS[1] + y)
        far += 2


def _purse(pencil: Pencil, panel: KeepsakePanel, seat: int, at: Point) -> None:
    """A seat's sign and name, and its coins; or that it has left the game."""
    state: TutankhamunState = panel.state
    x, y = at
    colour, sign = sign_of(panel.seats[seat])
    pencil.sign(sign, (x - 66, y - 48), 16, colour, INK, 3)
    pencil.block((x + 20, y - 48), panel.seats[seat].name, NAMES, INK, face="bold", room=126)
    if not state.playing[seat]:
        pencil.block((x, y + 20), panel.say("page.out"), NAMES, FAINT, room=2 * PURSE[0])
        return
    for metal, count, left in zip(METALS, panel.game.terms.coins(state.purses[seat]), (-86, 2), strict=True):
        _stack(pencil, metal, count, (x + left + 25, y + 56))


def _stack(pencil: Pencil, metal: str, count: int, foot: Point) -> None:
    """So many coins on each other, and beside them how many there are."""
    face, edge = METALS[metal]
    x, y = foot
    pitch = min(8, 60 / max(1, count))
    for nth in range(max(1, count)):
        rim = [(x + 24 * u, y - pitch * nth + 9 * v) for u, v in (on_circle((0, 0), 1, 9 * n) for n in range(40))]
        if count:
            pencil.polygon([(u, v + 5) for u, v in rim], edge, INK, 2)
        pencil.polygon(rim, face if count else PAPER, INK if count else FAINT, 2)
    pencil.text((x + 30, y), str(count), 36, INK if count else FAINT, face="bold", room=32)


class Square(NamedTuple):
    """A square of a layer: where it is drawn, how large, and what became of its card."""

    at: Point
    size: float
    fate: Fate

    def box(self, inset: float) -> tuple[float, float, float, float]:
        (x, y), half = self.at, self.size / 2 - inset
        return x - half, y - half, x + half, y + half


def tray(pencil: Pencil, panel: KeepsakePanel) -> None:
    """The whole tray turned up: every layer from the top, what was lifted, what lay open, and what nobody found."""
    left, top, right, bottom = panel.room
    state: TutankhamunState = panel.state
    if not state.layers:
        pencil.text((left, top + 24), panel.say("page.end.nothing"), 44, INK, face="bold", room=panel.room.wide)
        return
    begin = left + 30 + pencil.text((left, top + 24), panel.say("page.end.title"), 44, INK, face="bold", room=700)
    pencil.text((begin, top + 26), _turned(panel), 36, FAINT, room=right - begin)
    lines = -(-len(panel.game.terms.kinds) // ACROSS)
    wide, high = (panel.room.wide + APART) / ACROSS, (bottom - 60 - top - 62) / lines
    for nth, layer in enumerate(reversed(range(len(state.layers)))):
        line, column = divmod(nth, ACROSS)
        _layer(pencil, panel, layer, (left + wide * column, top + 62 + high * line), min(wide - APART, high - 60))
    _legend(pencil, panel, (left, bottom - 20))


def _turned(panel: KeepsakePanel) -> str:
    """How far the tray had been turned before anybody dug."""
    terms: TutankhamunTerms = panel.game.terms
    quarters: int = panel.state.quarters
    if terms.tray == "physical":
        return panel.say("page.end.by_hand")
    return panel.say("page.end.turned", n=quarters) if quarters else panel.say("page.end.not_turned")


def _layer(pencil: Pencil, panel: KeepsakePanel, layer: int, at: Point, size: float) -> None:
    """A layer under its name, in the colour of its earth."""
    (left, top), earth = at, EARTHS[layer]
    state: TutankhamunState = panel.state
    pencil.card((left, top + 8, left + 30, top + 38), 6, earth)
    pencil.text((left + 42, top + 24), f"{panel.say('name.layer')} {layer + 1}", 34, INK, room=size - 42)
    pencil.card((left, top + 46, left + size, top + 46 + size), 14, earth)
    side = panel.game.terms.kinds[layer].side
    each = (size - 12) / side
    for number, card in enumerate(state.layers[layer]):
        row, column = divmod(number, side)
        depth = state.depths[number]
        fate = FATES[(layer < depth) + (layer < depth - 1)]
        centre = (left + 6 + each * (column + 0.5), top + 52 + each * (row + 0.5))
        _card(pencil, panel.game.terms, card, Square(centre, each, fate), earth)


def _card(pencil: Pencil, terms: TutankhamunTerms, card: str, square: Square, earth: str) -> None:
    """A card with its worth: pale if it has left the tray, framed if it lies open, dark if it is still buried."""
    if square.fate == "open":
        pencil.card(square.box(0), 13, INK)
        pencil.card(square.box(1.5), 12, SHINE)
    pencil.card(square.box(5), 9, EDGE)
    pencil.card(square.box(6.5), 8, PAPYRUS)
    if card:
        pencil.small(SIGNS.get(card, SIGNS["earth"]), square.at, (square.size - 10) / 104)
        _worth(pencil, terms.values[card], square)
    else:
        pencil.text(square.at, "?", round(square.size * 0.5), EDGE, anchor="mm")
    if square.fate == "lifted":
        pencil.card(square.box(5), 9, earth, share=0.6)
    elif square.fate == "buried":
        pencil.card(square.box(5), 9, DARK, share=0.42)


def _worth(pencil: Pencil, value: int, square: Square) -> None:
    """A card's worth as a seal: green for what is gained, red for what it costs."""
    if value:
        aside = square.size / 2 - 22
        middle = square.at[0] + aside, square.at[1] + aside
        pencil.disc(middle, 16, GAIN if value > 0 else LOSS, IVORY, 2)
        pencil.text(middle, f"{value:+}".replace("-", "−"), 22, IVORY, face="bold", anchor="mm", room=28)


def _legend(pencil: Pencil, panel: KeepsakePanel, at: Point) -> None:
    """What becomes of a card, and how it looks then."""
    x, y = at
    for fate in FATES:
        square = Square((x + 20, y), 40, fate)
        pencil.card(square.box(-2), 9, EARTHS[3])
        _card(pencil, panel.game.terms, "earth", square, EARTHS[3])
        x += 56 + pencil.text((x + 56, y), panel.say(f"page.end.{fate}"), 36, INK) + 44


PANELS = Panels(around=purses, below=tray)
