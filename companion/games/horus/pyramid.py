"""The table of The Pyramid of Horus as a hand finds it, and the verbs of the table."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.horus.box import DICE_OF
from companion.games.horus.cards import CURED_BY, IDOL, IN_A_SATCHEL, counts, is_treasure, is_wound, kind, less
from companion.games.horus.events import (
    Asking,
    Discarding,
    Event,
    Falling,
    FallingForIdol,
    Jumping,
    Rolling,
    RollingForChest,
    Sealing,
    Searching,
    Touch,
    Walk,
    parts_of_a_round,
)
from companion.games.horus.state import (
    DICE,
    NOBODY,
    Adventurer,
    Fate,
    HorusState,
    HorusTerms,
    Mummy,
    as_it_lies,
    as_they_lie,
)
from companion.parts import TableView, changed
from companion.pieces.box_differences import net
from companion.refusals import Illegal, Refusal

UNROLLED = (0,) * DICE


class Pyramid(TableView[HorusState, HorusTerms]):
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

    def steps(self, square: str) -> tuple[str, ...]:
        """The squares that one can step to: across an open edge, and no block there [HOR-31]."""
        fallen = self.state.fallen
        return tuple(
            to for to in self.terms.plan.neighbours.get(square, ()) if not to.isdecimal() or int(to) not in fallen
        )

    def standing_mummies(self, square: str) -> tuple[int, ...]:
        """The mummies on a square that can wound [HOR-42, HOR-71]."""
        return tuple(at for at, mummy in enumerate(self.state.mummies) if mummy.wounds and mummy.at == square)

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

    def card_found(self, outcome: str) -> str:
        """What comes up in the deck that is searched now, as somebody holds it."""
        first = self.state.pending[0]
        return self.terms.card_from(first.deck, outcome) if isinstance(first, Searching) else outcome

    def can_take(self, seat: int) -> bool:
        """Whether one more card can be made room for [HOR-12]."""
        cards = self.state.adventurers[seat].cards
        return counts(cards) < self.terms.most_cards or not all(map(is_wound, cards))

    def is_crowded(self, seat: int) -> bool:
        """Whether a seat inside has more cards than anybody may hold [HOR-12]."""
        cards, most = self.state.adventurers[seat].cards, self.terms.most_cards
        return len(cards) > most and self.is_inside(seat) and self.held(seat) > most and not all(map(is_wound, cards))

    def held(self, seat: int) -> int:
        """How many cards lie before a seat, as they count [HOR-10, HOR-13]."""
        mine = self.state.adventurers[seat]
        return counts(mine.cards) if self.terms.fills_satchels else len(mine.cards) - len(mine.packed)

    def level(self, seat: int) -> int:
        """A seat's level with the cards it has now [HOR-10, HOR-73]."""
        return self.terms.level(self.held(seat)) - self.state.adventurers[seat].eased

    def makes_room(self, seat: int) -> tuple[str, ...]:
        """The cards of which one must go: those that leave fewer; where none does by itself, any [HOR-12, HOR-43]. To
        version 1, a satchel went only when nothing else could."""
        cards, held = self.state.adventurers[seat].cards, self.held(seat)
        loose = [card for card in dict.fromkeys(cards) if not is_wound(card)]
        if self.terms.rules == 1:
            loose = [card for card in loose if card != "satchel"] or loose
        return tuple(card for card in loose if self.laid_off(seat, card).held(seat) < held) or tuple(loose)

    @property
    def packable(self) -> tuple[str, ...]:
        """What the seat may put into its satchels: treasures that are not in one, as long as there is room [HOR-13]."""
        mine = self.mine
        if self.terms.fills_satchels or len(mine.packed) >= IN_A_SATCHEL * mine.cards.count("satchel"):
            return ()
        return tuple(dict.fromkeys(card for card in less(mine.cards, mine.packed) if is_treasure(card)))

    # Verbs of the table.

    def with_seat(self, seat: int, **changes: object) -> Pyramid:
        """With other things before a seat."""
        adventurers = self.state.adventurers
        return self.replace(adventurers=changed(adventurers, seat, replace(adventurers[seat], **changes)))

    def spent(self) -> Pyramid:
        """With one action less."""
        return self.with_seat(self.seat, actions=self.mine.actions - 1)

    def cleared(self) -> Pyramid:
        """After the moment in which a card was shown, or could be warded off."""
        return self if self.state.shown is None and not self.state.fresh else self.replace(shown=None, fresh="")

    def taken(self, seat: int, card: str) -> Pyramid:
        """With one more card before a seat."""
        return self.with_seat(seat, cards=(*self.state.adventurers[seat].cards, card))

    def laid_off(self, seat: int, *cards: str) -> Pyramid:
        """With cards of a seat beside the board."""
        there = self.with_cards(seat, less(self.state.adventurers[seat].cards, cards))
        return there.replace(cast_off=(*self.state.cast_off, *cards))

    def with_cards(self, seat: int, cards: tuple[str, ...]) -> Pyramid:
        """With these before a seat, of which those stay in its satchels that were there, as far as there is room."""
        packed, loose = list[str](), list(cards)
        for card in self.state.adventurers[seat].packed[: IN_A_SATCHEL * cards.count("satchel")]:
            if card in loose:
                loose.remove(card)
                packed.append(card)
        return self.with_seat(seat, cards=cards, packed=tuple(packed))

    def ability_used(self, seat: int) -> Pyramid:
        return self.with_seat(seat, used=True)

    def with_next(self, *events: Event) -> Pyramid:
        """With these pending before all else."""
        return self.replace(pending=(*events, *self.state.pending))

    def without_next(self) -> Pyramid:
        """Without what was pending first."""
        return self.replace(pending=self.state.pending[1:])

    def without_lock(self) -> Pyramid:
        """With no dice before a lock [HOR-34]."""
        return self.replace(lock="", lock_dice=()) if self.state.lock else self

    def entered(self, seat: int, square: str) -> Pyramid:
        """With a figure on another square, where mummies may touch it [HOR-42]."""
        there = self.with_seat(seat, square=square)
        return there.touching(*(Touch(seat, mummy) for mummy in there.standing_mummies(square)))

    def touching(self, *touches: Touch) -> Pyramid:
        """With these touches next, each by itself, so that whoever has to make room does so before the next one. To
        version 1, all come at once [HOR-43]."""
        if not touches or self.terms.rules > 1:
            return self.with_next(*touches) if touches else self
        table = self
        for touch in touches:
            table = touch.happens(table)
        return table

    def touched(self, seat: int, mummy: int) -> Pyramid:
        """With the wound of a mummy; who has nothing but wounds turns into one, on the square where it stands [HOR-42,
        HOR-43]."""
        if not self.is_inside(seat):
            return self
        cards, is_new = self.state.adventurers[seat].cards, self.terms.rules > 1
        if self.can_take(seat) if is_new else sum(map(is_wound, cards)) < self.terms.most_cards:
            return self.taken(seat, "mummy")
        walker = self.state.mummies[mummy].walker
        risen = Mummy(self.state.adventurers[seat].who, walker, seat=seat, risen=is_new)
        return self.without_figure(seat, "turned").replace(mummies=(*self.state.mummies, risen))

    def on_box_changed(self, before: HorusTerms) -> Pyramid:
        """With walls elsewhere somebody may be shut in, as by a block [HOR-52]."""
        if before.plan == self.terms.plan:
            return self
        return self.cleared().with_next(Sealing()).flowed()

    def without_figure(self, seat: int, fate: Fate) -> Pyramid:
        """Without a seat's figure inside."""
        rests = self.state.adventurers[seat].square if fate == "sealed" else ""
        table = self.with_seat(seat, fate=fate, square="", rests=rests, actions=0)
        return table.without_lock() if seat == self.state.seat else table

    def met(self) -> Pyramid:
        """After everybody has been touched who still shares a square with a mummy as a round begins [HOR-42]."""
        table = self
        if any(mummy.risen for mummy in self.state.mummies):
            table = self.replace(mummies=tuple(replace(mummy, risen=False) for mummy in self.state.mummies))
        standing = ((seat, table.state.adventurers[seat].square) for seat in table.inside)
        return table.touching(*(Touch(seat, at) for seat, square in standing for at in table.standing_mummies(square)))

    def walking(self, steps: int) -> Pyramid:
        """With the mummies about to walk so far, one after another [HOR-40]. To version 1, all was worked out at
        once."""
        if self.terms.rules > 1:
            return self.with_next(*(Walk(at, steps) for at in range(len(self.state.mummies))))
        table = self
        for at, mummy in enumerate(self.state.mummies):
            walker, entered = (mummy.walker, (mummy.at,)) if mummy.lying else mummy.walker.walk(steps)
            table = table.with_mummy(at, walker=walker, lying=False)
            for square in entered:
                there = (seat for seat in table.inside if table.state.adventurers[seat].square == square)
                table = table.touching(*(Touch(seat, at) for seat in there))
        return table

    def walked(self, at: int, steps: int) -> Pyramid:
        """After a mummy has walked as far as nobody is touched: then that comes first, and it goes on. One that lay
        gets up instead [HOR-40, HOR-42, HOR-71]."""
        mummy, seats = self.state.mummies[at], self.inside
        if mummy.lying:
            walker, left, met = mummy.walker, 0, True
        else:
            occupied = {self.state.adventurers[seat].square for seat in seats}
            walker, left, met = mummy.walker, steps, False
            while left and not met:
                walker, (square,) = walker.walk(1)
                left, met = left - 1, square in occupied
        table = self.with_mummy(at, walker=walker, lying=False, risen=False)
        if not met:
            return table
        touches = (Touch(seat, at) for seat in seats if table.state.adventurers[seat].square == walker.at)
        return (table.with_next(Walk(at, left)) if left else table).touching(*touches)

    def with_mummy(self, at: int, **changes: object) -> Pyramid:
        """With other things to say of a mummy."""
        mummies = self.state.mummies
        return self.replace(mummies=changed(mummies, at, replace(mummies[at], **changes)))

    def block_fallen(self, number: int) -> Pyramid:
        """With a block on its square; whoever stands there has to jump, and then some may be shut in [HOR-50]."""
        state = self.state
        under = (seat for seat in self.inside if state.adventurers[seat].square == str(number))
        return self.replace(
            boxed=tuple(each for each in state.boxed if each != number),
            looked=0 if number == state.looked else state.looked,
            fallen=(*state.fallen, number),
        ).with_next(*map(Jumping, under), Sealing())

    def block_wounded(self, seat: int) -> Pyramid:
        """With the wound of a block, unless there is room for none [HOR-50]."""
        return self.taken(seat, "block") if self.can_take(seat) else self

    # The table goes on by itself until somebody is asked or something is to be drawn.

    def flowed(self) -> Pyramid:
        """The table once nothing more happens by itself."""
        table = self
        while True:
            if table._is_deserted:
                return table.replace(pending=table._chests)
            first = table.state.pending[0]
            crowd = next((seat for seat in table.inside if table.is_crowded(seat)), None)
            if crowd is not None and first != Discarding(crowd):
                return table.with_next(Discarding(crowd))
            if first.waits(table):
                return table
            table = first.happens(table.without_next())

    @property
    def _is_deserted(self) -> bool:
        """Whether nobody is inside any more, nor about to enter [HOR-61]."""
        return not any(each.fate in ("inside", "waiting") for each in self.state.adventurers)

    @property
    def _chests(self) -> tuple[Event, ...]:
        """A die for each chest that was brought out, seat by seat; after the last all is over [HOR-61, HOR-62]."""
        rows = enumerate(self.state.adventurers)
        left = ((seat, chests(each) - len(each.chests)) for seat, each in rows if each.fate == "left")
        return tuple(RollingForChest(seat) for seat, count in left for _ in range(count))

    def may_get_ready(self, seat: int) -> bool:
        """Whether there is anything to lay off or to use before the level is read."""
        cards = self.state.adventurers[seat].cards
        if not self.is_inside(seat):
            return False
        return self.ability(seat) == "endurance" or not all(map(is_wound, as_they_lie(self, cards)))

    def may_act(self, seat: int) -> bool:
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
            case "reflexes" | "swimming" if self.terms.rules == 1 and self.terms.secrecy:
                return bool(fresh)
            case "reflexes" | "swimming":
                return bool(fresh) and as_it_lies(self, fresh) in as_they_lie(self, WARDS[ability])
            case "shooting":
                return bool(self.by(seat).targets)
            case "linguistics":
                return bool(self.by(seat).readable)
        return False

    def _heals(self, card: str, cards: tuple[str, ...]) -> bool:
        """Whether there is something that it may heal, as everybody can tell."""
        if self.terms.rules == 1 and self.terms.secrecy:
            return True
        return not {*as_they_lie(self, cards)}.isdisjoint(as_they_lie(self, CURED_BY[card]))

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

    @property
    def roll(self) -> str:
        """What dice are rolled for now; nothing, where none are."""
        first = self.state.pending[0] if self.state.pending else None
        return first.roll if isinstance(first, Rolling) else ""

    def dice(self, roll: str) -> tuple[int, ...]:
        """The dice of a roll as they lie; 0 is one that is still to fall."""
        match roll:
            case "action":
                return self.state.action_dice or (UNROLLED if self.roll == roll else ())
            case "mummy":
                return self.state.mummy_dice or (UNROLLED if self.roll == roll else ())
        return self.state.lock_dice

    def missing(self) -> tuple[int, ...]:
        """The numbers that the dice do not show yet for the lock they lie for [HOR-34]."""
        return tuple(each for each in self.terms.locks[self.state.lock] if each not in self.state.lock_dice)

    @property
    def supplies(self) -> Iterator[tuple[int, bool]]:
        """With how many crowbars, and whether with the ability, a lock might be opened [HOR-35]."""
        crowbars = range(self.mine.cards.count("crowbar") + 1)
        return ((n, used) for n in crowbars for used in (False, True) if self.terms.rules == 1 or n + used == 1)

    def helpers(self, seat: int) -> int:
        """How many missing numbers a seat could supply: one at most; to version 1, one with each helper [HOR-35]."""
        cards = self.state.adventurers[seat].cards
        helpers = cards.count("crowbar") + (self.ability(seat) == "lock_picking")
        return helpers if self.terms.rules == 1 else min(helpers, 1)

    def sealed_in(self) -> Pyramid:
        """Whoever has no way out any more is out of the game [HOR-52]."""
        table, ways_out = self, self.terms.plan.open_squares(self.lying_fallen)
        for seat in self.inside:
            if self.state.adventurers[seat].square not in ways_out:
                table = table.without_figure(seat, "sealed")
        if self.terms.rules == 1 and table.state.phase == "falling":  # a correction then kept the block from falling
            return table.replace(pending=tuple(each for each in table.state.pending if type(each) is not Falling))
        return table

    def new_round(self, keeper: int) -> Pyramid:
        """The dice go on to the left, to the next who is still inside [HOR-01]."""
        seats = self.terms.seats
        order = [(keeper + nth) % seats for nth in range(1, seats + 1)]
        following = next((seat for seat in order if self.is_inside(seat)), keeper)
        at = order.index(following)
        fresh = {"action_dice": (), "mummy_dice": (), "seer": "", "looker": NOBODY, "looked": 0, "kept": None}
        adventurers = tuple(replace(each, level=0, actions=0, eased=False) for each in self.state.adventurers)
        parts = parts_of_a_round((*order[at:], *order[:at]))
        return self.replace(
            keeper=following, round=self.state.round + 1, adventurers=adventurers, pending=parts, **fresh
        ).met()

    def level_read(self, seat: int) -> Pyramid:
        """With a seat's level as its cards say now [HOR-10]."""
        return self.with_seat(seat, level=self.level(seat)) if self.is_inside(seat) else self

    def actions_rolled(self) -> Pyramid:
        """Everybody's actions are counted from one roll [HOR-20, HOR-21, HOR-30]."""
        table, dice = self, self.state.action_dice
        for seat in self.inside:
            table = table.with_seat(seat, actions=self.actions(seat, dice))
        return table

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
        return self if self.missing() or not self.can_take(self.state.seat) else self.idol_taken()

    def idol_taken(self) -> Pyramid:
        """With an idol before the seat; that of Horus brings a block down [HOR-34, HOR-36]."""
        god = self.state.lock
        table = self.taken(self.state.seat, f"idol-{god}").without_lock()
        table = table.replace(idols=tuple(each for each in self.state.idols if each != god))
        return table.with_next(FallingForIdol()) if god == "horus" else table

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


WARDS = {"reflexes": ("snake", "scorpion"), "swimming": ("crocodile",)}
"""Which wounds an ability wards off as they are received [HOR-76, HOR-78]."""


def chests(adventurer: Adventurer) -> int:
    """How many chests somebody has."""
    return sum(kind(card) == "chest" for card in adventurer.cards)
