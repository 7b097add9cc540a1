"""What a seat does in the pyramid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from companion.games.horus.cards import CURED_BY, back, god, is_treasure, is_wound, kind, value, without
from companion.games.horus.pyramid import WARDS, Pyramid
from companion.games.horus.state import AREAS, DICE, NOBODY, OUTSIDE
from companion.referee import Act, Facts, changed
from companion.refusals import Illegal, Refusal


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


class Ready(Deed, frozen=True, tag="ready"):
    """Lay off what one does not want to carry, before one's level is read."""

    sampled = True

    discard: tuple[str, ...] = ()

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
        return here.laid_off(here.seat, *self.discard).readied()

    def told(self, here: Pyramid) -> Facts:
        open_ones = [card for card in self.discard if not is_treasure(card)]
        hidden = len(self.discard) - len(open_ones)
        if not self.discard:
            return {"type": "ready"}
        return {"type": "ready_hidden", "n": hidden} if not open_ones else {
            "type": "ready_mixed" if hidden else "ready_open",
            "cards": [kind(card) for card in open_ones],
            "n": hidden,
        }

    def whispered(self, here: Pyramid) -> Facts:
        if not self.discard:
            return {"type": "ready"}
        return {"type": "ready_own", "cards": [kind(card) for card in self.discard]}

    def secret(self, here: Pyramid) -> bool:
        return any(map(is_treasure, self.discard))


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
        return here.spent().but(due="search", searching=AREAS.index(here.terms.area[here.mine.square]))

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
        return here.spent().but(due="open", tomb=here.tomb_here(self.god))

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
                for crowbars in range(here.mine.cards.count("crowbar") + 1):
                    yield from (cls(crowbar=crowbars, ability=used, god=named) for used in (False, True))

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
        missing = len(here.missing())
        if self.crowbar + self.ability != missing:
            return Illegal("horus.supplies", rule="HOR-35", n=missing)
        return None

    def does(self, here: Pyramid) -> Pyramid:
        wanted = here.lock_here(self.god)
        if self.crowbar or self.ability:
            supplied = here.laid_off(here.seat, *("crowbar",) * self.crowbar)
            return (supplied.ability_used(here.seat) if self.ability else supplied).idol_taken()
        if wanted != here.state.lock:
            return here.spent().but(lock=wanted, lock_dice=(0,) * DICE).rolling("lock")
        dice = tuple(0 if place in self.reroll else face for place, face in enumerate(here.state.lock_dice))
        return here.spent().but(lock_dice=dice).rolling("lock")

    def told(self, here: Pyramid) -> Facts:
        wanted = here.lock_here(self.god)
        if self.crowbar or self.ability:
            return {"type": "supply", "god": wanted, "n": self.crowbar + self.ability}
        return {"type": "pick_again", "god": wanted, "n": len(self.reroll)} if self.reroll else {
            "type": "pick", "god": wanted,
        }


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
        hurt = here if here.state.dodged else here.block_wounded(here.seat)
        return hurt.but(jumping=here.state.jumping[1:], dodged=False).entered(here.seat, self.to)


class Discard(Deed, frozen=True, tag="discard"):
    """Lay off a card, where there are too many."""

    card: str

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
        if is_treasure(self.card):
            return {"type": "discard_hidden", "god": back(self.card)}
        return {"type": "discard", "card": kind(self.card)}

    def whispered(self, here: Pyramid) -> Facts:
        if not is_treasure(self.card):
            return self.told(here)
        return {"type": "discard_own", "card": kind(self.card), "value": value(self.card)}

    def secret(self, here: Pyramid) -> bool:
        return is_treasure(self.card)


