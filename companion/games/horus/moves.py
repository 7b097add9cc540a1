"""What a seat does in the pyramid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

from msgspec.structs import replace

from companion.games.horus.cards import HIDDEN, back, god, is_treasure, is_wound, kind, value, without
from companion.games.horus.events import Jumping, Opening, RollingForLock, Searching
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, DICE, OUTSIDE, as_it_lies, as_they_lie
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret


class Deed(Act[Pyramid], frozen=True):
    """A move, after which the round goes on by itself."""

    def done(self, here: Pyramid) -> Pyramid:
        return self.does(here.cleared()).flowed()

    def does(self, here: Pyramid) -> Pyramid:
        """What the move itself does."""
        raise NotImplementedError


class Enter(Deed, frozen=True, tag="enter"):
    """Choose an adventurer, and the entrance square to begin on."""

    adventurer: str
    square: str

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Enter]:
        return (cls(who, square) for who in here.terms.abilities for square in here.terms.plan.exits)

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.not_asked("enter", rule="HOR-01"):
            return refusal
        if self.adventurer not in here.terms.abilities:
            return Illegal("horus.no_adventurer", rule="HOR-01", adventurers=list(here.terms.abilities))
        if any(each.who == self.adventurer for each in here.state.adventurers):
            return Illegal("horus.adventurer_taken", rule="HOR-01", adventurer=self.adventurer)
        if self.square not in here.terms.plan.exits:
            return Illegal("horus.no_entrance", rule="HOR-01", squares=list(here.terms.plan.exits))
        return None

    def does(self, here: Pyramid) -> Pyramid:
        return here.with_seat(here.seat, who=self.adventurer, square=self.square, fate="inside")


def out_of_a_satchel(here: Any) -> bool:
    """Whether all see if a card comes out of a satchel [HOR-13]."""
    return bool(here.state.adventurers[here.seat].packed)


class Ready(Deed, frozen=True, tag="ready"):
    """Lay off what one does not want to carry, before one's level is read."""

    sampled = True

    discard: Annotated[tuple[str, ...], Secret(as_they_lie, passing=out_of_a_satchel)] = ()

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Ready]:
        """Nothing, each card by itself, and all together: there are too many sets to list."""
        yield cls()
        cards = tuple(card for card in here.mine.cards if not is_wound(card))
        for card in dict.fromkeys(cards):
            yield cls((card,))
        if len(cards) > 1:
            yield cls(cards)

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.not_asked("ready", rule="HOR-11"):
            return refusal
        left = here.mine.cards
        for card in self.discard:
            if refusal := here.no_card(card):
                return refusal
            if card not in left:
                return Illegal("horus.no_such_card", rule="HOR-11", card=kind(card))
            left = without(left, card)
        return None

    def does(self, here: Pyramid) -> Pyramid:
        return here.laid_off(here.seat, *self.discard).without_next().level_read(here.seat)

    def told(self, here: Pyramid) -> Facts:
        seen = [kind(card) for card in self.discard if kind(card) != HIDDEN]
        hidden = len(self.discard) - len(seen)
        if not self.discard:
            return {"type": "ready"}
        if not seen:
            return {"type": "ready_hidden", "n": hidden}
        own = any(map(is_treasure, self.discard)) and not hidden
        return {"type": "ready_own" if own else "ready_mixed" if hidden else "ready_open", "cards": seen, "n": hidden}


class Step(Deed, frozen=True, tag="step"):
    """Walk to the next square, or out of the pyramid."""

    to: str

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Step]:
        yield from map(cls, here.terms.plan.neighbours.get(here.mine.square, ()))
        yield cls(OUTSIDE)

    def why_not(self, here: Pyramid) -> Refusal | None:
        return here.no_action() or no_way(here, self.to, out="HOR-60")

    def does(self, here: Pyramid) -> Pyramid:
        spent = here.spent()
        if self.to == OUTSIDE:
            return spent.gone(here.seat, "left")
        if here.state.lock and here.state.lock not in here.terms.alcoves_at.get(self.to, ()):
            spent = spent.without_lock()
        return spent.entered(here.seat, self.to)

    def told(self, here: Pyramid) -> Facts:
        return {"type": "leave"} if self.to == OUTSIDE else {"type": "step", "to": self.to}


def no_way(here: Pyramid, to: str, *, out: str | None = None) -> Refusal | None:
    """Why a figure cannot go to a square; or out, by that rule, where it may."""
    at = here.mine.square
    if to == OUTSIDE and out is not None:
        return None if at in here.terms.plan.exits else Illegal("horus.no_way_out_here", rule=out)
    if to not in here.terms.area:
        return Illegal("horus.no_square", rule="HOR-31", square=to)
    if to not in here.terms.plan.neighbours.get(at, ()):
        return Illegal("horus.no_step", rule="HOR-31", square=to, here=at)
    return None if to in here.steps(at) else Illegal("horus.block_there", rule="HOR-31", square=to)


