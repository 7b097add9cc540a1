"""What a seat does in the pyramid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any, Self

from msgspec.structs import replace

from companion.games.horus.cards import HIDDEN, back, god, is_treasure, is_wound, kind, value
from companion.games.horus.events import Jumping, Opening, RollingForLock, Searching
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, DICE, OUTSIDE, as_it_lies, as_they_lie
from companion.parts import Act, Facts, changed
from companion.pieces.cards import without_one
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret


class HorusAct(Act[Pyramid], frozen=True):
    """A move; afterwards the round goes on by itself."""

    def done(self, table: Pyramid) -> Pyramid:
        return self.applied(table.cleared()).flowed()

    def applied(self, table: Pyramid) -> Pyramid:
        """The table after the move, before the round goes on."""
        raise NotImplementedError


class Enter(HorusAct, frozen=True, tag="enter"):
    """Choose an adventurer, and the entrance square to begin on."""

    adventurer: str
    square: str

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Enter]:
        return (cls(who, square) for who in table.terms.abilities for square in table.terms.plan.exits)

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.not_asked("enter", rule="HOR-01"):
            return refusal
        if self.adventurer not in table.terms.abilities:
            return Illegal("horus.no_adventurer", rule="HOR-01", adventurers=list(table.terms.abilities))
        if any(each.who == self.adventurer for each in table.state.adventurers):
            return Illegal("horus.adventurer_taken", rule="HOR-01", adventurer=self.adventurer)
        if self.square not in table.terms.plan.exits:
            return Illegal("horus.no_entrance", rule="HOR-01", squares=list(table.terms.plan.exits))
        return None

    def applied(self, table: Pyramid) -> Pyramid:
        return table.with_seat(table.seat, who=self.adventurer, square=self.square, fate="inside")


def out_of_a_satchel(table: Any) -> bool:
    """Whether everybody sees that a card comes out of a satchel [HOR-13]."""
    return bool(table.state.adventurers[table.seat].packed)


class Ready(HorusAct, frozen=True, tag="ready"):
    """Lay off cards before the level is read."""

    sampled = True

    discard: Annotated[tuple[str, ...], Secret(as_they_lie, passing=out_of_a_satchel)] = ()

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Ready]:
        """No card, each alone, and all together; there are too many other sets to list."""
        yield cls()
        cards = tuple(card for card in table.mine.cards if not is_wound(card))
        for card in dict.fromkeys(cards):
            yield cls((card,))
        if len(cards) > 1:
            yield cls(cards)

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.not_asked("ready", rule="HOR-11"):
            return refusal
        left = table.mine.cards
        for card in self.discard:
            if refusal := table.no_card(card):
                return refusal
            if card not in left:
                return Illegal("horus.no_such_card", rule="HOR-11", card=kind(card))
            left = without_one(left, card)
        return None

    def applied(self, table: Pyramid) -> Pyramid:
        return table.laid_off(table.seat, *self.discard).without_next().level_read(table.seat)

    def log_facts(self, table: Pyramid) -> Facts:
        seen = [kind(card) for card in self.discard if kind(card) != HIDDEN]
        hidden = len(self.discard) - len(seen)
        if not self.discard:
            return {"type": "ready"}
        if not seen:
            return {"type": "ready_hidden", "n": hidden}
        own = any(map(is_treasure, self.discard)) and not hidden
        return {"type": "ready_own" if own else "ready_mixed" if hidden else "ready_open", "cards": seen, "n": hidden}


class Step(HorusAct, frozen=True, tag="step"):
    """Walk to the next square, or out of the pyramid."""

    to: str

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Step]:
        yield from map(cls, table.terms.plan.neighbours.get(table.mine.square, ()))
        yield cls(OUTSIDE)

    def price(self, table: Pyramid) -> int:
        return 1

    def why_not(self, table: Pyramid) -> Refusal | None:
        return table.no_action() or no_way(table, self.to, out="HOR-60")

    def applied(self, table: Pyramid) -> Pyramid:
        spent = table.spent()
        if self.to == OUTSIDE:
            return spent.without_figure(table.seat, "left")
        if table.state.lock and table.state.lock not in table.terms.alcoves_at.get(self.to, ()):
            spent = spent.without_lock()
        return spent.entered(table.seat, self.to)

    def log_facts(self, table: Pyramid) -> Facts:
        return {"type": "leave"} if self.to == OUTSIDE else {"type": "step", "to": self.to}


def no_way(table: Pyramid, to: str, *, out: str | None = None) -> Refusal | None:
    """Why a figure cannot go to a square; or out, by that rule, where it may."""
    at = table.mine.square
    if to == OUTSIDE and out is not None:
        return None if at in table.terms.plan.exits else Illegal("horus.no_way_out_here", rule=out)
    if to not in table.terms.area:
        return Illegal("horus.no_square", rule="HOR-31", square=to)
    if to not in table.terms.plan.neighbours.get(at, ()):
        return Illegal("horus.no_step", rule="HOR-31", square=to, here=at)
    return None if to in table.steps(at) else Illegal("horus.block_there", rule="HOR-31", square=to)


class Search(HorusAct, frozen=True, tag="search"):
    """Turn over the top card of the area's deck."""

    def price(self, table: Pyramid) -> int:
        return 1

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.no_action():
            return refusal
        area = table.terms.area.get(table.mine.square)
        if area not in AREAS:
            return Illegal("horus.no_search_here", rule="HOR-32")
        if not table.state.decks[AREAS.index(area)].total:
            return Illegal("horus.deck_empty", rule="HOR-32", area=area)
        return table.no_room()

    def applied(self, table: Pyramid) -> Pyramid:
        return table.spent().with_next(Searching(AREAS.index(table.terms.area[table.mine.square])))

    def log_facts(self, table: Pyramid) -> Facts:
        return {"type": "search", "area": table.terms.area[table.mine.square]}


