"""What each seat sees of a game of The Pyramid of Horus.

The board (seats by their index, squares by their names, blocks by their numbers, mummies and adventurers by name)::

    {"phase": "entering" | "ready" | "rolling" | "acting" | "walking" | "falling" | "chests" | "over",
     "asking": "enter" | "ready" | "act" | "jump" | "discard" | "decide" | null,   # what `turn` is asked for
     "turn": 1 | null,                                   # who is asked, or whose part of the phase it is
     "round": 3, "keeper": 0, "order": [0, 1, 2],         # of those inside, from the keeper of the dice on
     "plan": {"grid": [[…], …], "walls": [["A3", "23"], …], "from": "house", "entrances": ["1", …],
              "corridor": {"left": […], "far": […], "right": […]},
              "areas": {"den": ["1", …], "sand": […], "pond": […]},
              "alcoves": {"horus": ["H2", "H3"], …}},      # the squares before each
     "blocks": {"left": 31, "of": 36, "fallen": [7, 12, …],   # in the order of their fall
                "last": 12 | null,
                "aside": {"seat": 2, "by": "udjat" | "prescience", "kept": true | false | null} | null},
     "reachable": ["1", "2", …],                          # the squares from which a way out is left
     "one_way": {"23": [19, 22], …},                      # of those, what a single block more would cut off, and which
     "mummies": [{"mummy": "initkaes", "square": "A3", "towards": "NW", "stretch": "left" | …, "lying": false,
                  "seat": null | 2}, …],                   # whose adventurer it was
     "dice": {"gods": ["sobek", …], "colours": ["green", …], "faces": 6, "mummies_from": 4,
              "action": [3, 1, 4, null, null] | [], "mummy": […], "lock": […],   # null: still to fall
              "rolling": "action" | "mummy" | "lock" | "chest" | null, "lock_of": "horus" | null,
              "missing": [2]},                             # what the lock still wants
     "decks": [{"area": "den", "left": 18, "of": 18}, …],
     "sarcophagi": [{"god": "anubis", "square": "A1", "open": false, "looted": false, "read_by": null | 1,
                     "card": {card} | null}, …],
     "idols": [{"god": "horus", "value": 10, "lock": [1, 2, 3, 4, 5], "colour": "red", "holder": null | 1,
                "in_alcove": true}, …],
     "seats": [{"seat": 0, "adventurer": "gore" | null, "ability": "shooting" | null, "used": false,
                "square": "5" | null, "rests": null | "35",   # where somebody was sealed in
                "fate": "waiting" | "inside" | "left" | "sealed" | "turned",
                "cards": 6, "level": 3,                    # as they count now; this round's once it was read
                "actions": 2, "rolled": true,              # actions left, and whether they have been rolled for
                "open": [{card}, …],                       # equipment, idols and wounds
                "backs": ["sobek" | "hededet" | "anubis" | "thoth" | "horus" | "rubble", …],   # what lies face down
                "packed": 0,                               # so many of these it has put into satchels, in total secrecy
                "cursed": ["sobek"], "chests": null | [4, 2], "points": 0,
                "parts": null | {"treasures": 12, "idols": 6, "chests": 6, "diversity": 3}}, …],
     "shown": {"seat": 1, "card": {card}} | null,          # a card that was just drawn, for a moment
     "cast_off": 4, "level_table": [2, 2, 2, 2, 3, …],     # the level by 0, 1, 2 … cards
     "house": ["die-horus", "idol-horus", "level-2", …],  # what bears a figure of our own
     "most_cards": 12, "secrecy": false, "odds": true, "adventurers": {"gore": "shooting", …}}

A card is ``{"card": "treasure-sobek-5", "kind": "treasure", "god": "sobek" | null, "value": 5 | null}``. ``points`` are
those of the open idols until the end, and then the score; ``parts``, ``chests`` and ``open`` are then whole.

``you``, for a seat alone::

    {"cards": [{card}, …],             # all it has
     "level": 3, "count": 7,
     "gods": ["sobek"],                # of which it holds something, for the diversity bonus
     "worth": 14,                      # printed values and diversity, if it got out with these; chests apart
     "looked": 17 | null,              # the block it looked at, while that is set aside or is to be decided on
     "read": [{"god": "anubis", "square": "A1", "card": {card} | null}],   # null: it lies at the table
     "may_discard": ["udjat", …],      # what can be laid off where it is asked to
     "packed": [{card}, …],            # what it has put into satchels, in total secrecy,
     "may_pack": [{card}, …],          # and what it can put there now
     "uses": [{"type": "use", …}, …]}  # what it can use now: moves as they are sent

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

import msgspec

from companion.game import Json
from companion.games.horus.cards import HIDDEN, IDOL, back, god, is_wound, kind, value
from companion.games.horus.dangers import cut_off_by
from companion.games.horus.moves import Pack
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.score import gods_of, parts_of
from companion.games.horus.state import AREAS, NOBODY, Adventurer, HorusTerms, Mummy
from companion.games.horus.uses import Use
from companion.parts import Facts


def board(table: Pyramid) -> Facts:
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
        "house": list[Json](terms.box.marked),
        "most_cards": terms.most_cards,
        "secrecy": terms.secrecy,
        "odds": terms.odds,
        "adventurers": dict(terms.abilities),
    }


def card_facts(card: str, terms: HorusTerms | None = None) -> Facts:
    """A card, with what is printed on it."""
    worth = terms.idols[god(card)] if terms is not None and kind(card) == IDOL else value(card)
    return {"card": card, "kind": kind(card), "god": god(card) or None, "value": worth or None}


def hand(table: Pyramid) -> Facts:
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


def _plan(terms: HorusTerms) -> Facts:
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


def _blocks(table: Pyramid) -> Facts:
    state = table.state
    aside: Facts | None = {"seat": state.looker, "by": state.seer, "kept": state.kept} if state.seer else None
    return {
        "left": len(state.boxed),
        "of": len(table.terms.blocks),
        "fallen": list(state.fallen),
        "last": state.fallen[-1] if state.fallen else None,
        "aside": aside,
    }


def _mummy(table: Pyramid, mummy: Mummy) -> Facts:
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


def _dice(table: Pyramid) -> Facts:
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


def _sarcophagi(table: Pyramid) -> list[Json]:
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


def _idol(table: Pyramid, of: str) -> Facts:
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


def _seat(table: Pyramid, seat: int) -> Facts:
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
