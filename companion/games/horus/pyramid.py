"""The table of The Pyramid of Horus as a hand finds it, and the verbs of the table."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.horus.box import DICE_OF
from companion.games.horus.cards import CURED_BY, IDOL, WOUNDS, counts, is_wound, kind, without
from companion.games.horus.state import (
    DICE,
    NOBODY,
    Adventurer,
    Asking,
    Fate,
    HorusState,
    Mummy,
    Roll,
    Terms,
)
from companion.parts import Here, changed
from companion.pieces.otherwise import net
from companion.refusals import Illegal, Refusal

UNROLLED = (0,) * DICE


class Pyramid(Here[HorusState, Terms]):
    """The table, and a hand at it."""

    __slots__ = ()

    # What lies on the table.

    @property
    def mine(self) -> Adventurer:
        """What the seat has whose hand it is."""
        return self.state.adventurers[self.seat]

    @property
    def lying_fallen(self) -> frozenset[str]:
        """The squares that a block lies on."""
        return frozenset(map(str, self.state.fallen))

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the dice, as the box says and as the table has shown otherwise."""
        printed, shown = self.terms.colours, self.state.otherwise
        if not shown:
            return printed
        parts = (net(shown, self.terms.box.loose_at(f"{DICE_OF}{god}").where) for god in self.terms.dice)
        return tuple(
            next((each for each, count in more.items() if count > 0), colour)
            for colour, more in zip(printed, parts, strict=True)
        )

    def tomb_cards(self, god: str) -> dict[str, int]:
        """The cards that are laid into the sarcophagi of a god, likewise."""
        more = net(self.state.otherwise, self.terms.box.loose_at(god).where)
        printed = self.terms.tombs[god].counts
        return {card: n for card in {**printed, **more} if (n := printed.get(card, 0) + more[card])}

    def ability(self, seat: int) -> str:
        """What the adventurer of a seat can do, and has not yet done; nothing otherwise."""
        adventurer = self.state.adventurers[seat]
        return "" if adventurer.used else self.terms.abilities.get(adventurer.who, "")

    def is_inside(self, seat: int) -> bool:
        return self.state.adventurers[seat].fate == "inside"

    @property
    def inside(self) -> tuple[int, ...]:
        """The seats still inside, from the keeper of the dice on [HOR-01]."""
        return tuple(seat for seat in self.around() if self.is_inside(seat))

    def around(self) -> Iterator[int]:
        """All seats clockwise, from the keeper of the dice on."""
        seats = self.terms.seats
        return ((self.state.keeper + nth) % seats for nth in range(seats))

    def next_inside(self, seat: int) -> int:
        """The seat inside whose part comes after a seat's in this round; nobody after the last."""
        order = tuple(self.around())
        return next((each for each in order[order.index(seat) + 1 :] if self.is_inside(each)), NOBODY)

    def steps(self, square: str) -> tuple[str, ...]:
        """The squares that one can step to: across an open edge, and no block there [HOR-31]."""
        fallen = self.state.fallen
        return tuple(
            to for to in self.terms.plan.neighbours.get(square, ()) if not to.isdecimal() or int(to) not in fallen
        )

    def standing_mummies(self, square: str) -> tuple[int, ...]:
        """The mummies on a square that can wound [HOR-42, HOR-71]."""
        return tuple(at for at, mummy in enumerate(self.state.mummies) if not mummy.lying and mummy.at == square)

    def tomb_here(self, god: str = "") -> int | None:
        """The sarcophagus before the figure: that of a god, where there are several. None if there is none."""
        slots = self.terms.slots_at.get(self.mine.square, ())
        found = [at for at in slots if not self.state.sarcophagi[at].looted]
        if god:
            return next((at for at in found if len(found) > 1 and self.terms.slots[at].god == god), None)
        return found[0] if len(found) == 1 else None

    def lock_here(self, god: str = "") -> str:
        """The god before whose closed alcove the figure stands: this one, where there are several. Nothing if none."""
        found = [each for each in self.terms.alcoves_at.get(self.mine.square, ()) if each in self.state.idols]
        if god:
            return god if len(found) > 1 and god in found else ""
        return found[0] if len(found) == 1 else ""

    def can_take(self, seat: int) -> bool:
        """Whether one more card can be made room for [HOR-12]."""
        cards = self.state.adventurers[seat].cards
        return counts(cards) < self.terms.most_cards or not all(map(is_wound, cards))

    @property
    def is_crowded(self) -> int:
        """The first seat inside with more cards than anybody may hold; nobody, if none has."""
        return next((seat for seat in self.inside if self.held(seat) > self.terms.most_cards), NOBODY)

    def held(self, seat: int) -> int:
        """How many cards lie before a seat, as they count [HOR-10]."""
        return counts(self.state.adventurers[seat].cards)

    def level(self, seat: int) -> int:
        """A seat's level with the cards it has now [HOR-10, HOR-73]."""
        return self.terms.level(self.held(seat)) - self.state.adventurers[seat].eased

    def makes_room(self, seat: int) -> tuple[str, ...]:
        """The cards of which one must go: those that leave fewer, and where none does, any but a satchel first."""
        cards = self.state.adventurers[seat].cards
        loose = [card for card in dict.fromkeys(cards) if not is_wound(card) and card != "satchel"]
        fewer = tuple(card for card in loose if counts(without(cards, card)) < counts(cards))
        return fewer or tuple(loose) or (("satchel",) if "satchel" in cards else ())

    # Verbs of the table.

    def with_seat(self, seat: int, **changes: object) -> Pyramid:
        """With other things before a seat."""
        adventurers = self.state.adventurers
        return self.but(adventurers=changed(adventurers, seat, replace(adventurers[seat], **changes)))

    def spent(self) -> Pyramid:
        """With one action less."""
        return self.with_seat(self.seat, actions=self.mine.actions - 1)

    def cleared(self) -> Pyramid:
        """After the moment in which a card was shown, or could be warded off."""
        return self if self.state.shown is None and not self.state.fresh else self.but(shown=None, fresh="")

    def taken(self, seat: int, card: str) -> Pyramid:
        """With one more card before a seat."""
        return self.with_seat(seat, cards=(*self.state.adventurers[seat].cards, card))

    def laid_off(self, seat: int, *cards: str) -> Pyramid:
        """With cards of a seat beside the board."""
        left = self.state.adventurers[seat].cards
        for card in cards:
            left = without(left, card)
        return self.with_seat(seat, cards=left).but(cast_off=(*self.state.cast_off, *cards))

    def ability_used(self, seat: int) -> Pyramid:
        return self.with_seat(seat, used=True)

    def rolling(self, roll: Roll) -> Pyramid:
        """With dice in a hand."""
        return self.but(due="dice", roll=roll)

    def without_lock(self) -> Pyramid:
        """With no dice before a lock [HOR-34]."""
        return self.but(lock="", lock_dice=()) if self.state.lock else self

    def entered(self, seat: int, square: str) -> Pyramid:
        """With a figure on another square, where mummies may touch it [HOR-42]."""
        here = self.with_seat(seat, square=square)
        for mummy in here.standing_mummies(square):
            here = here.touched(seat, mummy)
        return here

    def touched(self, seat: int, mummy: int) -> Pyramid:
        """With the wound of a mummy; who has nothing but wounds turns into one [HOR-42, HOR-43]."""
        if not self.is_inside(seat):
            return self
        cards = self.state.adventurers[seat].cards
        if sum(map(is_wound, cards)) < self.terms.most_cards:
            return self.taken(seat, "mummy")
        walker = self.state.mummies[mummy].walker
        risen = Mummy(self.state.adventurers[seat].who, walker, seat=seat)
        return self.gone(seat, "turned").but(mummies=(*self.state.mummies, risen))

    def printed_anew(self, before: Terms) -> Pyramid:
        """With walls elsewhere somebody may be shut in, as by a block [HOR-52]."""
        if before.plan == self.terms.plan:
            return self
        return self.cleared().but(settling=True).flowed()

    def gone(self, seat: int, fate: Fate) -> Pyramid:
        """Without a seat's figure inside."""
        rests = self.state.adventurers[seat].square if fate == "sealed" else ""
        here = self.with_seat(seat, fate=fate, square="", rests=rests, actions=0)
        return here.without_lock() if seat == self.state.seat else here

    def met(self) -> Pyramid:
        """After everybody has been touched who still shares a square with a mummy as a round begins [HOR-42]."""
        here = self
        for seat in self.inside:
            for mummy in self.standing_mummies(self.state.adventurers[seat].square):
                here = here.touched(seat, mummy)
        return here

    def walked(self, steps: int) -> Pyramid:
        """After the mummies have walked so far; one that lay gets up instead [HOR-40, HOR-42, HOR-71]."""
        here = self
        for at, mummy in enumerate(self.state.mummies):
            walker, entered = (mummy.walker, (mummy.at,)) if mummy.lying else mummy.walker.walk(steps)
            risen = replace(mummy, walker=walker, lying=False)
            here = here.but(mummies=changed(here.state.mummies, at, risen))
            for square in entered:
                for seat in here.inside:
                    if here.state.adventurers[seat].square == square:
                        here = here.touched(seat, at)
        return here

    def block_fallen(self, number: int) -> Pyramid:
        """With a block on its square; whoever stands there has to jump [HOR-50]."""
        state = self.state
        under = tuple(seat for seat in self.inside if state.adventurers[seat].square == str(number))
        return self.but(
            boxed=tuple(each for each in state.boxed if each != number),
            looked=0 if number == state.looked else state.looked,
            fallen=(*state.fallen, number),
            jumping=under,
            dodged=False,
            settling=True,
        )

    def block_wounded(self, seat: int) -> Pyramid:
        """With the wound of a block, unless there is room for none [HOR-50]."""
        return self.taken(seat, "block") if self.can_take(seat) else self

    # The round goes on by itself until somebody is asked or something is to be drawn.

    def flowed(self) -> Pyramid:
        """The table once nothing more follows by itself."""
        here = self
        while not here.state.due and here.state.phase != "over":
            waits = here._waits()
            if waits is not None:
                asking, asked = waits
                return here.but(asking=asking, asked=asked)
            here = here._onward()
        return here.but(asking="", asked=NOBODY)

    def _waits(self) -> tuple[Asking, int] | None:
        """What somebody is asked for, and who; None where the round goes on."""
        state = self.state
        if state.phase == "chests" or self._is_deserted:
            return None
        crowded = self.is_crowded
        if crowded != NOBODY:
            return "discard", crowded
        if state.dropping or state.settling:
            jumps = state.settling and state.jumping and self.steps(str(state.fallen[-1]))
            return ("jump", state.jumping[0]) if jumps else None
        if state.seer and state.kept is None:
            return "decide", state.looker
        asking = self._waits_in_turn()
        return (asking, state.seat) if asking else None

    def _waits_in_turn(self) -> Asking:
        """What the seat is asked for whose part of the phase it is; nothing, where there is nothing to decide."""
        state, seat = self.state, self.state.seat
        match state.phase:
            case "entering" if state.adventurers[seat].fate == "waiting":
                return "enter"
            case "ready" if self._may_get_ready(seat):
                return "ready"
            case "acting" if self.is_inside(seat) and self._may_act(seat):
                return "act"
        return ""

    @property
    def _is_deserted(self) -> bool:
        """Whether nobody is inside any more [HOR-61]."""
        return self.state.phase != "entering" and not any(each.fate == "inside" for each in self.state.adventurers)

    def _may_get_ready(self, seat: int) -> bool:
        """Whether there is anything to lay off or to use before the level is read."""
        cards = self.state.adventurers[seat].cards
        if not self.is_inside(seat):
            return False
        stays = HURT_IN_THE_OPEN if self.terms.secrecy else WOUNDS  # face down, nobody may tell them from treasures
        return self.ability(seat) == "endurance" or not all(card in stays for card in cards)

    def _may_act(self, seat: int) -> bool:
        """Whether there is anything to decide in one's part of the actions, as everybody can tell."""
        state, mine = self.state, self.state.adventurers[seat]
        if mine.actions > 0:
            return True
        sees = "udjat" in mine.cards or self.ability(seat) == "prescience"
        if sees and not state.seer and state.boxed:
            return True
        if any(card in mine.cards and self._heals(card, mine.cards) for card in CURED_BY):
            return True
        opens = state.lock and 0 < len(self.missing()) <= self.helpers(seat)
        return bool(opens) or self._ability_fits(seat)

    def _ability_fits(self, seat: int) -> bool:
        """Whether what a seat's adventurer can do would be of use just now."""
        ability, fresh = self.ability(seat), self.state.fresh
        match ability:
            case "reflexes" | "swimming":
                return bool(fresh) and (self.terms.secrecy or fresh in WARDS[ability])
            case "shooting":
                return bool(self.by(seat).targets)
            case "linguistics":
                return bool(self.by(seat).readable)
        return False

    def _heals(self, card: str, cards: tuple[str, ...]) -> bool:
        return self.terms.secrecy or any(wound in cards for wound in CURED_BY[card])

    @property
    def targets(self) -> tuple[str, ...]:
        """The standing mummies on a square beside the figure, no wall between [HOR-71]."""
        near = self.near(self.mine.square)
        return tuple(mummy.name for mummy in self.state.mummies if not mummy.lying and mummy.at in near)

    def near(self, square: str) -> tuple[str, ...]:
        """The squares beside a square, no wall between them."""
        return self.terms.plan.neighbours.get(square, ())

    @property
    def readable(self) -> tuple[int, ...]:
        """The closed sarcophagi before which the figure stands."""
        slots = self.terms.slots_at.get(self.mine.square, ())
        return tuple(at for at in slots if not self.state.sarcophagi[at].is_open)

    def missing(self) -> tuple[int, ...]:
        """The numbers that the dice do not show yet for the lock they lie for [HOR-34]."""
        return tuple(each for each in self.terms.locks[self.state.lock] if each not in self.state.lock_dice)

    def helpers(self, seat: int) -> int:
        """How many missing numbers a seat could supply [HOR-35]."""
        cards = self.state.adventurers[seat].cards
        return cards.count("crowbar") + (self.ability(seat) == "lock_picking")

    def _onward(self) -> Pyramid:
        """What follows by itself."""
        state = self.state
        if state.phase == "chests" or self._is_deserted:
            return self._chests()
        if state.dropping:
            return self.but(dropping=False, due="block")
        return self._settled() if state.settling else self._next_part()

    def _next_part(self) -> Pyramid:
        """The next part of a round, or of one of its phases."""
        match self.state.phase:
            case "entering":
                return self._next_to_enter()
            case "ready":
                return self._ready(self.state.seat)
            case "acting":
                return self.acted()
            case "walking":
                return self.but(mummy_dice=UNROLLED).rolling("mummy")
            case "falling" if self.state.boxed:
                return self.but(due="block")
        return self._new_round()

    def _settled(self) -> Pyramid:
        """Nobody jumps any more: who had nowhere to go, or has no way out, is sealed in [HOR-50, HOR-52]."""
        state, here = self.state, self
        for seat in state.jumping:
            here = here.gone(seat, "sealed")
        ways_out = self.terms.plan.open_squares(self.lying_fallen)
        for seat in here.inside:
            if here.state.adventurers[seat].square not in ways_out:
                here = here.gone(seat, "sealed")
        phase = "passing" if state.phase == "falling" else state.phase
        return here.but(jumping=(), dodged=False, settling=False, phase=phase)

    def _next_to_enter(self) -> Pyramid:
        seats = self.terms.seats
        waiting = [seat for seat in self.around() if self.state.adventurers[seat].fate == "waiting"]
        if waiting:
            return self.but(seat=waiting[0])
        return self.but(keeper=(self.state.keeper - 1) % seats)._new_round()

    def _new_round(self) -> Pyramid:
        """The dice go on to the left, to the next who is still inside [HOR-01]."""
        order = [*self.around()][1:]
        keeper = next((seat for seat in (*order, self.state.keeper) if self.is_inside(seat)), self.state.keeper)
        fresh = {"action_dice": (), "mummy_dice": (), "seer": "", "looker": NOBODY, "looked": 0, "kept": None}
        adventurers = tuple(replace(each, level=0, actions=0, eased=False) for each in self.state.adventurers)
        here = self.but(
            phase="ready", round=self.state.round + 1, keeper=keeper, seat=keeper, adventurers=adventurers, **fresh
        )
        return here.met()

    def _ready(self, seat: int) -> Pyramid:
        """A seat's level is read, then the next gets ready; after the last the dice are rolled [HOR-10, HOR-20]."""
        here = self.with_seat(seat, level=self.level(seat)) if self.is_inside(seat) else self
        following = here.next_inside(seat)
        if following != NOBODY:
            return here.but(seat=following)
        return here.but(phase="rolling", action_dice=UNROLLED).rolling("action")

    def readied(self) -> Pyramid:
        """After a seat has laid off what it wanted to."""
        return self._ready(self.seat)

    def acted(self) -> Pyramid:
        """After a seat's part: the next acts; after the last the mummies walk [HOR-30, HOR-40]."""
        here = self.without_lock().but(fresh="")
        following = here.next_inside(here.state.seat)
        return here.but(phase="walking") if following == NOBODY else here.but(seat=following)

    def actions_rolled(self) -> Pyramid:
        """Everybody's actions are counted from one roll; the keeper acts first [HOR-20, HOR-21, HOR-30]."""
        here, dice = self, self.state.action_dice
        for seat in self.inside:
            here = here.with_seat(seat, actions=self.actions(seat, dice))
        return here.but(phase="acting", seat=self.inside[0])

    def actions(self, seat: int, dice: tuple[int, ...]) -> int:
        """How many actions a roll gives a seat: dice at its level or above, but for the colours that are cursed."""
        adventurer, cursed = self.state.adventurers[seat], self.cursed(seat)
        counted = zip(self.terms.dice, dice, strict=True)
        return sum(face >= adventurer.level and god not in cursed for god, face in counted)

    def cursed(self, seat: int) -> frozenset[str]:
        """The gods whose die does not count for a seat [HOR-21, HOR-37]."""
        cards = self.state.adventurers[seat].cards
        return frozenset(card.removeprefix("idol-") for card in cards if kind(card) == IDOL)

    def lock_rolled(self) -> Pyramid:
        """The idol comes along if nothing is missing; else the dice lie for another try [HOR-34]."""
        return self if self.missing() else self.idol_taken()

    def idol_taken(self) -> Pyramid:
        """With an idol before the seat; that of Horus brings a block down [HOR-34, HOR-36]."""
        god = self.state.lock
        here = self.taken(self.state.seat, f"idol-{god}").without_lock()
        idols = tuple(each for each in self.state.idols if each != god)
        return here.but(idols=idols, dropping=god == "horus" and bool(self.state.boxed))

    def _chests(self) -> Pyramid:
        """Nobody is inside: each chest that was brought out is worth a die, then all is over [HOR-61, HOR-62]."""
        here = self.but(phase="chests", jumping=(), settling=False, dropping=False)
        return here.rolling("chest") if self.next_chest != NOBODY else here.over()

    @property
    def next_chest(self) -> int:
        """The seat whose chest is rolled for next; nobody, when all have been."""
        rows = enumerate(self.state.adventurers)
        return next((seat for seat, each in rows if each.fate == "left" and len(each.chests) < chests(each)), NOBODY)

    def over(self) -> Pyramid:
        """The game is over."""
        return self.but(phase="over", due="", roll="")

    # Why something cannot be.

    def not_asked(self, *asking: Asking, rule: str) -> Refusal | None:
        """Why this is not the time for it."""
        return None if self.state.asking in asking else Illegal(f"horus.not_now.{self.state.asking}", rule=rule)

    def no_action(self, rule: str = "HOR-30") -> Refusal | None:
        """Why nothing can be done that takes an action."""
        if refusal := self.not_asked("act", rule=rule):
            return refusal
        return None if self.mine.actions > 0 else Illegal("horus.no_action", rule="HOR-30")

    def no_room(self) -> Refusal | None:
        """Why no card more can be taken."""
        return None if self.can_take(self.seat) else Illegal("horus.no_room", rule="HOR-12", most=self.terms.most_cards)

    def no_card(self, card: str) -> Refusal | None:
        """Why a card cannot be laid off."""
        if card in self.mine.cards and not is_wound(card):
            return None
        key = "horus.wounds_stay" if is_wound(card) else "horus.no_such_card"
        return Illegal(key, rule="HOR-11", card=kind(card))


HURT_IN_THE_OPEN = ("mummy", "block")
"""Wounds that everybody saw being received, in total secrecy too [HOR-81]."""

WARDS = {"reflexes": ("snake", "scorpion"), "swimming": ("crocodile",)}
"""Which wounds an ability wards off as they are received [HOR-76, HOR-78]."""


def chests(adventurer: Adventurer) -> int:
    """How many chests somebody has."""
    return sum(kind(card) == "chest" for card in adventurer.cards)