class Search(Deed, frozen=True, tag="search"):
    """Turn over the top card of the area's deck."""

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.no_action():
            return refusal
        area = here.terms.area.get(here.mine.square)
        if area not in AREAS:
            return Illegal("horus.no_search_here", rule="HOR-32")
        if not here.state.decks[AREAS.index(area)].total:
            return Illegal("horus.deck_empty", rule="HOR-32", area=area)
        return here.no_room()

    def does(self, here: Pyramid) -> Pyramid:
        return here.spent().with_next(Searching(AREAS.index(here.terms.area[here.mine.square])))

    def told(self, here: Pyramid) -> Facts:
        return {"type": "search", "area": here.terms.area[here.mine.square]}


class Open(Deed, frozen=True, tag="open"):
    """Turn up what lies in the sarcophagus before one; the god says which, where there are several."""

    god: str = ""

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Open]:
        yield cls()
        yield from map(cls, gods_here(here))

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.no_action() or no_tomb(here, self.god):
            return refusal
        at = here.tomb_here(self.god)
        is_open = at is not None and here.state.sarcophagi[at].is_open
        return Illegal("horus.open_already", rule="HOR-33") if is_open else None

    def does(self, here: Pyramid) -> Pyramid:
        at = here.tomb_here(self.god)
        if at is None:
            raise AssertionError("no sarcophagus to open")
        return here.spent().with_next(Opening(at))

    def told(self, here: Pyramid) -> Facts:
        at = here.tomb_here(self.god)
        return {"type": "open", "god": here.terms.slots[at].god if at is not None else "", "square": here.mine.square}


def gods_here(here: Pyramid) -> list[str]:
    """The gods whose sarcophagi stand before a figure."""
    return [here.terms.slots[at].god for at in here.terms.slots_at.get(here.mine.square, ())]


def no_tomb(here: Pyramid, named: str) -> Refusal | None:
    """Why there is no such sarcophagus before a figure."""
    if here.tomb_here(named) is not None:
        return None
    found = [at for at in here.terms.slots_at.get(here.mine.square, ()) if not here.state.sarcophagi[at].looted]
    if not found:
        return Illegal("horus.no_sarcophagus", rule="HOR-33")
    key = "horus.which_god" if len(found) > 1 else "horus.one_only"
    return Illegal(key, rule="HOR-33", gods=[here.terms.slots[at].god for at in found])


class Loot(Deed, frozen=True, tag="loot"):
    """Take the treasure of an open sarcophagus."""

    god: str = ""

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Loot]:
        yield cls()
        yield from map(cls, gods_here(here))

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.no_action() or no_tomb(here, self.god):
            return refusal
        at = here.tomb_here(self.god)
        if at is None or not here.state.sarcophagi[at].is_open:
            return Illegal("horus.closed_still", rule="HOR-33")
        return here.no_room()

    def does(self, here: Pyramid) -> Pyramid:
        at = here.tomb_here(self.god)
        if at is None:
            raise AssertionError("no sarcophagus to loot")
        tombs = here.state.sarcophagi
        found = here.spent().taken(here.seat, tombs[at].card)
        return found.but(sarcophagi=changed(tombs, at, replace(tombs[at], looted=True)))

    def told(self, here: Pyramid) -> Facts:
        at = here.tomb_here(self.god)
        card = here.state.sarcophagi[at].card if at is not None else ""
        return {"type": "loot", "god": god(card), "value": value(card), "square": here.mine.square}


class Pick(Deed, frozen=True, tag="pick"):
    """Roll for a lock, roll some of its dice again, or supply what is still missing."""

    reroll: tuple[int, ...] = ()
    crowbar: int = 0
    ability: bool = False
    god: str = ""

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Pick]:
        if here.state.asking != "act":
            return
        for named in ("", *here.terms.alcoves_at.get(here.mine.square, ())):
            wanted = here.lock_here(named)
            if not wanted:
                continue
            yield cls(god=named)
            if wanted == here.state.lock:
                sets = (places for n in range(1, DICE + 1) for places in combinations(range(DICE), n))
                yield from (cls(reroll=places, god=named) for places in sets if here.mine.actions)
                yield from (cls(crowbar=n, ability=used, god=named) for n, used in here.supplies)

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.not_asked("act", rule="HOR-34"):
            return refusal
        wanted = here.lock_here(self.god)
        if not wanted:
            return no_lock(here)
        if refusal := here.no_room():
            return refusal
        if wanted != here.state.lock:
            if self.reroll or self.crowbar or self.ability:
                return Illegal("horus.roll_first", rule="HOR-34")
            return here.no_action("HOR-34")
        return self._cannot_be_supplied(here) if self.crowbar or self.ability else self._cannot_be_rolled(here)

    def _cannot_be_rolled(self, here: Pyramid) -> Refusal | None:
        """Why these dice are not rolled again."""
        if not self.reroll or any(self.reroll[n] >= self.reroll[n + 1] for n in range(len(self.reroll) - 1)):
            return Illegal("horus.choose_dice", rule="HOR-34", n=DICE)
        if not all(0 <= place < DICE for place in self.reroll):
            return Illegal("horus.choose_dice", rule="HOR-34", n=DICE)
        return here.no_action("HOR-34")

    def _cannot_be_supplied(self, here: Pyramid) -> Refusal | None:
        """Why crowbars and the ability do not open it."""
        if self.reroll:
            return Illegal("horus.roll_or_supply", rule="HOR-35")
        if not 0 <= self.crowbar <= here.mine.cards.count("crowbar"):
            return Illegal("horus.no_crowbar", rule="HOR-35")
        if self.ability and here.ability(here.seat) != "lock_picking":
            return Illegal("horus.no_ability", rule="HOR-35", ability="lock_picking")
        missing, helpers = len(here.missing()), self.crowbar + self.ability
        if here.terms.rules == 1:
            return Illegal("horus.supplies", rule="HOR-35", n=missing) if helpers != missing else None
        return None if helpers == missing == 1 else Illegal("horus.one_helper", rule="HOR-35", n=missing)

    def does(self, here: Pyramid) -> Pyramid:
        wanted = here.lock_here(self.god)
        if self.crowbar or self.ability:
            supplied = here.laid_off(here.seat, *("crowbar",) * self.crowbar)
            return (supplied.ability_used(here.seat) if self.ability else supplied).idol_taken()
        if wanted != here.state.lock:
            return here.spent().but(lock=wanted, lock_dice=(0,) * DICE).with_next(RollingForLock())
        dice = tuple(0 if place in self.reroll else face for place, face in enumerate(here.state.lock_dice))
        return here.spent().but(lock_dice=dice).with_next(RollingForLock())

    def told(self, here: Pyramid) -> Facts:
        wanted = here.lock_here(self.god)
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