class AtSarcophagus(HorusAct, frozen=True):
    """An action at a sarcophagus beside the figure; `god` says which, where there are several."""

    god: str = ""

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Self]:
        yield cls()
        yield from map(cls, gods_here(table))

    def price(self, table: Pyramid) -> int:
        return 1


class Open(AtSarcophagus, frozen=True, tag="open"):
    """Turn up the card in a sarcophagus beside the figure."""

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.no_action() or no_tomb(table, self.god):
            return refusal
        at = table.tomb_here(self.god)
        is_open = at is not None and table.state.sarcophagi[at].is_open
        return Illegal("horus.open_already", rule="HOR-33") if is_open else None

    def applied(self, table: Pyramid) -> Pyramid:
        at = table.tomb_here(self.god)
        if at is None:
            raise AssertionError("no sarcophagus to open")
        return table.spent().with_next(Opening(at))

    def log_facts(self, table: Pyramid) -> Facts:
        at = table.tomb_here(self.god)
        return {"type": "open", "god": table.terms.slots[at].god if at is not None else "", "square": table.mine.square}


def gods_here(table: Pyramid) -> list[str]:
    """The gods whose sarcophagi stand before a figure."""
    return [table.terms.slots[at].god for at in table.terms.slots_at.get(table.mine.square, ())]


def no_tomb(table: Pyramid, named: str) -> Refusal | None:
    """Why there is no such sarcophagus before a figure."""
    if table.tomb_here(named) is not None:
        return None
    found = [at for at in table.terms.slots_at.get(table.mine.square, ()) if not table.state.sarcophagi[at].looted]
    if not found:
        return Illegal("horus.no_sarcophagus", rule="HOR-33")
    key = "horus.which_god" if len(found) > 1 else "horus.one_only"
    return Illegal(key, rule="HOR-33", gods=[table.terms.slots[at].god for at in found])


