"""What each seat sees of a game of The Pyramid of Horus: seats by their index, squares by their names, blocks by their
numbers, mummies and adventurers by name.

What is asked of a seat is helped by ``ask.options``: see `aids`. A question to chance has these facts:

==============================================  =======================================================================
``action_dice``, ``mummy_dice``, ``lock_dice``  ``{"nth": 2, "left": 4, "colour": "yellow"}``: which die of the row is
                                                next, and how many are still to fall. Real ones are reported at once: as
                                                many outcomes as are left, in the order of the row
``chest_dice``                                  ``{"nth": 1, "left": 1, "colour": null, "chests": 2}``
``search``                                      ``{"area": "sand", "left": 12}``
``sarcophagi``                                  ``{"god": "thoth", "square": "T3"}``
``blocks``                                      ``{"left": 30}``
==============================================  =======================================================================
"""

from __future__ import annotations

from typing import Literal, TypedDict

import msgspec

from companion.games.horus.cards import HIDDEN, IDOL, back, god, is_wound, kind, value
from companion.games.horus.dangers import cut_off_by
from companion.games.horus.moves import Pack
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.score import gods_of, parts_of
from companion.games.horus.state import AREAS, NOBODY, Adventurer, HorusTerms, Mummy
from companion.games.horus.uses import Use


class HorusCard(TypedDict):
    """A card, with what is printed on it: `card` as "treasure-sobek-5", of its kind; null where it has no god, or no
    value."""

    card: str
    kind: str
    god: str | None
    value: int | None


class HorusCorridor(TypedDict):
    """The squares of the three stretches that mummies walk."""

    left: list[str]
    far: list[str]
    right: list[str]


HorusPlan = TypedDict(
    "HorusPlan",
    {
        "grid": list[list[str]],
        "walls": list[list[str]],
        "from": str,
        "entrances": list[str],
        "corridor": HorusCorridor,
        "areas": dict[str, list[str]],
        "alcoves": dict[str, list[str]],
    },
)
"""The squares and walls, where their drawing is from, and the squares before each alcove."""


class HorusAside(TypedDict):
    """A block that was looked at: who looked, by which ability, and whether it was kept to fall next, as soon as that
    is decided."""

    seat: int
    by: str
    kept: bool | None


class HorusBlocks(TypedDict):
    """The blocks that are left of all, and those that fell, in their order."""

    left: int
    of: int
    fallen: list[int]
    last: int | None
    aside: HorusAside | None


class HorusMummySeen(TypedDict):
    """A mummy on its way; `seat` is whose adventurer it was."""

    mummy: str
    square: str
    towards: str
    stretch: str
    lying: bool
    seat: int | None


class HorusDice(TypedDict):
    """The rows of dice, where null is one that is still to fall; `missing` is what the lock still wants."""

    gods: list[str]
    colours: list[str]
    faces: int
    mummies_from: int
    action: list[int | None]
    mummy: list[int | None]
    lock: list[int | None]
    rolling: str | None
    lock_of: str | None
    missing: list[int]


class HorusDeck(TypedDict):
    """The deck of an area: how many cards of it are left."""

    area: str
    left: int
    of: int


class HorusSarcophagus(TypedDict):
    """A sarcophagus: its card once that lies open; `read_by` is the seat that has read it."""

    god: str
    square: str
    open: bool
    looted: bool
    read_by: int | None
    card: HorusCard | None


class HorusIdol(TypedDict):
    """An idol, the numbers of its lock, and who has it."""

    god: str
    value: int
    lock: list[int]
    colour: str
    holder: int | None
    in_alcove: bool


class HorusSeat(TypedDict):
    """A seat and its adventurer.

    `rests` is where somebody was sealed in, `backs` what lies face down, `packed` how many of these it has put into
    satchels. `cards` and `level` are as they count now; `level` is this round's once it was read.
    `points` are those of the open idols until the end, and then the score; `parts` and `chests` are then told.
    """

    seat: int
    adventurer: str | None
    ability: str | None
    used: bool
    square: str | None
    fate: Literal["waiting", "inside", "left", "sealed", "turned"]
    rests: str | None
    cards: int
    level: int
    actions: int
    rolled: bool
    open: list[HorusCard]
    backs: list[str]
    packed: int
    cursed: list[str]
    chests: list[int] | None
    points: int
    parts: dict[str, int] | None


class HorusShown(TypedDict):
    """A card that was just drawn, for a moment."""

    seat: int
    card: HorusCard