def no_lock(here: Pyramid) -> Refusal:
    """Why there is no such lock before a figure."""
    found = [each for each in here.terms.alcoves_at.get(here.mine.square, ()) if each in here.state.idols]
    if not found:
        return Illegal("horus.no_alcove", rule="HOR-34")
    return Illegal("horus.which_god" if len(found) > 1 else "horus.one_only", rule="HOR-34", gods=found)


class Jump(Deed, frozen=True, tag="jump"):
    """Jump out from under a block."""

    to: str

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Jump]:
        return map(cls, here.terms.plan.neighbours.get(here.mine.square, ()))

    def why_not(self, here: Pyramid) -> Refusal | None:
        return here.not_asked("jump", rule="HOR-50") or no_way(here, self.to)

    def does(self, here: Pyramid) -> Pyramid:
        first = here.state.pending[0]
        is_hurt = not (isinstance(first, Jumping) and first.dodged)
        there = here.without_next()
        return (there.block_wounded(here.seat) if is_hurt else there).entered(here.seat, self.to)


class Discard(Deed, frozen=True, tag="discard"):
    """Lay off a card, where there are too many."""

    card: Annotated[str, Secret(as_it_lies, passing=out_of_a_satchel)]

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Discard]:
        return map(cls, here.makes_room(here.seat)) if here.state.asking == "discard" else iter(())

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.not_asked("discard", rule="HOR-12") or here.no_card(self.card):
            return refusal
        if self.card in here.makes_room(here.seat):
            return None
        return Illegal("horus.makes_no_room", rule="HOR-12", card=kind(self.card))

    def does(self, here: Pyramid) -> Pyramid:
        return here.laid_off(here.seat, self.card)

    def told(self, here: Pyramid) -> Facts:
        if kind(self.card) == HIDDEN:
            return {"type": "discard_hidden", "god": back(self.card)}
        own: Facts = {"type": "discard_own", "value": value(self.card)} if is_treasure(self.card) else {}
        return {"type": "discard", "card": kind(self.card), **own}


class Pack(Deed, frozen=True, tag="pack"):
    """Put a treasure into a satchel, in total secrecy: nobody else can tell that it is one before."""

    card: Annotated[str, Secret(as_it_lies)]

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Pack]:
        return map(cls, here.packable)

    def why_not(self, here: Pyramid) -> Refusal | None:
        if refusal := here.not_asked("ready", "act", "discard", rule="HOR-13") or here.no_card(self.card):
            return refusal
        if self.card in here.packable:
            return None
        key = "horus.no_satchel_room" if is_treasure(self.card) else "horus.not_to_pack"
        return Illegal(key, rule="HOR-13", card=kind(self.card))

    def does(self, here: Pyramid) -> Pyramid:
        return here.with_seat(here.seat, packed=(*here.mine.packed, self.card))

    def told(self, here: Pyramid) -> Facts:
        if kind(self.card) == HIDDEN:
            return {"type": "pack", "god": back(self.card)}
        return {"type": "pack_own", "card": kind(self.card), "value": value(self.card)}


class End(Deed, frozen=True, tag="end"):
    """Do no more this round."""

    def why_not(self, here: Pyramid) -> Refusal | None:
        return here.not_asked("act", rule="HOR-30")

    def does(self, here: Pyramid) -> Pyramid:
        first = here.state.pending[0]
        return first.happens(here.without_next())