class Use(Deed, frozen=True, tag="use"):
    """Use a piece of equipment or one's ability; both take no action."""

    card: str = ""
    ability: str = ""
    wound: str = ""
    mummy: str = ""
    god: str = ""
    keep: bool | None = None

    @classmethod
    def thinkable(cls, here: Pyramid) -> Iterator[Use]:
        state, ability = here.state, here.ability(here.seat)
        if state.asking == "decide":
            by = {"card": state.seer} if state.seer == "udjat" else {"ability": state.seer}
            yield from (cls(**by, keep=keep) for keep in (True, False))
            return
        for card in CURED_BY:
            if card in here.mine.cards:
                yield from (cls(card=card, wound=wound) for wound in CURED_BY[card])
        if "udjat" in here.mine.cards:
            yield cls(card="udjat")
        if ability == "shooting":
            yield from (cls(ability=ability, mummy=mummy.name) for mummy in state.mummies)
        elif ability == "linguistics":
            yield from (cls(ability=ability, god=named) for named in ("", *gods_here(here)))
        elif ability and ability != "lock_picking":
            yield cls(ability=ability)

    def why_not(self, here: Pyramid) -> Refusal | None:
        if here.state.asking == "decide":
            return self._no_decision(here)
        if self.keep is not None:
            return Illegal("horus.nothing_looked_at", rule="HOR-51")
        if bool(self.card) == bool(self.ability):
            return Illegal("horus.card_or_ability", rule="HOR-70")
        return self._no_card(here) if self.card else self._no_ability(here)

    def _no_decision(self, here: Pyramid) -> Refusal | None:
        by = here.state.seer
        asked = Use(card=by, keep=self.keep) if by == "udjat" else Use(ability=by, keep=self.keep)
        return None if self == asked and self.keep is not None else Illegal("horus.keep_or_not", rule="HOR-51")

    def _no_card(self, here: Pyramid) -> Refusal | None:
        """Why a piece of equipment cannot be used."""
        if self.card == "udjat":
            if refusal := here.not_asked("act", rule="HOR-51"):
                return refusal
        elif self.card in CURED_BY:
            if refusal := here.not_asked("ready", "act", "discard", rule="HOR-70"):
                return refusal
        else:
            return Illegal("horus.no_use", rule="HOR-70", card=kind(self.card))
        if self.card not in here.mine.cards:
            return Illegal("horus.no_such_card", rule="HOR-70", card=self.card)
        if self.mummy or self.god or (self.card == "udjat" and self.wound):
            return Illegal("horus.too_much_said", rule="HOR-70")
        if self.card == "udjat":
            return no_look(here)
        if self.wound not in CURED_BY[self.card] or self.wound not in here.mine.cards:
            return Illegal("horus.no_such_wound", rule="HOR-70", cures=list(CURED_BY[self.card]))
        return None

    def _no_ability(self, here: Pyramid) -> Refusal | None:
        """Why an ability cannot be used."""
        ability = self.ability
        if ability not in here.terms.abilities.values():
            return Illegal("horus.unknown_ability", rule="HOR-70")
        rule = RULE_OF[ability]
        if here.ability(here.seat) != ability:
            return Illegal("horus.no_ability", rule=rule, ability=ability)
        extra = (self.wound, self.god if ability != "linguistics" else "", self.mummy if ability != "shooting" else "")
        if any(extra):
            return Illegal("horus.too_much_said", rule=rule)
        match ability:
            case "shooting":
                return here.not_asked("act", rule=rule) or self._no_shot(here)
            case "linguistics":
                return here.not_asked("act", rule=rule) or self._nothing_to_read(here)
            case "prescience":
                return here.not_asked("act", rule=rule) or no_look(here)
            case "dodge":
                refusal = here.not_asked("jump", rule=rule)
                return refusal or (Illegal("horus.dodged_already", rule=rule) if here.state.dodged else None)
            case "endurance":
                return here.not_asked("ready", rule=rule)
            case "reflexes" | "swimming":
                if refusal := here.not_asked("act", "discard", rule=rule):
                    return refusal
                return None if here.state.fresh in WARDS[ability] else Illegal("horus.nothing_fresh", rule=rule)
        return Illegal("horus.by_picking", rule=rule)

    def _no_shot(self, here: Pyramid) -> Refusal | None:
        near = here.near(here.mine.square)
        if any(each.name == self.mummy and not each.lying and each.at in near for each in here.state.mummies):
            return None
        return Illegal("horus.no_target", rule="HOR-71")

    def _nothing_to_read(self, here: Pyramid) -> Refusal | None:
        if refusal := no_tomb(here, self.god):
            return refusal
        at = here.tomb_here(self.god)
        is_open = at is not None and here.state.sarcophagi[at].is_open
        return Illegal("horus.open_already", rule="HOR-74") if is_open else None

    def does(self, here: Pyramid) -> Pyramid:
        seat = here.seat
        if here.state.asking == "decide":
            return here.but(kept=self.keep, looked=here.state.looked if self.keep else 0)
        if self.card in CURED_BY:
            return here.laid_off(seat, self.card, self.wound)
        if self.card == "udjat":
            return _looking(here.laid_off(seat, "udjat"), "udjat")
        used = here.ability_used(seat)
        match self.ability:
            case "shooting":
                mummies = tuple(replace(m, lying=m.lying or m.name == self.mummy) for m in here.state.mummies)
                return used.but(mummies=mummies)
            case "linguistics":
                return _reading(used, here.tomb_here(self.god))
            case "prescience":
                return _looking(used, "prescience")
            case "dodge":
                return used.but(dodged=True)
            case "endurance":
                return used.with_seat(seat, eased=True)
        return used.laid_off(seat, here.mine.cards[-1])

    def told(self, here: Pyramid) -> Facts:
        if self.keep is not None:
            return {"type": "keep_block" if self.keep else "swap_block"}
        if self.wound:
            return {"type": "cure_unseen", "card": self.card} if here.terms.secrecy else self.whispered(here)
        if self.card:
            return {"type": "use", "card": self.card}
        if self.mummy:
            return {"type": "shoot", "mummy": self.mummy}
        return {"type": "use_ability", "ability": self.ability}

    def whispered(self, here: Pyramid) -> Facts:
        return {"type": "cure", "card": self.card, "wound": self.wound} if self.wound else self.told(here)

    def secret(self, here: Pyramid) -> bool:
        return here.terms.secrecy and bool(self.wound)


