"""What the search knows of The Pyramid of Horus: cards as they may lie, aims to walk for, and a quick player."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from companion.game import Move
from companion.games.horus.cards import (
    CURED_BY,
    HIDDEN,
    back,
    counts,
    is_treasure,
    kind,
    less,
    seen_as,
    value,
)
from companion.games.horus.moves import Discard, End, Enter, Jump, Loot, Open, Pick, Ready, Search, Step
from companion.games.horus.pyramid import WARDS, Pyramid
from companion.games.horus.rules import Horus
from companion.games.horus.score import gods_of
from companion.games.horus.state import AREAS, DICE, NOBODY, OUTSIDE, Adventurer, HorusState, HorusTerms, as_it_lies
from companion.games.horus.uses import Use
from companion.games.horus.ways import FAR, Ways, steps_to
from companion.pieces.bag import Bag
from companion.search.insight import Idea, Insight, Reason

LATE = 8  # blocks that have fallen when it is time to go
ENOUGH = 12  # cards with which it is time to go
DARING = 0.14  # the chance to be shut in by the next block that is still borne
HOME = 0.35  # of the way out, what counts to the cost of an aim
A_CHEST = 3.5
FAVOURITES = ("chartier", "rasputin", "ardila", "watanabe", "rice", "sarti", "wahab", "gore")
TRIES = {3: 2.6, 4: 4.2, 5: 7.0}
"""So many actions a lock with so many numbers takes, by and large."""
MOST = 9
OF_A_MOVE = 2  # so many aims that begin with the same move
SEARCHES = 3  # so many searches are reckoned with where there is one
IN_A_ROW = 3  # so many sarcophagi of a god are reckoned with where there is one
LEAD = 9.0


# What a seat cannot see.


def imagine(game: Horus, state: HorusState, seat: int, luck: random.Random) -> HorusState:
    """The cards as they may lie: each that nobody can tell from others is as likely in every place as they are."""
    table = game.at(state, seat)
    dealt = _Dealt(table, luck)
    looked, looker = state.looked, state.looker
    if looker not in (NOBODY, seat) and not looked and state.kept is not False and not table.terms.real_blocks:
        looked = luck.choice(state.boxed) if state.boxed else 0
    return replace(
        state,
        adventurers=tuple(map(dealt.held, state.adventurers)),
        cast_off=dealt.named(state.cast_off),
        decks=tuple(map(dealt.deck, range(len(AREAS)))),
        tombs={each: Bag.of(dealt.closed[each]) for each in state.tombs},
        looked=looked,
        fresh="" if kind(state.fresh) == HIDDEN else state.fresh,
    )


class _Dealt:
    """The cards that a seat does not see, shuffled, pile by pile."""

    def __init__(self, table: Pyramid, luck: random.Random) -> None:
        self._here = table
        state, terms = table.state, table.terms
        seen = [card for each in state.adventurers for card in each.cards] + list(state.cast_off)
        backs = Counter(back(card) for card in seen if kind(card) == HIDDEN)
        gone = Counter(card for card in seen if kind(card) != HIDDEN)
        self._hidden: dict[str, list[str]] = {}
        self._decks: list[list[str]] = []
        for deck, area in enumerate(terms.area_gods):
            pool = list(_left(terms, deck, gone))
            luck.shuffle(pool)
            hides = [card for card in pool if kind(as_it_lies(table, card)) == HIDDEN][: backs[area]]
            self._hidden[area] = hides
            self._decks.append(list(less(tuple(pool), hides)))
        rows = list(zip(terms.slots, state.sarcophagi, strict=True))
        self.closed: dict[str, list[str]] = {}
        for of in state.tombs:
            known = Counter(tomb.card for slot, tomb in rows if slot.god == of and tomb.card)
            self.closed[of] = list((Counter(table.tomb_cards(of)) - known).elements())
            looted = Counter(tomb.card for slot, tomb in rows if slot.god == of and tomb.looted)
            taken = list((looted - gone).elements())
            luck.shuffle(taken)
            self._hidden[of] = taken

    def deck(self, number: int) -> Bag:
        """What is left of a search deck; of one that was put right no more than it has cards."""
        left = self._decks[number][: self._here.state.decks[number].total]
        return Bag.of(map(seen_as, left))

    def named(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Cards, with one for each of which only the back is seen."""
        return tuple(self._next(card) if kind(card) == HIDDEN else card for card in cards)

    def _next(self, card: str) -> str:
        waiting = self._hidden.get(back(card))
        return waiting.pop() if waiting else "necklace-1"

    def held(self, adventurer: Adventurer) -> Adventurer:
        """An adventurer with cards; in the satchels some with the same backs."""
        cards = self.named(adventurer.cards)
        if cards == adventurer.cards:
            return adventurer
        loose = [card for card in cards if is_treasure(card)]
        packed = []
        for one in adventurer.packed:
            fits = next((card for card in loose if card == one or back(card) == back(one)), None)
            if fits is not None:
                loose.remove(fits)
                packed.append(fits)
        return replace(adventurer, cards=cards, packed=tuple(packed))