class Loot(AtSarcophagus, frozen=True, tag="loot"):
    """Take the treasure of an open sarcophagus."""

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.no_action() or no_tomb(table, self.god):
            return refusal
        at = table.tomb_here(self.god)
        if at is None or not table.state.sarcophagi[at].is_open:
            return Illegal("horus.closed_still", rule="HOR-33")
        return table.no_room()

    def applied(self, table: Pyramid) -> Pyramid:
        at = table.tomb_here(self.god)
        if at is None:
            raise AssertionError("no sarcophagus to loot")
        tombs = table.state.sarcophagi
        found = table.spent().taken(table.seat, tombs[at].card)
        return found.replace(sarcophagi=changed(tombs, at, replace(tombs[at], looted=True)))

    def log_facts(self, table: Pyramid) -> Facts:
        at = table.tomb_here(self.god)
        card = table.state.sarcophagi[at].card if at is not None else ""
        return {"type": "loot", "god": god(card), "value": value(card), "square": table.mine.square}


class Pick(HorusAct, frozen=True, tag="pick"):
    """Roll for a lock, roll some of its dice again, or supply what is still missing."""

    reroll: tuple[int, ...] = ()
    crowbar: int = 0
    ability: bool = False
    god: str = ""

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Pick]:
        if table.state.asking != "act":
            return
        for named in ("", *table.terms.alcoves_at.get(table.mine.square, ())):
            wanted = table.lock_here(named)
            if not wanted:
                continue
            yield cls(god=named)
            if wanted == table.state.lock:
                sets = (places for n in range(1, DICE + 1) for places in combinations(range(DICE), n))
                yield from (cls(reroll=places, god=named) for places in sets if table.mine.actions)
                yield from (cls(crowbar=n, ability=used, god=named) for n, used in table.supplies)

    def price(self, table: Pyramid) -> int:
        return 0 if self.crowbar or self.ability else 1

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.not_asked("act", rule="HOR-34"):
            return refusal
        wanted = table.lock_here(self.god)
        if not wanted:
            return no_lock(table)
        if refusal := table.no_room():
            return refusal
        if wanted != table.state.lock:
            if self.reroll or self.crowbar or self.ability:
                return Illegal("horus.roll_first", rule="HOR-34")
            return table.no_action("HOR-34")
        return self._cannot_be_supplied(table) if self.crowbar or self.ability else self._cannot_be_rolled(table)

    def _cannot_be_rolled(self, table: Pyramid) -> Refusal | None:
        """Why these dice are not rolled again."""
        if not self.reroll or any(self.reroll[n] >= self.reroll[n + 1] for n in range(len(self.reroll) - 1)):
            return Illegal("horus.choose_dice", rule="HOR-34", n=DICE)
        if not all(0 <= place < DICE for place in self.reroll):
            return Illegal("horus.choose_dice", rule="HOR-34", n=DICE)
        return table.no_action("HOR-34")

    def _cannot_be_supplied(self, table: Pyramid) -> Refusal | None:
        """Why crowbars and the ability do not open it."""
        if self.reroll:
            return Illegal("horus.roll_or_supply", rule="HOR-35")
        if not 0 <= self.crowbar <= table.mine.cards.count("crowbar"):
            return Illegal("horus.no_crowbar", rule="HOR-35")
        if self.ability and table.ability(table.seat) != "lock_picking":
            return Illegal("horus.no_ability", rule="HOR-35", ability="lock_picking")
        missing, helpers = len(table.missing()), self.crowbar + self.ability
        if table.terms.rules == 1:
            return Illegal("horus.supplies", rule="HOR-35", n=missing) if helpers != missing else None
        return None if helpers == missing == 1 else Illegal("horus.one_helper", rule="HOR-35", n=missing)

    def applied(self, table: Pyramid) -> Pyramid:
        wanted = table.lock_here(self.god)
        if self.crowbar or self.ability:
            supplied = table.laid_off(table.seat, *("crowbar",) * self.crowbar)
            return (supplied.ability_used(table.seat) if self.ability else supplied).idol_taken()
        if wanted != table.state.lock:
            return table.spent().replace(lock=wanted, lock_dice=(0,) * DICE).with_next(RollingForLock())
        dice = tuple(0 if place in self.reroll else face for place, face in enumerate(table.state.lock_dice))
        return table.spent().replace(lock_dice=dice).with_next(RollingForLock())

    def log_facts(self, table: Pyramid) -> Facts:
        wanted = table.lock_here(self.god)
        if self.crowbar or self.ability:
            return {"type": "supply", "god": wanted, "n": self.crowbar + self.ability}
        return (
            {"type": "pick_again", "god": wanted, "n": len(self.reroll)}
            if self.reroll
            else {
                "type": "pick",
                "god": wanted,
            }
        )