class HorusBoard(TypedDict):
    """The board of The Pyramid of Horus.

    `asking` is what `turn` is asked for; `turn` is who is asked, or whose part of the phase it is; `order` are those
    inside, from the keeper of the dice on. `reachable` are the squares from which a way out is left, `one_way` what of
    these a single block more would cut off, and which. `level_table` has the level by 0, 1, 2 … cards; `house` says
    what bears a figure of our own.
    """

    phase: str
    asking: str | None
    turn: int | None
    round: int
    keeper: int
    order: list[int]
    plan: HorusPlan
    blocks: HorusBlocks
    reachable: list[str]
    one_way: dict[str, list[int]]
    mummies: list[HorusMummySeen]
    dice: HorusDice
    decks: list[HorusDeck]
    sarcophagi: list[HorusSarcophagus]
    idols: list[HorusIdol]
    seats: list[HorusSeat]
    shown: HorusShown | None
    cast_off: int
    level_table: list[int]
    house: list[str]
    most_cards: int
    secrecy: bool
    odds: bool
    adventurers: dict[str, str]


class HorusTombRead(TypedDict):
    """A sarcophagus that this seat has read; without its card where that lies at the table."""

    god: str
    square: str
    card: HorusCard | None


class HorusHand(TypedDict):
    """What one seat alone sees: all its cards, and what they are worth if it got out with these, chests apart.

    `gods` are those of which it holds something, for the diversity bonus; `looked` is the block it looked at, while
    that is set aside or is to be decided on; `may_discard` what can be laid off where it is asked to; `packed` what it
    has put into satchels, in total secrecy, and `may_pack` what it can put there now; `uses` what it can use now.
    """

    cards: list[HorusCard]
    level: int
    count: int
    gods: list[str]
    worth: int
    looked: int | None
    read: list[HorusTombRead]
    may_discard: list[str]
    packed: list[HorusCard]
    may_pack: list[HorusCard]
    uses: list[Use]


def board(table: Pyramid) -> HorusBoard:
    """What lies on the table: cards that lie face down by their backs, as long as they do."""
    state, terms = table.state, table.terms
    return {
        "phase": state.phase,
        "asking": state.asking or None,
        "turn": _turn(table),
        "round": state.round,
        "keeper": state.keeper,
        "order": list(table.inside),
        "plan": _plan(terms),
        "blocks": _blocks(table),
        "reachable": sorted(cut_off_by(table)),
        "one_way": {square: list(numbers) for square, numbers in cut_off_by(table).items() if numbers},
        "mummies": [_mummy(table, mummy) for mummy in state.mummies],
        "dice": _dice(table),
        "decks": [
            {"area": area, "left": left.total, "of": of.total}
            for area, left, of in zip(AREAS, state.decks, terms.decks, strict=True)
        ],
        "sarcophagi": _sarcophagi(table),
        "idols": [_idol(table, each) for each in terms.idols],
        "seats": [_seat(table, seat) for seat in range(terms.seats)],
        "shown": None if state.shown is None else {"seat": state.shown.seat, "card": card_facts(state.shown.card)},
        "cast_off": len(state.cast_off),
        "level_table": list(terms.levels),
        "house": list(terms.box.marked),
        "most_cards": terms.most_cards,
        "secrecy": terms.secrecy,
        "odds": terms.odds,
        "adventurers": dict(terms.abilities),
    }


def card_facts(card: str, terms: HorusTerms | None = None) -> HorusCard:
    """A card, with what is printed on it."""
    worth = terms.idols[god(card)] if terms is not None and kind(card) == IDOL else value(card)
    return {"card": card, "kind": kind(card), "god": god(card) or None, "value": worth or None}


def hand(table: Pyramid) -> HorusHand:
    """What only the seat whose hand it is sees."""
    state, terms, mine = table.state, table.terms, table.mine
    parts = parts_of(terms, mine)
    looked = state.looked if state.looker == table.seat else 0
    asked = state.seat_asked == table.seat
    discardable = {
        "ready": tuple(dict.fromkeys(card for card in mine.cards if not is_wound(card))),
        "discard": table.makes_room(table.seat),
    }
    return {
        "cards": [card_facts(card, terms) for card in mine.cards],
        "level": mine.level or table.level(table.seat),
        "count": table.held(table.seat),
        "gods": sorted(gods_of(mine.cards)),
        "worth": sum(parts.values()),
        "looked": looked or None,
        "read": [
            {"god": slot.god, "square": slot.square, "card": card_facts(tomb.card) if tomb.card else None}
            for slot, tomb in zip(terms.slots, state.sarcophagi, strict=True)
            if tomb.reader == table.seat
        ],
        "may_discard": list(discardable.get(state.asking, ())) if asked else [],
        "packed": [card_facts(card, terms) for card in mine.packed],
        "may_pack": [
            card_facts(pack.card, terms) for pack in Pack.thinkable(table) if asked and not pack.why_not(table)
        ],
        "uses": [msgspec.to_builtins(use) for use in Use.thinkable(table) if not use.why_not(table)] if asked else [],
    }