def _left(terms: HorusTerms, deck: int, gone: Counter[str]) -> Iterator[str]:
    """The cards of a search deck that lie before nobody so that they are seen."""
    for outcome, count in terms.decks[deck].counts.items():
        card = terms.card_from(deck, outcome)
        yield from (card for _ in range(count - gone[card]))


# Ways.


class SquareRoles:
    """The squares of a plan by what is done there."""

    def __init__(self, terms: HorusTerms) -> None:
        self.ways = ways = Ways(terms.plan.neighbours, terms.box.plan.grid)
        self.exits = ways.bits(*terms.plan.exits)
        self.areas = {area: ways.bits(*(sq for sq in terms.squares if terms.area.get(sq) == area)) for area in AREAS}
        self.blocks = {number: ways.bit[str(number)] for number in terms.blocks}
        self.alcoves = {
            of: ways.bits(*(square for square, gods in terms.alcoves_at.items() if of in gods)) for of in terms.idols
        }
        self.tombs = tuple(ways.bit[slot.square] for slot in terms.slots)


def _chart(terms: HorusTerms) -> SquareRoles:
    """The chart of a table, drawn once."""
    found = terms.charts.get("ways")
    if not isinstance(found, SquareRoles):
        found = terms.charts["ways"] = SquareRoles(terms)
    return found


class SeatDistances:
    """What a seat reckons with: how far it is from its square, and from the exits."""

    __slots__ = ("_out", "_reach", "_spare", "chart", "free", "square", "table")

    def __init__(self, table: Pyramid) -> None:
        self.table = table
        self.chart = chart = _chart(table.terms)
        blocks = chart.blocks
        self.free = chart.ways.every & ~sum(blocks[number] for number in table.state.fallen)
        self.square = chart.ways.bit[table.mine.square]
        self._out: list[int] | None = None
        self._reach: list[int] | None = None
        self._spare: float | None = None

    @property
    def out(self) -> list[int]:
        """The squares by their distance from an exit."""
        if self._out is None:
            self._out = self.chart.ways.layers(self.chart.exits, self.free)
        return self._out

    @property
    def reach(self) -> list[int]:
        """The squares by their distance from the seat's."""
        if self._reach is None:
            self._reach = self.chart.ways.layers(self.square, self.free)
        return self._reach

    @property
    def spare(self) -> float:
        """So many actions are left before it is time to be out, beside those of the way."""
        if self._spare is None:
            table = self.table
            rounds = max(0, LATE - len(table.state.fallen))
            each = DICE * max(0, table.terms.faces + 1 - table.level(table.seat)) / table.terms.faces
            self._spare = table.mine.actions + rounds * each - steps_to(self.square, self.out) - 1
        return self._spare

    def towards(self, goal: int) -> Step | None:
        """A step on a shortest way; where there are several, to a square without a mummy if there is one."""
        ways, layers = self.chart.ways, self.chart.ways.layers(goal, self.free)
        away = steps_to(self.square, layers)
        if away in (0, FAR):
            return None
        steps = ways.beside(self.square) & layers[away - 1]
        mummies = ways.bits(*{mummy.at for mummy in self.table.state.mummies if not mummy.lying})
        return Step(ways.names(steps & ~mummies or steps)[0])

    def outwards(self) -> Move:
        return Step(OUTSIDE) if self.square & self.chart.exits else self.towards(self.chart.exits) or End()

    def risk(self) -> float:
        """The chance that the next block leaves no way out from where the seat is."""
        chart, boxed = self.chart, self.table.state.boxed
        away = steps_to(self.square, self.out)
        if away == FAR or not boxed:
            return 0.0
        way, at = self.square, self.square
        for layer in self.out[away - 1 :: -1] if away else ():
            at = chart.ways.beside(at) & layer
            at &= -at
            way |= at
        cut = 0
        for number in boxed:
            block = chart.blocks[number]
            if block & way:
                free = self.free & ~block
                start = chart.ways.beside(block) if block == self.square else self.square
                cut += not chart.ways.reaches(start, chart.exits, free)
        return cut / len(boxed)