def no_lock(table: Pyramid) -> Refusal:
    """Why there is no such lock before a figure."""
    found = [each for each in table.terms.alcoves_at.get(table.mine.square, ()) if each in table.state.idols]
    if not found:
        return Illegal("horus.no_alcove", rule="HOR-34")
    return Illegal("horus.which_god" if len(found) > 1 else "horus.one_only", rule="HOR-34", gods=found)


class Jump(HorusAct, frozen=True, tag="jump"):
    """Jump out from under a block."""

    to: str

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Jump]:
        return map(cls, table.terms.plan.neighbours.get(table.mine.square, ()))

    def why_not(self, table: Pyramid) -> Refusal | None:
        return table.not_asked("jump", rule="HOR-50") or no_way(table, self.to)

    def applied(self, table: Pyramid) -> Pyramid:
        first = table.state.pending[0]
        is_hurt = not (isinstance(first, Jumping) and first.dodged)
        there = table.without_next()
        return (there.block_wounded(table.seat) if is_hurt else there).entered(table.seat, self.to)


class Discard(HorusAct, frozen=True, tag="discard"):
    """Lay off a card, when there are too many."""

    card: Annotated[str, Secret(as_it_lies, passing=out_of_a_satchel)]

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Discard]:
        return map(cls, table.makes_room(table.seat)) if table.state.asking == "discard" else iter(())

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.not_asked("discard", rule="HOR-12") or table.no_card(self.card):
            return refusal
        if self.card in table.makes_room(table.seat):
            return None
        return Illegal("horus.makes_no_room", rule="HOR-12", card=kind(self.card))

    def applied(self, table: Pyramid) -> Pyramid:
        return table.laid_off(table.seat, self.card)

    def log_facts(self, table: Pyramid) -> Facts:
        if kind(self.card) == HIDDEN:
            return {"type": "discard_hidden", "god": back(self.card)}
        own: Facts = {"type": "discard_own", "value": value(self.card)} if is_treasure(self.card) else {}
        return {"type": "discard", "card": kind(self.card), **own}


class Pack(HorusAct, frozen=True, tag="pack"):
    """Put a treasure into a satchel; in total secrecy nobody else knows until then that it is a treasure."""

    card: Annotated[str, Secret(as_it_lies)]

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Pack]:
        return map(cls, table.packable)

    def why_not(self, table: Pyramid) -> Refusal | None:
        if refusal := table.not_asked("ready", "act", "discard", rule="HOR-13") or table.no_card(self.card):
            return refusal
        if self.card in table.packable:
            return None
        key = "horus.no_satchel_room" if is_treasure(self.card) else "horus.not_to_pack"
        return Illegal(key, rule="HOR-13", card=kind(self.card))

    def applied(self, table: Pyramid) -> Pyramid:
        return table.with_seat(table.seat, packed=(*table.mine.packed, self.card))

    def log_facts(self, table: Pyramid) -> Facts:
        if kind(self.card) == HIDDEN:
            return {"type": "pack", "god": back(self.card)}
        return {"type": "pack_own", "card": kind(self.card), "value": value(self.card)}


class End(HorusAct, frozen=True, tag="end"):
    """Do no more this round."""

    def why_not(self, table: Pyramid) -> Refusal | None:
        return table.not_asked("act", rule="HOR-30")

    def applied(self, table: Pyramid) -> Pyramid:
        first = table.state.pending[0]
        return first.happens(table.without_next())