def _turn(table: Pyramid) -> int | None:
    if table.state.phase in ("over", "chests"):
        return None
    return table.state.seat_asked if table.state.asking else table.state.seat


def _plan(terms: HorusTerms) -> HorusPlan:
    plan = terms.box.plan
    corridor = plan.corridor
    return {
        "grid": [list(row) for row in plan.grid],
        "walls": [list(wall) for wall in plan.walls],
        "from": terms.box.origin("plan.grid"),
        "entrances": list(plan.entrances),
        "corridor": {"left": list(corridor.left), "far": list(corridor.far), "right": list(corridor.right)},
        "areas": {area: list(squares) for area, squares in plan.areas.items()},
        "alcoves": {each: list(squares) for each, squares in plan.alcoves.items()},
    }


def _blocks(table: Pyramid) -> HorusBlocks:
    state = table.state
    aside: HorusAside | None = {"seat": state.looker, "by": state.seer, "kept": state.kept} if state.seer else None
    return {
        "left": len(state.boxed),
        "of": len(table.terms.blocks),
        "fallen": list(state.fallen),
        "last": state.fallen[-1] if state.fallen else None,
        "aside": aside,
    }


def _mummy(table: Pyramid, mummy: Mummy) -> HorusMummySeen:
    stretches = {
        "left": table.terms.box.plan.corridor.left,
        "far": table.terms.box.plan.corridor.far,
        "right": table.terms.box.plan.corridor.right,
    }
    return {
        "mummy": mummy.name,
        "square": mummy.at,
        "towards": mummy.walker.towards,
        "stretch": next(name for name, squares in stretches.items() if squares == mummy.walker.stretch),
        "lying": mummy.lying,
        "seat": None if mummy.seat == NOBODY else mummy.seat,
    }


def _dice(table: Pyramid) -> HorusDice:
    state, terms = table.state, table.terms
    lying = state.lock and 0 not in state.lock_dice
    return {
        "gods": list(terms.dice),
        "colours": list(table.colours),
        "faces": terms.faces,
        "mummies_from": terms.mummies_from,
        "action": [face or None for face in table.dice("action")],
        "mummy": [face or None for face in table.dice("mummy")],
        "lock": [face or None for face in state.lock_dice],
        "rolling": table.roll or None,
        "lock_of": state.lock or None,
        "missing": list(table.missing()) if lying else [],
    }


def _sarcophagi(table: Pyramid) -> list[HorusSarcophagus]:
    rows = zip(table.terms.slots, table.state.sarcophagi, strict=True)
    return [
        {
            "god": slot.god,
            "square": slot.square,
            "open": tomb.is_open,
            "looted": tomb.looted,
            "read_by": None if tomb.reader == NOBODY else tomb.reader,
            "card": card_facts(tomb.card) if tomb.is_open and not tomb.looted and tomb.card else None,
        }
        for slot, tomb in rows
    ]


def _idol(table: Pyramid, of: str) -> HorusIdol:
    terms = table.terms
    rows = enumerate(table.state.adventurers)
    return {
        "god": of,
        "value": terms.idols[of],
        "lock": list(terms.locks[of]),
        "colour": table.colours[terms.dice.index(of)],
        "holder": next((seat for seat, each in rows if f"idol-{of}" in each.cards), None),
        "in_alcove": of in table.state.idols,
    }


def _seat(table: Pyramid, seat: int) -> HorusSeat:
    state, terms, mine = table.state, table.terms, table.state.adventurers[seat]
    over = not table.masked
    parts = parts_of(terms, mine) if over and mine.fate == "left" else None
    return {
        "seat": seat,
        "adventurer": mine.who or None,
        "ability": terms.abilities.get(mine.who),
        "used": mine.used,
        "square": mine.square or None,
        "fate": mine.fate,
        "rests": mine.rests or None,
        "cards": table.held(seat),
        "level": mine.level or table.level(seat),
        "actions": mine.actions,
        "rolled": state.phase in ("acting", "walking", "falling"),
        "open": [card_facts(card, terms) for card in mine.cards if kind(card) != HIDDEN],
        "backs": [back(card) for card in mine.cards if kind(card) == HIDDEN],
        "packed": len(mine.packed),
        "cursed": sorted(table.cursed(seat)),
        "chests": list(mine.chests) if state.phase in ("chests", "over") else None,
        "points": _points(terms, mine, over=over),
        "parts": dict(parts) if parts else None,
    }


def _points(terms: HorusTerms, mine: Adventurer, *, over: bool) -> int:
    """The points that everybody can count: those of open idols; at the end all."""
    if over:
        return sum(parts_of(terms, mine).values()) if mine.fate == "left" else 0
    return sum(terms.idols[god(card)] for card in mine.cards if kind(card) == IDOL)