def no_look(here: Pyramid) -> Refusal | None:
    """Why no block can be looked at."""
    if here.state.seer:
        return Illegal("horus.looked_already", rule="HOR-51")
    return None if here.state.boxed else Illegal("horus.no_blocks", rule="HOR-51")


def _looking(here: Pyramid, by: str) -> Pyramid:
    """Looking at a block; one of the table's own is looked at there [HOR-51]."""
    looking = here.but(seer=by, looker=here.seat, kept=None)
    return looking if here.terms.real_blocks else looking.but(due="look")


def _reading(here: Pyramid, at: int | None) -> Pyramid:
    """Reading a sarcophagus; a card of the table's own is read there [HOR-74]."""
    if at is None:
        raise AssertionError("no sarcophagus to read")
    tomb = here.state.sarcophagi[at]
    read = here.but(sarcophagi=changed(here.state.sarcophagi, at, replace(tomb, reader=here.seat)))
    return read if here.terms.real_tombs or tomb.card else read.but(due="read", tomb=at)


class End(Deed, frozen=True, tag="end"):
    """Do no more this round."""

    def why_not(self, here: Pyramid) -> Refusal | None:
        return here.not_asked("act", rule="HOR-30")

    def does(self, here: Pyramid) -> Pyramid:
        return here.acted()


RULE_OF = {
    "shooting": "HOR-71",
    "dodge": "HOR-72",
    "endurance": "HOR-73",
    "linguistics": "HOR-74",
    "prescience": "HOR-75",
    "reflexes": "HOR-76",
    "lock_picking": "HOR-77",
    "swimming": "HOR-78",
}
"""By which rule an ability is used."""
