"""The table shows otherwise: what can be put right. Cards, blocks and figures stay as many as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from companion.game import Together
from companion.games.horus.box import DICE_OF
from companion.games.horus.cards import IDOL, back, god, is_treasure, is_wound, kind, seen_as, value, without
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, DICE
from companion.parts import SEATS, Facts, Mend, Says, changed
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.otherwise import Loose
from companion.printed import Copy, Printed, Wall
from companion.refusals import Illegal, Malformed, Refusal

BESIDE = "beside_the_board"
SUPPLY = "supply"
HAS_FALLEN: Mapping[str, tuple[str, ...]] = {"fallen=true": ("has_fallen",), "fallen=false": ("is_boxed",)}
ROLLS: Mapping[str, tuple[str, ...]] = {"action": ("action_dice",), "lock": ("lock_dice",)}


def _corridor(here: Pyramid) -> tuple[str, ...]:
    """The squares of the corridor, each once."""
    return tuple(square for square in here.terms.squares if here.terms.area[square] == "corridor")


def all_cards(here: Pyramid) -> tuple[str, ...]:
    """Every card that somebody can hold, once."""
    terms = here.terms
    searched = (terms.card_from(deck, card) for deck, cards in enumerate(terms.decks) for card in cards)
    tombs = (card for bag in terms.tombs.values() for card in bag)
    shown = (card for part in _loose_decks(here) for card in part.kinds)
    return tuple(dict.fromkeys((*searched, *tombs, *shown, *(f"idol-{god}" for god in terms.idols), "mummy", "block")))


def _loose_decks(here: Pyramid) -> tuple[Loose, ...]:
    """The decks and sarcophagi that are otherwise than the box says, with all that may lie there."""
    shown, parts = {each.where for each in here.state.otherwise}, here.terms.box.loose.items()
    return tuple(part for name, part in parts if part.where in shown and not name.startswith(DICE_OF))


def _named(here: Pyramid) -> Mapping[str, tuple[str, ...]]:
    """A card is told by what it is, its god, and what is printed on it."""
    named = ((card, (kind(card), back(card) if kind(card) == "chest" else god(card))) for card in all_cards(here))
    return {card: (*filter(None, words), *([str(value(card))] if value(card) else [])) for card, words in named}


Seat = Annotated[int, Says(lambda here: here.inside), SEATS]
Card = Annotated[str, Says(all_cards, _named)]
Spot = Annotated[str | int, Says(lambda here: (*here.inside, *AREAS, "alcoves", SUPPLY, BESIDE)), SEATS]
Roll = Annotated[str, Says(lambda here: ROLLS, lambda here: {f"roll={roll}": name for roll, name in ROLLS.items()})]
Colour = Annotated[str, Says(lambda here: here.colours)]
Face = Annotated[int, Says(lambda here: range(1, here.terms.faces + 1))]
Square = Annotated[str, Says(lambda here: here.terms.squares)]
CorridorSquare = Annotated[str, Says(_corridor)]
Name = Annotated[str, Says(lambda here: tuple(mummy.name for mummy in here.state.mummies))]
Number = Annotated[int, Says(lambda here: here.terms.blocks)]
Fallen = Annotated[bool, Says(lambda here: (True, False), lambda here: HAS_FALLEN)]
Actions = Annotated[int, Says(lambda here: range(DICE + 1))]
Used = Annotated[
    bool, Says(lambda here: (True, False), lambda here: {"used=true": ("used",), "used=false": ("unused",)})
]


class Put(Mend[Pyramid], frozen=True):
    """A correction, after which the round goes on by itself."""

    def done(self, here: Pyramid) -> Pyramid:
        return self.puts(here.cleared()).flowed()

    def puts(self, here: Pyramid) -> Pyramid:
        """What is put right."""
        raise NotImplementedError

    def why_not(self, here: Pyramid) -> Refusal | None:
        return busy(here) or self.amiss(here)

    def amiss(self, here: Pyramid) -> Refusal | None:
        """Why it cannot be so."""
        raise NotImplementedError


def busy(here: Pyramid) -> Refusal | None:
    """Why nothing can be put right now: something is falling, or is being drawn."""
    state = here.state
    if state.phase == "entering":
        return Illegal("horus.not_begun", rule="HOR-01")
    is_busy = bool(state.due or state.jumping or state.settling)
    return Illegal("horus.busy", rule="HOR-03") if is_busy else None


def no_seat(here: Pyramid, seat: int) -> Refusal | None:
    """Why there is nobody inside on a seat."""
    if not 0 <= seat < here.terms.seats:
        return Malformed("horus.no_seat", rule="HOR-01", n=here.terms.seats)
    return None if here.is_inside(seat) else Illegal("horus.not_inside", rule="HOR-60", player=here.terms.names[seat])


class Figure(Put, frozen=True, tag="figure"):
    """A figure stands on another square; no mummy touches it for that."""

    seat: Seat
    square: Square

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[Figure]:
        return (cls(seat, here.state.adventurers[seat].square) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if refusal := no_seat(here, self.seat):
            return refusal
        if self.square not in here.terms.area:
            return Illegal("horus.no_square", rule="HOR-31", square=self.square)
        if self.square in here.lying_fallen:
            return Illegal("horus.block_there", rule="HOR-31", square=self.square)
        if here.terms.plan.is_trapped(self.square, fallen=here.lying_fallen):
            return Illegal("horus.no_way_from_there", rule="HOR-52", square=self.square)
        return None

    def told(self, here: Pyramid) -> Facts:
        return super().told(here) | {"seat": here.terms.names[self.seat]}

    def puts(self, here: Pyramid) -> Pyramid:
        moved = here.with_seat(self.seat, square=self.square)
        lock = here.state.lock
        stays = lock in here.terms.alcoves_at.get(self.square, ()) or self.seat != here.state.seat
        return moved if stays else moved.without_lock()


class MummyStands(Put, frozen=True, tag="mummy"):
    """A mummy stands elsewhere in its stretch, or looks the other way."""

    mummy: Name
    square: CorridorSquare
    towards: CorridorSquare

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[MummyStands]:
        return (cls(mummy.name, mummy.at, mummy.walker.towards) for mummy in here.state.mummies)

    def amiss(self, here: Pyramid) -> Refusal | None:
        mummy = next((each for each in here.state.mummies if each.name == self.mummy), None)
        if mummy is None:
            names = [each.name for each in here.state.mummies]
            return Malformed("horus.no_mummy", rule="HOR-40", mummies=names)
        stretch = mummy.walker.stretch
        if self.square not in stretch:
            return Illegal("horus.mummy_square", rule="HOR-40", mummy=self.mummy, squares=list(stretch))
        if self.towards not in (stretch[0], stretch[-1]):
            ends = [stretch[0], stretch[-1]]
            return Illegal("horus.mummy_towards", rule="HOR-40", mummy=self.mummy, squares=ends)
        return None

    def puts(self, here: Pyramid) -> Pyramid:
        def put(stretch: tuple[str, ...]) -> Walker:
            return Walker.on(stretch, at=self.square, towards=self.towards)

        mummies = here.state.mummies
        return here.but(
            mummies=tuple(
                replace(each, walker=put(each.walker.stretch)) if each.name == self.mummy else each for each in mummies
            )
        )


class BlockLies(Put, frozen=True, tag="fallen"):
    """A block has fallen, or has not; whoever has no way out then is sealed in."""

    number: Number
    fallen: Fallen

    def amiss(self, here: Pyramid) -> Refusal | None:
        if self.number not in here.terms.blocks:
            return Malformed("horus.no_block", rule="HOR-50", most=len(here.terms.blocks))
        lies = self.number in here.state.fallen
        if lies == self.fallen:
            key = "horus.block_lies" if lies else "horus.block_boxed"
            return Illegal(key, rule="HOR-50", block=self.number)
        if self.fallen and any(here.state.adventurers[seat].square == str(self.number) for seat in here.inside):
            return Illegal("horus.figure_there", rule="HOR-50", square=str(self.number))
        return None

    def puts(self, here: Pyramid) -> Pyramid:
        state = here.state
        if self.fallen:
            boxed = tuple(each for each in state.boxed if each != self.number)
            return here.but(boxed=boxed, fallen=(*state.fallen, self.number), settling=True)
        fallen = tuple(each for each in state.fallen if each != self.number)
        return here.but(boxed=tuple(sorted((*state.boxed, self.number))), fallen=fallen)

    def told(self, here: Pyramid) -> Facts:
        return {"type": "fallen", "number": self.number, "state": "has_fallen" if self.fallen else "is_boxed"}


class ActionsLeft(Put, frozen=True, tag="actions"):
    """Somebody has so many actions left."""

    seat: Seat
    n: Actions

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[ActionsLeft]:
        return (cls(seat, here.state.adventurers[seat].actions) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if refusal := no_seat(here, self.seat):
            return refusal
        if here.state.phase != "acting":
            return Illegal("horus.no_actions_yet", rule="HOR-30")
        return None if 0 <= self.n <= DICE else Malformed("horus.out_of_reach", rule="HOR-20", most=DICE)

    def puts(self, here: Pyramid) -> Pyramid:
        return here.with_seat(self.seat, actions=self.n)

    def told(self, here: Pyramid) -> Facts:
        return super().told(here) | {"seat": here.terms.names[self.seat]}


class AbilityUsed(Put, frozen=True, tag="ability"):
    """Somebody's ability has been used, or has not."""

    seat: Seat
    used: Used

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[AbilityUsed]:
        return (cls(seat, here.state.adventurers[seat].used) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        return no_seat(here, self.seat)

    def puts(self, here: Pyramid) -> Pyramid:
        return here.with_seat(self.seat, used=self.used)

    def told(self, here: Pyramid) -> Facts:
        return {"type": "ability", "seat": here.terms.names[self.seat], "state": "used" if self.used else "unused"}


class DieShows(Put, frozen=True, tag="die"):
    """A die of the actions or before a lock shows another number."""

    roll: Roll
    die: Colour
    face: Face

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[DieShows]:
        for roll in ROLLS:
            for colour, face in zip(here.colours, lying(here, roll), strict=False):
                yield cls(roll, colour, face)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if self.roll not in ROLLS or self.die not in here.colours:
            return Malformed("horus.no_die", rule="HOR-20", dice=list(here.colours))
        if not 1 <= self.face <= here.terms.faces:
            return Malformed("horus.out_of_reach", rule="HOR-20", most=here.terms.faces)
        if not lying(here, self.roll) or here.state.phase != "acting":
            return Illegal("horus.no_dice_lie", rule="HOR-20")
        opened = self.roll == "lock" and not here.can_take(here.state.seat)
        return here.by(here.state.seat).no_room() if opened else None

    def puts(self, here: Pyramid) -> Pyramid:
        before = lying(here, self.roll)
        after = changed(before, here.colours.index(self.die), self.face)
        if self.roll == "lock":
            return here.but(lock_dice=after).lock_rolled()
        for seat in here.inside:
            more = here.actions(seat, after) - here.actions(seat, before)
            here = here.with_seat(seat, actions=max(0, here.state.adventurers[seat].actions + more))
        return here.but(action_dice=after)

    def told(self, here: Pyramid) -> Facts:
        (called,) = ROLLS[self.roll]
        return super().told(here) | {"type": "die_put", "roll": called}


def lying(here: Pyramid, roll: str) -> tuple[int, ...]:
    """The dice of a roll, where they lie; none while some are still to fall."""
    dice = here.state.lock_dice if roll == "lock" else here.state.action_dice
    return () if 0 in dice else dice


class CardLies(Put, frozen=True, tag="card", rename={"giver": "from", "taker": "to"}):
    """A card lies elsewhere: before a seat, in its deck or alcove, with the wounds, or beside the board."""

    card: Card
    giver: Spot
    taker: Spot

    def offered(self, here: Pyramid) -> bool:
        """A treasure wherever something lies face down: what it is, is not told [HOR-82]."""
        if not self.is_hidden(here):
            return super().offered(here)
        return (busy(here) or self._no_places(here)) is None and self._may_lie(here)

    def is_hidden(self, here: Pyramid) -> bool:
        """Whether which one it is is not everybody's to know."""
        return is_treasure(self.card) or here.terms.secrecy or self.giver in AREAS

    def _may_lie(self, here: Pyramid) -> bool:
        """Whether a card is face down there, as everybody can see."""
        match self.giver:
            case int(seat):
                cards = here.state.adventurers[seat].cards
                return any(is_treasure(card) or is_wound(card) for card in cards)
            case "beside_the_board":
                return bool(here.state.cast_off)
        return True

    def amiss(self, here: Pyramid) -> Refusal | None:
        if refusal := self._no_places(here):
            return refusal
        there = self.card in _lying_at(here, self.giver)
        return None if there else Illegal("horus.none_unseen", rule="HOR-12", card=kind(self.card))

    def _no_places(self, here: Pyramid) -> Refusal | None:
        """Why it cannot go from one to the other, whoever has what."""
        if self.card not in all_cards(here):
            return Malformed("horus.unknown_card", rule="HOR-02", card=self.card)
        for place in (self.giver, self.taker):
            if isinstance(place, int):
                if refusal := no_seat(here, place):
                    return refusal
            elif place not in _places_of(here, self.card):
                return Illegal("horus.not_its_place", rule="HOR-02", card=kind(self.card), place=place)
        same = self.giver == self.taker
        return Illegal("horus.lies_there", rule="HOR-02", card=kind(self.card)) if same else None

    def puts(self, here: Pyramid) -> Pyramid:
        return _laid(_lifted(here, self.card, self.giver), self.card, self.taker)

    def told(self, here: Pyramid) -> Facts:
        places = {"giver": _called(here, self.giver), "taker": _called(here, self.taker)}
        if self.is_hidden(here):
            return {"type": "card_unseen", **places}
        return {"type": "card", "card": kind(self.card), **places}

    def secret(self, here: Pyramid) -> bool:
        return self.is_hidden(here)


def _called(here: Pyramid, place: str | int) -> str:
    return here.terms.names[place] if isinstance(place, int) else place


def _places_of(here: Pyramid, card: str) -> tuple[str, ...]:
    """Where a card can lie, apart from before a seat."""
    if card in ("mummy", "block"):
        return (SUPPLY,)
    if kind(card) == IDOL:
        return ("alcoves", BESIDE)
    decks = (area for area, deck in zip(AREAS, here.terms.decks, strict=True) if _is_of(here, area, deck, card))
    own = (area for area in decks if here.terms.card_from(AREAS.index(area), seen_as(card)) == card)
    return (*own, BESIDE)


def _is_of(here: Pyramid, area: str, deck: Bag, card: str) -> bool:
    return seen_as(card) in deck or (bool(here.state.otherwise) and card in here.terms.box.loose_at(area).kinds)


def _lying_at(here: Pyramid, place: str | int) -> tuple[str, ...]:
    """The cards at a place, each kind once or more."""
    state = here.state
    match place:
        case int(seat):
            return state.adventurers[seat].cards
        case "beside_the_board":
            return state.cast_off
        case "alcoves":
            return tuple(f"idol-{god}" for god in state.idols)
        case "supply":
            return ("mummy", "block")
    deck = AREAS.index(place)
    return tuple(here.terms.card_from(deck, card) for card in state.decks[deck])


def _lifted(here: Pyramid, card: str, place: str | int) -> Pyramid:
    state = here.state
    match place:
        case int(seat):
            return here.with_seat(seat, cards=without(state.adventurers[seat].cards, card))
        case "beside_the_board":
            return here.but(cast_off=without(state.cast_off, card))
        case "alcoves":
            left = here.but(idols=tuple(god for god in state.idols if f"idol-{god}" != card))
            return left.without_lock() if state.lock and f"idol-{state.lock}" == card else left
        case "supply":
            return here
    deck = AREAS.index(place)
    return here.but(decks=changed(state.decks, deck, state.decks[deck].without(seen_as(card))))


def _laid(here: Pyramid, card: str, place: str | int) -> Pyramid:
    state = here.state
    match place:
        case int(seat):
            return here.taken(seat, card)
        case "beside_the_board":
            return here.but(cast_off=(*state.cast_off, card))
        case "alcoves":
            return here.but(idols=(*state.idols, card.removeprefix("idol-")))
        case "supply":
            return here
    deck = AREAS.index(place)
    return here.but(decks=changed(state.decks, deck, state.decks[deck].with_(seen_as(card))))


class WallStands(Wall, frozen=True, tag="wall"):
    """Between two squares is a wall, or none; whoever has no way out then is sealed in."""

    @classmethod
    def sayable(cls, here: Copy) -> tuple[Together, ...]:
        return tuple(replace(each, rows=()) if _busy(here) else each for each in super().sayable(here))

    def why_not(self, here: Copy) -> Refusal | None:
        return _busy(here) or super().why_not(here)


def _busy(here: Copy) -> Refusal | None:
    pyramid: Any = here
    return busy(pyramid)


MENDS = (Figure, MummyStands, BlockLies, CardLies, DieShows, ActionsLeft, AbilityUsed, Printed, WallStands)