# Aims.


class Aim(NamedTuple):
    """Something to walk for: to search an area, to empty a sarcophagus, to pick a lock, to leave.

    :param what: the area, the number of the sarcophagus, or the god of the lock.
    """

    verb: str
    what: str | int = ""


LEAVE = Aim("leave")


def _is_time(view: SeatDistances) -> bool:
    """Whether to walk out now."""
    table = view.table
    if counts(table.mine.cards) >= ENOUGH or len(table.state.fallen) >= LATE:
        return True
    return view.spare <= 0 or view.risk() > DARING


def aims(view: SeatDistances) -> list[tuple[float, Aim]]:
    """What there is to walk for, with the points that it promises for an action, the best first."""
    found = [*_searches(view), *_tombs(view), *_locks(view)]
    return sorted(found, key=lambda each: -each[0])


def _weighed(view: SeatDistances, aim: Aim, goal: int, actions: float, points: float) -> Iterator[tuple[float, Aim]]:
    """An aim with its points for an action, where there is time for it."""
    reach, out = view.reach, view.out
    steps = steps_to(goal, reach)
    if steps == FAR:
        return
    at = goal & reach[steps]
    home = max(0, steps_to(at, out) - steps_to(view.square, out))
    cost = steps + actions
    if cost + home <= view.spare:
        yield points / (cost + HOME * home + 0.01), aim


def _searches(view: SeatDistances) -> Iterator[tuple[float, Aim]]:
    table = view.table
    gods = gods_of(table.mine.cards)
    for deck, area in enumerate(AREAS):
        left = table.state.decks[deck]
        if left.total:
            new = _more(table.terms, len(gods)) if deck and table.terms.area_gods[deck] not in gods else 0.0
            worth = SEARCHES * _of_a_search(left) + new
            yield from _weighed(view, Aim("search", area), view.chart.areas[area], SEARCHES, worth)


def _tombs(view: SeatDistances) -> Iterator[tuple[float, Aim]]:
    """The nearest sarcophagus of each god; others of that god stand beside it."""
    table, state, chart = view.table, view.table.state, view.chart
    gods = gods_of(table.mine.cards)
    by_god: dict[str, list[int]] = {}
    for at, tomb in enumerate(state.sarcophagi):
        if not tomb.looted:
            by_god.setdefault(table.terms.slots[at].god, []).append(at)
    for of, rows in by_god.items():
        known = sorted(value(state.sarcophagi[at].card) for at in rows if state.sarcophagi[at].card)
        bag = state.tombs[of]
        mean = sum(value(card) * n for card, n in bag.counts.items()) / bag.total if bag.total else 0.0
        at = min(rows, key=lambda each: steps_to(chart.tombs[each], view.reach))
        n = min(len(rows), IN_A_ROW)
        worth = n * (known[-1] if known and not mean else mean)
        new = _more(table.terms, len(gods)) if of not in gods else 0.0
        actions = 3 * n - 1 - state.sarcophagi[at].is_open
        yield from _weighed(view, Aim("tomb", at), chart.tombs[at], actions, worth + new)


def _locks(view: SeatDistances) -> Iterator[tuple[float, Aim]]:
    table, terms = view.table, view.table.terms
    gods = gods_of(table.mine.cards)
    for of in table.state.idols:
        new = _more(terms, len(gods)) if of not in gods else 0.0
        tries = 1.5 if table.state.lock == of else TRIES.get(len(terms.locks[of]), 4.0)
        yield from _weighed(view, Aim("pick", of), view.chart.alcoves[of], tries, terms.idols[of] + new)


