"""What a dig is said to bring: by what everybody has seen of all piles together, and right on average."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tomb_raiders.draws import NOTHING
from companion.games.tomb_raiders.forecast import Forecast, forecast
from companion.games.tomb_raiders.gaps import KnownPile, lying
from companion.games.tomb_raiders.moves import Dig
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import Reached
from companion.trials import random_outcome
from tests.games.tomb_raiders.camp import Camp, game
from tests.games.tomb_raiders.decks import Deck, glances, known, likely

DECKS = (Deck(4, ((2, 1), (2, 1))), Deck(4, ((1, 1), (1, 0), (2, 1))), Deck(6, ((2, 1), (1, 1))))
HISTORIES = 20
GAMES = 60
DIGS = 240


def foretold(camp: Camp, region: str = "egypt") -> Forecast:
    return forecast(camp.game.as_seen(camp.state, None), region)


def brought(playing: TombRaiders, seed: int) -> list[tuple[float, float, int, int]]:
    """Of each dig of a game at random: the cards and points to be expected, and those that came."""
    luck, state, digs = random.Random(seed), playing.start(), list[tuple[float, float, int, int]]()
    said, cards, points = (0.0, 0.0), 0, 0
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            outcome = random_outcome(ask, luck)
            if ask.question.startswith("find") and state.task and state.task.does == "dig" and outcome != NOTHING:
                cards, points = cards + 1, points + playing.terms.artifacts.get(str(outcome), ("", 0))[1]
            state, digging = playing.after(state, Dealt(outcome)), state.task
            if digging and digging.does == "dig" and not state.task:
                digs.append((*said, cards, points))
            continue
        moves = playing.moves(state, ask.seats[0]).moves
        digs_now = [move for move in moves if isinstance(move, Dig)]
        move = luck.choice(digs_now) if digs_now and luck.random() < 0.3 else luck.choice(moves)
        if isinstance(move, Dig):
            here = playing.as_seen(state, None, ask.seats[0])
            expected, shown = forecast(here, move.region), move.cards(here)
            assert expected == forecast(playing.at(state), move.region), "hands, piles and looks tell nothing"
            said, cards, points = (expected.cards[shown], expected.points[shown]), 0, 0
        state = playing.after(state, Played(ask.seats[0], move))
    return digs


class Off(NamedTuple):
    """By how many cards it is told wrong what lies on a pile, and what comes of three draws."""

    alone: bool  # it is the only pile that had been reached into
    cards: float
    of_three: float


def off(deck: Deck, luck: random.Random) -> Iterator[Off]:
    """How far off what is told is after digs at random, by every order in which a draw pile can lie."""
    orders = deck.every_order()
    rows = tuple(orders)
    for _ in range(HISTORIES):
        seen = tuple(glances(luck.choices(rows, tuple(orders.values()))[0], deck.greens, luck))
        turned, regions = luck.randrange(seen[-1].seen.turned, deck.greens), known(deck, seen)
        reached = {each.region for each in seen}
        chances = {heaps: orders[heaps] * likely(heaps, seen) for heaps in rows}
        total = sum(chances.values())
        for at in range(len(regions)):
            found = sum(each.artifacts for each in regions[at].reached)
            lies = [(sum(heaps[at][turned]) - found, chance / total) for heaps, chance in chances.items() if chance]
            told = [(sum(lie), chance) for lie, chance in lying(regions, at, turned, deck.greens - turned).items()]
            apart = [sum(min(n, lie) * chance for lie, chance in (*lies, *((x, -y) for x, y in told))) for n in (99, 3)]
            yield Off(reached == {at}, *map(abs, apart))


@pytest.mark.rule("TTR-13")
def test_it_is_what_every_order_of_the_draw_pile_says() -> None:
    """Of a pile that alone has been reached into exactly; of several to thousandths of a card, and never far off."""
    luck = random.Random(12)
    every = [each for deck in DECKS for each in off(deck, luck)]
    assert max(max(each.cards, each.of_three) for each in every if each.alone) < 1e-6
    together = [each for each in every if not each.alone]
    assert sum(each.cards for each in together) / len(together) < 0.004
    assert max(max(each.cards, each.of_three) for each in together) < 0.1


@pytest.mark.rule("TTR-13", "TTR-43")
def test_it_is_right_on_average() -> None:
    playing = game(3)
    digs = list(islice((dig for seed in range(GAMES) for dig in brought(playing, seed)), DIGS))
    assert len(digs) == DIGS
    means = [sum(dig[part] for dig in digs) / DIGS for part in range(4)]
    assert means[0] == pytest.approx(means[2], rel=0.06)
    assert means[1] == pytest.approx(means[3], rel=0.12)


@pytest.mark.rule("TTR-13")
def test_of_a_pile_that_was_drawn_out_only_what_came_since_is_unknown() -> None:
    camp = Camp()
    camp.ready_to_dig()
    before = foretold(camp)
    assert before.lie > 0
    camp.lie("egypt", "artifact-egypt-1", "rubble-egypt")
    camp.play(Dig("egypt", 12, "region"))
    camp.draw("rubble-egypt", "artifact-egypt-1", NOTHING)
    after = foretold(camp)
    assert (after.lie, after.cards[:3], after.points[3]) == (1.0, (0.0, 1.0, 1.0), 0.0)
    camp.state = camp.here().replace(turned=camp.state.turned + 1).state
    assert foretold(camp).lie == pytest.approx(1 + 18 / (1 + camp.state.deck.total))


def test_it_goes_by_the_gaps_between_green_cards() -> None:
    """Of 20 cards, of 84 gaps those before the fifth green card are past: 20 × 5 / 84. What comes up elsewhere, or does
    not, tells of this pile too."""
    assert foretold(Camp()).lie == pytest.approx(20 * 5 / 84)
    for lies, found, more in (((), NOTHING, False), (("artifact-greece-1",) * 2, "artifact-greece-1", True)):
        camp = Camp()
        camp.ready_to_dig(0, "greece")
        camp.lie("greece", *lies)
        before = foretold(camp).lie
        camp.play(Dig("greece", 2, "region"))
        camp.draw(found)
        assert (foretold(camp).lie > before) is more


def test_what_contradicts_what_was_seen_is_taken_as_it_lies() -> None:
    """Where figures or finds were put right since, nobody is told nonsense, and nothing fails."""
    seen = (Reached(2, 8, 3, 1, 2), Reached(3, 7, 0, 0, 0), Reached(3, 7, 4, 3, 0, drawn_out=True))
    for piles in ((KnownPile(0, 2, seen),), (KnownPile(5, 2, seen), KnownPile(1, 0, seen[2:]))):
        for at, pile in enumerate(piles):
            lies = lying(piles, at, 5, 5)
            assert sum(lies.values()) == pytest.approx(1)
            assert all(0 <= fine <= pile.artifacts and 0 <= waste <= pile.rubble for fine, waste in lies)


def test_without_the_option_and_with_real_cards_nothing_is_foretold() -> None:
    for options in ({"forecast": False}, {"cards": "mixed"}, {"cards": "real"}):
        camp = Camp(**options)
        aids: Any = camp.game.aids(camp.state, None)
        assert aids["digs"]["egypt"]["forecast"] is None
    told: Any = Camp().game.aids(Camp().state, None)
    assert told["digs"]["egypt"]["forecast"]["cards"][0] == 0
