"""What the search knows of The Tomb Raiders: hands and piles as they may be, what a position promises, a player."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import factorial, prod
from typing import NamedTuple

from msgspec.structs import replace

from companion.game import Move
from companion.games.tomb_raiders.forecast import lying_now
from companion.games.tomb_raiders.gaps import Lies
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take, by_region
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import (
    BEST,
    GENERAL,
    HIDDEN,
    LIKE_GENERAL,
    RUBBLE,
    Raider,
    TombState,
    TombTable,
    permit_of,
)
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial
from companion.pieces.piles import Pile
from companion.search.insight import Idea, Insight, Reason

WEEK = 0.6  # points that a week is worth as long as there is much to do
SHOWING = 0.4  # what an artifact is good for beside its points, for exhibitions and museums
KNOWING = 0.45  # what a point of knowledge is good for, beside the digs of now, while all lies ahead
AGAIN = 0.6  # what is left of a dig for the next one in the same region
STAYS = 0.85  # of what a professor scores, as long as another may take it over
CONGRESS = 0.9  # what a congress adds to those to come
BEST_OF_A_PILE, BLIND, LOOK, HELP = 3.2, 1.4, 0.3, 1.2
TRIED = 10
TRIES = 64  # so often hands are dealt anew where somebody would have more cards than they hold
TURNS = 14
LEAD = 13.0


# What a seat cannot see.


def imagine(game: TombRaiders, state: TombState, seat: int, luck: random.Random) -> TombState:
    """Hands and piles as they may be."""
    table = game.at(state, seat)
    there = state if table.terms.is_real else replace(state, seats=_with_hands(table, luck))
    if table.terms.real_piles:
        return there
    piles = {region: _with_cards(table, region, luck) for region in table.terms.regions}
    return replace(there, piles=piles, settled=state.turned)


def _with_hands(table: TombTable, luck: random.Random) -> tuple[Raider, ...]:
    """The cards that lie nowhere in sight, dealt to the others.

    Of the permits that everybody began with, each is as likely to be held still as any of its kind; the action cards
    are anybody's. All deals that leave everybody with as many cards as they hold are equally likely.
    """
    seats, hidden = table.state.seats, _in_hands(table)
    others = [at for at, each in enumerate(seats) if HIDDEN in each.hand]
    if not others or not hidden:
        return seats
    sizes = [len(seats[at].hand) for at in others]
    permits = Counter(card for card in hidden if card not in table.terms.cards)
    actions = [card for card in hidden if card in table.terms.cards]
    hands: list[list[str]] = []
    for _ in range(TRIES):
        hands = [[] for _ in others]
        for card, n in permits.items():
            held = [at for at in range(len(others)) for _ in range(table.terms.hand.count(card))]
            for at in luck.sample(held, min(n, len(held))):
                hands[at].append(card)
        free = [size - len(hand) for size, hand in zip(sizes, hands, strict=True)]
        if min(free) >= 0 and luck.random() * _ways(_even(len(actions), len(others))) <= _ways(free):
            break
    luck.shuffle(actions)
    left = iter([*actions, *hidden])
    dealt = {
        at: tuple(islice([*hand, *islice(left, max(0, size - len(hand)))], size))
        for at, hand, size in zip(others, hands, sizes, strict=True)
    }
    return tuple(replace(each, hand=dealt.get(at, each.hand)) for at, each in enumerate(seats))


def _ways(sizes: Sequence[int]) -> int:
    """In how many ways cards can be dealt to so many places."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _even(cards: int, seats: int) -> list[int]:
    """So many cards, dealt evenly: in no other way are there more deals."""
    return [cards // seats + (at < cards % seats) for at in range(seats)]


def _in_hands(table: TombTable) -> list[str]:
    """All cards for the hand that lie nowhere in sight."""
    state, terms = table.state, table.terms
    every = Counter({card: printed.copies for card, printed in terms.cards.items() if printed.play_weeks is not None})
    every.update(terms.hand * terms.seats)
    every.subtract(state.deck.counts)
    every.subtract(card for card in state.storage if card is not None)
    every.subtract(state.gone)
    for mine in state.seats:
        every.subtract(card for card in mine.hand if card != HIDDEN)
        every["assistant"] -= mine.assistants
    wanted = sum(mine.hand.count(HIDDEN) for mine in state.seats)
    hidden = sorted(
        card for card, n in every.items() if n > 0 and (card in terms.cards or card in terms.hand) for _ in range(n)
    )
    return hidden if len(hidden) == wanted else (hidden * wanted)[:wanted] if hidden else []


def _with_cards(table: TombTable, region: str, luck: random.Random) -> Pile:
    """A pile as likely as any that shows what everybody has seen of it, and what the seat has seen itself."""
    state, printed = table.state, table.cards_of(region)
    rubble = f"{RUBBLE}{region}"
    unseen = _unseen(table, region)
    waste_in_all = printed.get(rubble, 0)
    there, waste = _drawn(lying_now(table, region), luck)
    look = table.mine.look
    known: list[str] = []
    if look is not None and look.region == region:
        known = list((Counter(look.artifacts) & unseen).elements())
        there = len(known) if table.choosing else max(there, len(known))
        waste = max(waste, 1) if look.rubble else 0 if table.choosing else waste
    others = list((unseen - Counter(known)).elements())
    luck.shuffle(others)
    lie = Counter([*known, *others[: max(0, there - len(known))]])
    lie[rubble] = waste
    faces = Counter(unseen)
    faces[rubble] = waste_in_all
    return Pile(Bag.of(_some(faces - lie)), 0, Bag.of(_some(lie)), state.turned)


def _some(cards: Counter[str]) -> dict[str, int]:
    return {card: n for card, n in cards.items() if n > 0}


def _unseen(table: TombTable, region: str) -> Counter[str]:
    """The artifacts of a region that lie before nobody and have not left the game."""
    printed, state = table.cards_of(region), table.state
    gone = Counter(card for mine in state.seats for card in mine.finds) + Counter(state.gone)
    return Counter(
        {card: n - gone[card] for card, n in printed.items() if card in table.terms.artifacts and n > gone[card]}
    )


def _drawn(lies: Lies, luck: random.Random) -> tuple[int, int]:
    return luck.choices(tuple(lies), tuple(lies.values()))[0]


# What a position promises.


class Outlook(NamedTuple):
    """What is to be had, as everybody can reckon it.

    :param ahead: how much of the game is left, 1 at the beginning.
    :param each: by region the points of a card that is drawn.
    :param there: by region how many cards lie there, by and large.
    """

    ahead: float
    each: Mapping[str, float]
    there: Mapping[str, float]


def outlook(table: TombTable) -> Outlook:
    """How much is left, and what a dig brings."""
    state, terms = table.state, table.terms
    ahead = state.deck.total / (state.deck.total + state.turned + 1)
    finds = [card for mine in state.seats for card in mine.finds]
    laid = by_region((*finds, *(card for card in state.gone if card in terms.artifacts)))
    points = dict.fromkeys(terms.regions, 0)
    for card in (*finds, *state.gone):
        if card in terms.artifacts:
            points[terms.artifacts[card][0]] += terms.artifacts[card][1]
    each, there = {}, {}
    for region in terms.regions:
        worth, count, rubble = _whole(terms.faces[region], region)
        left, had = worth - points[region], laid[region]
        come = max((count + rubble) * (1 - ahead), had + rubble * (1 - ahead))
        there[region] = lie = max(0.0, come - had)
        bad = min(lie, rubble * (1 - ahead))
        share = (lie - bad) / lie if lie else 0.0
        each[region] = (left / (count - had) + SHOWING) * share if count > had else 0.0
    return Outlook(ahead, each, there)


@lru_cache(maxsize=64)
def _whole(faces: Bag, region: str) -> tuple[int, int, int]:
    """The points of all artifacts of a region, how many there are, and how much rubble."""
    artifacts = {card: n for card, n in faces.counts.items() if not card.startswith(RUBBLE)}
    worth = sum(int(card.rpartition("-")[2]) * n for card, n in artifacts.items())
    return worth, sum(artifacts.values()), faces[f"{RUBBLE}{region}"]


@lru_cache(maxsize=16384)
def _of_a_dig(dial: Dial, known: int, each: int, there: int, week: int) -> float:
    """What a dig is worth beyond its weeks: points for a card in tenths, a week in hundredths."""
    row = dial.row(known)
    return max(0.0, *(min(cards, there) * each / 10 - weeks * week / 100 for weeks, cards in enumerate(row, 1)))


def _digs_to_come(table: TombTable, mine: Raider, seen: Outlook) -> float:
    """What the excavation cards in a hand are good for."""
    terms, week = table.terms, int(100 * WEEK * min(1.0, 0.4 + seen.ahead))
    regions: dict[str, float] = {}
    for region in terms.regions:
        expert = mine.expertise[region]
        if expert:
            known = min(expert + min(mine.general, expert) + mine.assistants, terms.dial.most_knowledge)
            there = max(0, round(seen.there[region] + 3 * seen.ahead))
            regions[region] = _of_a_dig(terms.dial, known, round(10 * seen.each[region]), there, week)
    points = 0.0
    for region, worth in regions.items():
        permits = mine.hand.count(permit_of(region))
        points += worth * sum(AGAIN**nth for nth in range(permits))
        regions[region] = worth * AGAIN**permits
    for _ in range(mine.hand.count(GENERAL) + mine.hand.count(LIKE_GENERAL) if regions else 0):
        best = max(regions, key=regions.__getitem__)
        points += regions[best]
        regions[best] *= AGAIN
    return points


def _promised(table: TombTable, seat: int, mine: Raider, seen: Outlook) -> float:
    """The points that a seat may expect beside those of weeks and professors."""
    terms, row = table.terms, table.terms.box.score.congresses
    points = 0.0
    congresses = 0
    for card in mine.cards:
        if card in terms.exhibitions:
            points += terms.exhibitions[card].points
        elif card in terms.museums:
            points += terms.museums[card].points
        elif card == "congress":
            congresses += 1
    points += row[min(congresses, len(row) - 1)] + CONGRESS * congresses * seen.ahead
    for find in mine.finds:
        points += terms.artifacts[find][1] + SHOWING * seen.ahead
    points += _digs_to_come(table, mine, seen) + KNOWING * seen.ahead * (mine.known + 0.5 * mine.assistants)
    return points + sum(_in_hand(table, card, seen) for card in mine.hand if card in terms.cards)


def _in_hand(table: TombTable, card: str, seen: Outlook) -> float:
    """What an action card is good for, once it is played."""
    printed = table.terms.cards[card]
    weeks = WEEK * (printed.play_weeks or 0) * min(1.0, 0.4 + seen.ahead)
    in_time = min(1.0, 4 * seen.ahead)
    match printed.kind:
        case "tomb_raiders":
            points = BEST_OF_A_PILE
        case "thief":
            points = BLIND if table.terms.thief == "blind" else BEST_OF_A_PILE
        case "assistant":
            points = HELP + WEEK
        case "scientist":
            points = LOOK + WEEK
        case _:
            return 0.0
    return max(0.0, points - weeks) * in_time


def _of_professors(table: TombTable) -> dict[int, float]:
    """For each seat what the professors it has are worth."""
    printed = table.terms.box.professors
    points: dict[int, float] = {}
    for name, seat in table.state.professors.items():
        worth = printed.best_knowledge.points if name == BEST else printed.region.points
        points[seat] = points.get(seat, 0.0) + worth * STAYS
    return points


def promise(game: TombRaiders, state: TombState) -> Sequence[float]:
    """For each seat the points it may expect."""
    table = game.at(state)
    seen, held = outlook(table), _of_professors(table)
    foremost = state.track.foremost
    week = max(WEEK * min(1.0, 0.4 + seen.ahead), 1 / table.terms.box.score.weeks_per_point_behind)
    return [
        _promised(table, seat, mine, seen) + held.get(seat, 0.0) + week * (foremost - state.track.times[seat])
        for seat, mine in enumerate(state.seats)
    ]


# The player.


def policy(game: TombRaiders, state: TombState, seat: int, luck: random.Random) -> Move:
    """The move that promises most beyond what its weeks are worth."""
    table = game.at(state, seat)
    moves = game.moves(state, seat).moves
    return max(_weighed(table, moves), key=lambda each: each[0])[1]


def _weighed(table: TombTable, moves: Sequence[Move]) -> Iterator[tuple[float, Move]]:
    """Each move with what it promises more than doing nothing."""
    mine, seen = table.mine, outlook(table)
    now = _promised(table, table.seat, mine, seen)
    week = WEEK * min(1.0, 0.4 + seen.ahead)
    known = {region: table.knowledge(region).total for region in table.terms.regions}
    after: dict[tuple[str, str], float] = {}
    for move in moves:
        match move:
            case Take():
                gain = _promised(table, table.seat, _taken(table, mine, move.card), seen) - now
                gain += _of_a_professor(table, move.card)
                weeks = table.terms.cards[move.card].weeks if move.card in table.terms.cards else 0
            case Dig(region=region, weeks=weeks, permit=permit):
                if (region, permit) not in after:
                    after[region, permit] = _dug(table, mine, move, seen)
                cards = min(table.terms.dial.rows[known[region] - 1][weeks - 1], seen.there[region])
                gain = after[region, permit] + cards * seen.each[region] - now
            case Play(artifact=str(artifact)):
                gain, weeks = float(table.terms.artifacts[artifact][1]), 0
            case Play():
                gain, weeks = _played(table, mine, move, seen) - now, move.weeks_of(table)
            case Exhibit():
                gain, weeks = float(table.terms.exhibitions[move.card].points), move.weeks_of(table)
            case Donate():
                given = sum(table.terms.artifacts[card][1] + SHOWING * seen.ahead for card in move.artifacts)
                gain, weeks = table.terms.museums[move.card].points - given, move.weeks_of(table)
            case _:
                gain, weeks = 0.0, 0
        yield gain - week * weeks, move


def _taken(table: TombTable, mine: Raider, card: str) -> Raider:
    """A seat with a card more."""
    printed = table.terms.cards.get(card)
    if printed is None or printed.play_weeks is not None:
        return replace(mine, hand=(*mine.hand, card)) if printed is not None else mine
    if printed.region is not None:
        expertise = mine.expertise | {printed.region: mine.expertise[printed.region] + printed.worth}
        return replace(mine, expertise=expertise)
    if printed.kind == "general":
        return replace(mine, general=mine.general + printed.worth)
    return replace(mine, cards=(*mine.cards, card))


def _of_a_professor(table: TombTable, card: str) -> float:
    """What professors come to the seat with a card, or to nobody else."""
    printed = table.terms.cards.get(card)
    if printed is None or printed.kind not in ("expertise", "general"):
        return 0.0
    mine, box, gain = table.mine, table.terms.box.professors, 0.0
    if printed.region is not None:
        mine_then = mine.expertise[printed.region] + printed.worth
        gain += _takes_over(table, printed.region, mine_then, box.region.threshold) * box.region.points
    best = box.best_knowledge
    return STAYS * (gain + _takes_over(table, BEST, mine.known + printed.worth, best.threshold) * best.points)


def _takes_over(table: TombTable, professor: str, points: int, least: int) -> bool:
    """Whether so many points would bring a professor to the seat."""
    holder = table.state.professors.get(professor)
    if holder == table.seat or points < least:
        return False
    if holder is None:
        return True
    has = table.state.seats[holder]
    return points > (has.known if professor == BEST else has.expertise[professor])


def _dug(table: TombTable, mine: Raider, dig: Dig, seen: Outlook) -> float:
    """What a seat may expect once it has dug, beside what it finds."""
    card = dig.with_card(table) or ""
    hand = list(mine.hand)
    if card in hand:
        hand.remove(card)
    after = replace(mine, hand=tuple(hand), assistants=0)
    return _promised(table, table.seat, after, seen)


def _played(table: TombTable, mine: Raider, play: Play, seen: Outlook) -> float:
    """What a seat may expect once an action card is played."""
    printed = table.terms.cards.get(play.card)
    if printed is None:
        return 0.0
    hand = list(mine.hand)
    if play.card in hand:
        hand.remove(play.card)
    after = replace(mine, hand=tuple(hand), assistants=mine.assistants + (printed.kind == "assistant"))
    promised = _promised(table, table.seat, after, seen)
    region = play.region or printed.region or ""
    if printed.kind == "thief" and table.terms.thief == "blind":
        return promised + min(1.0, seen.there[region]) * seen.each[region]
    if printed.kind in ("thief", "tomb_raiders"):
        return promised + min(1.0, seen.there[region] / 3) * (BEST_OF_A_PILE + SHOWING)
    return promised + (LOOK if printed.kind == "scientist" else 0.0)


def ideas(game: TombRaiders, worlds: Sequence[TombState], seat: int, moves: Sequence[Move]) -> Sequence[Idea]:
    """The moves that promise most; of digs that draw as much the shortest, of gifts to a museum the cheapest."""
    table = game.at(worlds[0], seat)
    weighed = sorted(_weighed(table, moves), key=lambda each: -each[0])
    tried: list[Move] = []
    had: Counter[object] = Counter()
    for _, move in weighed:
        kind: object = move
        if isinstance(move, Dig):
            kind = (move.region, move.cards(table))
        elif isinstance(move, Donate):
            kind = move.card
        had[kind] += 1
        if had[kind] == 1 and had[alike := (type(move), getattr(move, "region", ""))] < 3:
            had[alike] += isinstance(move, Dig)
            tried.append(move)
    return [Idea(move) for move in tried[:TRIED]]


def why(game: TombRaiders, state: TombState, seat: int, move: Move) -> Reason | None:
    """What can be said for a move: what a region promises, what a card scores, what it costs."""
    table = game.at(state, seat)
    match move:
        case Dig():
            cards, each = move.cards(table), outlook(table).each[move.region]
            return Reason("dig", {"n": round(cards * each), "cards": cards, "region": move.region})
        case Exhibit():
            return Reason("exhibit", {"n": table.terms.exhibitions[move.card].points, "weeks": move.weeks_of(table)})
        case Donate():
            return Reason("museum", {"n": table.terms.museums[move.card].points})
        case Take():
            return Reason("take", {"n": move.weeks_of(table)})
        case Play():
            return Reason("play", {"n": move.weeks_of(table)})
    return None


INSIGHT = Insight(why=why, imagine=imagine, policy=policy, ideas=ideas, promise=promise, turns=TURNS, lead=LEAD)