def _more(terms: HorusTerms, gods: int) -> float:
    """What one god more scores."""
    row = terms.diversity
    return float(row[min(gods + 1, len(row) - 1)] - row[min(gods, len(row) - 1)])


def _of_a_search(left: Bag) -> float:
    """What the top card of a deck is worth."""
    points = 0.0
    for card, count in left.counts.items():
        points += count * _worth(card)
    return points / left.total


def _worth(card: str) -> float:
    """What a card is good for, in points."""
    match kind(card):
        case "chest":
            return A_CHEST
        case "treasure" | "necklace":
            return float(value(card))
        case "satchel":
            return 1.5
        case "idol":
            return 9.0
        case "antidote" | "medical_kit" | "crowbar" | "udjat":
            return 0.6
    return -1.2


def _pursued(view: SeatDistances, aim: Aim) -> Move | None:
    """The next move for an aim; None where it is reached, or out of reach."""
    table, chart = view.table, view.chart
    match aim.verb:
        case "leave":
            return view.outwards()
        case "search":
            if view.square & chart.areas[str(aim.what)]:
                return Search() if Search().why_not(table) is None else None
            return view.towards(chart.areas[str(aim.what)])
        case "tomb":
            at = int(aim.what)
            return view.towards(chart.tombs[at]) if view.square != chart.tombs[at] else _emptied(table, at)
    return _picked(view, str(aim.what))


def _emptied(table: Pyramid, at: int) -> Move | None:
    """What is next to empty the sarcophagus before the seat."""
    slot, tomb = table.terms.slots[at], table.state.sarcophagi[at]
    if tomb.looted or not table.can_take(table.seat):
        return None
    named = slot.god if len(_unlooted(table)) > 1 else ""
    return Loot(named) if tomb.is_open else Open(named)


def _unlooted(table: Pyramid) -> list[int]:
    return [at for at in table.terms.slots_at.get(table.mine.square, ()) if not table.state.sarcophagi[at].looted]


def _picked(view: SeatDistances, of: str) -> Move | None:
    """The next move to pick the lock of a god."""
    table, state = view.table, view.table.state
    if of not in state.idols:
        return None
    alcoves = table.terms.alcoves_at.get(table.mine.square, ())
    if of not in alcoves:
        return view.towards(view.chart.alcoves[of])
    if not table.can_take(table.seat):
        return None
    named = of if sum(each in state.idols for each in alcoves) > 1 else ""
    if state.lock != of:
        return Pick(god=named)
    missing = table.missing()
    if len(missing) == 1 and table.helpers(table.seat):
        crowbar = "crowbar" in table.mine.cards
        return Pick(crowbar=int(crowbar), ability=not crowbar, god=named)
    wanted, again = list(table.terms.locks[of]), []
    for place, face in enumerate(state.lock_dice):
        if face in wanted:
            wanted.remove(face)
        else:
            again.append(place)
    return Pick(reroll=tuple(again), god=named) if again else None


# The player.


def policy(game: Horus, state: HorusState, seat: int, luck: random.Random) -> Move:
    """Goes where an action promises most, and leaves while there are ways out."""
    table = game.at(state, seat)
    if state.asking == "enter":
        free = [who for who in FAVOURITES if all(each.who != who for each in state.adventurers)]
        free += [who for who in table.terms.abilities if who not in FAVOURITES]
        return Enter(free[0], luck.choice(table.terms.plan.exits))
    return _asked(table) or _acting(table)


def _asked(table: Pyramid) -> Move | None:
    """What is done where one is asked for anything but an action."""
    match table.state.asking:
        case "ready":
            endures = table.ability(table.seat) == "endurance" and table.level(table.seat) > 3
            return Use(ability="endurance") if endures else Ready()
        case "discard":
            return _cure(table) or Discard(min(table.makes_room(table.seat), key=_worth))
        case "jump":
            if table.ability(table.seat) == "dodge" and not _dodged(table):
                return Use(ability="dodge")
            view = SeatDistances(table)
            bit = view.chart.ways.bit
            return Jump(min(table.steps(table.mine.square), key=lambda to: steps_to(bit[to], view.out)))
        case "decide":
            return next(iter(Use.thinkable(table)))
    return None


def _dodged(table: Pyramid) -> bool:
    return bool(getattr(table.state.pending[0], "dodged", False))


def _cure(table: Pyramid) -> Move | None:
    """Heals or wards off a wound, where that can be done."""
    cards, ability = table.mine.cards, table.ability(table.seat)
    for card, wounds in CURED_BY.items():
        if card in cards:
            for wound in wounds:
                if wound in cards:
                    return Use(card=card, wound=wound)
    if ability in WARDS and table.state.fresh in WARDS[ability]:
        return Use(ability=ability)
    return None


def _acting(table: Pyramid) -> Move:
    if helped := _cure(table):
        return helped
    view = SeatDistances(table)
    if not table.mine.actions:
        return _supplied(view) or End()
    if _is_time(view):
        return view.outwards()
    for _, aim in aims(view)[:3]:
        if (move := _pursued(view, aim)) is not None:
            return move
    return view.outwards()


def _supplied(view: SeatDistances) -> Move | None:
    """Opens a lock with a helper, which takes no action."""
    table = view.table
    if not table.state.lock or len(table.missing()) != 1 or not table.helpers(table.seat):
        return None
    return _picked(view, table.state.lock)


def _next(aim: Aim, game: Horus, state: HorusState, seat: int) -> Move | None:
    """What the seat does next for an aim; None once it is reached, or it is time to leave."""
    table = game.at(state, seat)
    if state.asking != "act":
        return _asked(table)
    if helped := _cure(table):
        return helped
    view = SeatDistances(table)
    if not table.mine.actions:
        return _supplied(view) or End()
    if aim != LEAVE and _is_time(view):
        return None
    return _pursued(view, aim)


def ideas(game: Horus, worlds: Sequence[HorusState], seat: int, moves: Sequence[Move]) -> Sequence[Idea]:
    """The policy's move, then the best aims, then what else can be done here."""
    state = worlds[0]
    table = game.at(state, seat)
    own = policy(game, state, seat, random.Random(len(moves)))  # noqa: S311 -- which entrance
    found: dict[tuple[Move, Aim | None], Idea] = {(own, None): Idea(own)}
    allowed = set(moves)
    if state.asking == "act" and table.mine.actions:
        view, alike = SeatDistances(table), Counter[Move]()
        for _, aim in [(0.0, LEAVE), *aims(view)]:
            move = _pursued(view, aim)
            if move is not None and move in allowed and (alike[move] < OF_A_MOVE or aim == LEAVE):
                alike[move] += 1
                found[move, aim] = Idea(move, partial(_next, aim))
    for move in _others(table, moves):
        found.setdefault((move, None), Idea(move))
    return list(found.values())[:MOST]


def _others(table: Pyramid, moves: Sequence[Move]) -> Iterator[Move]:
    """What can be done here that is no step for an aim."""
    state = table.state
    entrances = table.terms.plan.exits
    for move in moves:
        match move:
            case Enter():
                if move.square == entrances[len(entrances) // 2]:
                    yield move
            case Step() | Pick():
                pass
            case Ready(discard=cards):
                if len(cards) <= 1 and all(_worth(card) < 3 for card in cards):
                    yield move
            case _:
                yield move
    if state.asking == "act" and any(isinstance(move, Step) for move in moves):
        yield from (move for move in moves if isinstance(move, Step) and move.to != OUTSIDE)


def why(game: Horus, state: HorusState, seat: int, move: Move) -> Reason | None:
    """What can be said for a move: what one walks there for, and whether the way out may be cut off."""
    table = game.at(state, seat)
    if state.asking != "act":
        return None
    view = SeatDistances(table)
    risk = view.risk()
    outwards = move == view.outwards()
    if outwards and (_is_time(view) or risk):
        return Reason("cut_off", {"percent": round(100 * risk)}) if risk else Reason("time_to_leave")
    for _, aim in aims(view):
        if _pursued(view, aim) == move:
            return Reason(aim.verb, {"what": table.terms.slots[int(aim.what)].god if aim.verb == "tomb" else aim.what})
    return None


INSIGHT = Insight(imagine=imagine, policy=policy, ideas=ideas, lead=LEAD, why=why)
