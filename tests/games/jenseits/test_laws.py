"""Laws that hold at every step of every game, whoever plays and however the luck falls; and players for trials."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import msgspec
import pytest

from companion.game import Move, Played, Step
from companion.games.jenseits.bots import BOTS, promise, sensible
from companion.games.jenseits.moves import USES, Dig, Exhibit, Refresh, Retire, Take, ways
from companion.games.jenseits.piles import DrawPile, Piles
from companion.games.jenseits.plans import CLOSER, objects_likely
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState, JenseitsTable, Run
from companion.games.jenseits.terms import MOST_WEEKS
from companion.pieces.bag import Bag
from companion.referee import Referee
from companion.refusals import Refusal
from tests.games.jenseits.expedition import Expedition, game
from tests.laws.play import course

LONGEST = 2_000


def wander(playing: Jenseits, seed: int) -> Iterator[tuple[JenseitsState, Step, JenseitsState]]:
    """A game at random, in which nobody retires while there is something to do."""

    def keen(game: Jenseits, state: JenseitsState, seat: int, luck: random.Random) -> Move:
        moves = game.moves(state, seat).moves
        kinds = {type(move) for move in moves}
        kind = luck.choice(sorted(kinds - {Retire} or kinds, key=lambda each: each.__name__))
        return luck.choice([move for move in moves if type(move) is kind])

    return course(playing, random.Random(seed), LONGEST, keen)


def every_move(playing: Jenseits) -> list[Move]:
    """Every move that can be written with the box's words, legal or not."""
    terms = playing.terms
    moves: list[Move] = [Retire()]
    for zeppelin in (False, True):
        moves.append(Refresh(zeppelin=zeppelin))
        moves += [Take(card, zeppelin=zeppelin) for card in (*terms.research, *terms.exhibitions)]
        moves += [Exhibit(card, zeppelin=zeppelin) for card in (*terms.exhibitions, "congress-paris")]
        moves += [
            Dig(site, weeks, use, zeppelin=zeppelin)
            for site in (*terms.sites, "warsaw")
            for weeks in range(MOST_WEEKS + 2)
            for use in ways(USES)
        ]
    return moves


@pytest.mark.rule("JVT-04", "JVT-07")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_listed_is_accepted_and_nothing_else(seats: int) -> None:
    playing = game(seats)
    written = every_move(playing)
    for nth, (state, step, _) in enumerate(wander(playing, seats)):
        if nth % 9 or not isinstance(step, Played):
            continue
        listed = playing.moves(state, step.seat)
        assert not listed.more
        assert len(set(listed.moves)) == len(listed.moves)
        assert {move for move in written if accepted(playing, state, step.seat, move)} == set(listed.moves)
        for other in range(seats):
            if other != step.seat:
                assert playing.moves(state, other).moves == ()
                assert not accepted(playing, state, other, listed.moves[0])


def listed_alike(here: JenseitsTable, playing: Jenseits) -> None:
    """The list that is made fast is the plain one: every move that is thinkable and not refused, once."""
    fast = list(playing.listed(here))
    assert set(fast) == set(Referee.listed(playing, here))
    assert len(fast) == len(set(fast))


HANDS = {
    "nothing": (),
    "one of each": ("book-greece-berlin-1", "ethnology-greece-moscow-2", "assistant-rome", "shovel-rome",
                    "zeppelin-rome"),
    "by car": ("book-greece-london-3", "book-egypt-london-2", "car-rome", "car-moscow", "special_permit-moscow"),
    "all but books": ("ethnology-egypt-rome-2", "special_permit-london", "assistant-paris", "assistant-paris"),
    "two digs more": ("book-egypt-london-3", "book-egypt-berlin-2", "open_book-rome-1", "special_permit-london",
                      "special_permit-moscow", "zeppelin-rome", "zeppelin-vienna"),
}  # fmt: skip


@pytest.mark.rule("JVT-06", "JVT-09", "JVT-13", "JVT-40", "JVT-42")
@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("place", ["london", "egypt"])
@pytest.mark.parametrize("hand", HANDS)
def test_the_fast_list_is_the_plain_one_on_every_edge(hand: str, place: str, rules: int) -> None:
    """So few weeks before the end, and before a new year, that every cost fits exactly, and is a week too long; with
    permits used and not, after some refreshes, with empty bags, and with no cards to be had."""
    table = Expedition(
        2, rules=rules, opened=("shovel-london", "congress-vienna", "book-crete-moscow-3", "open_book-berlin-1")
    )
    table.give(0, *HANDS[hand])
    table.find(0, "greece", "object:1")
    table.find(0, "egypt", "object:2", "object:3")
    table.stand(0, place)
    table.show("b", "exhibition-small-london")
    table.show("c", "exhibition-large-moscow")
    here = table.game.at(table.state)
    for year, weeks in product((1902, 1904), range(1, 19)):
        track = here.state.track.put(1, here.terms.end).put(0, here.terms.calendar.time(1, year) - weeks)
        for turned in (frozenset[str](), frozenset(here.terms.sites)):
            there = here.replace(track=track, seats=here.seated(turned=turned), run=Run(weeks % 2, weeks % 5))
            listed_alike(there, table.game)
    listed_alike(there.replace(bags=dict.fromkeys(here.terms.sites, Bag.of(()))), table.game)
    listed_alike(there.replace(open=(None,) * 4, piles=Piles(Bag.of(()), (), DrawPile())), table.game)


def accepted(playing: Jenseits, state: JenseitsState, seat: int, move: Move) -> bool:
    refusal = refused(playing, state, seat, move)
    if refusal is not None:
        assert refusal.rule, f"{move}: {refusal.key} names no rule"
        assert "{" not in refusal.said("en"), refusal.said("en")
    return refusal is None


def refused(playing: Jenseits, state: JenseitsState, seat: int, move: Move) -> Refusal | None:
    try:
        playing.after(state, Played(seat, move))
    except Refusal as refusal:
        return refusal
    return None


@pytest.mark.rule("JVT-20", "JVT-45", "JVT-44")
def test_there_are_as_many_tokens_and_cards_as_the_rulebook_says() -> None:
    census = dict(game(2).census(game(2).start()))
    cards = {name: count for name, count in census.items() if " " not in name}
    assert sum(cards.values()) == 85 + 10
    assert sum(census.values()) - sum(cards.values()) == 155


@pytest.mark.rule("JVT-04", "JVT-06", "JVT-08")
@pytest.mark.parametrize("seed", range(6))
def test_time_only_goes_on_and_who_is_furthest_back_plays(seed: int) -> None:
    playing = game(2 + seed % 3)
    times: tuple[int, ...] = ()
    for state, step, after in wander(playing, seed):
        last = after
        if state.stack and times:
            assert all(now >= before for now, before in zip(state.track.times, times, strict=True))
        times = state.track.times if len(state.stack) == len(state.seats) else ()
        assert max(state.track.times) <= playing.terms.end
        if isinstance(step, Played):
            assert state.track.at(step.seat) == min(state.track.times)
    assert set(last.track.times) == {playing.terms.end}


@pytest.mark.rule("JVT-43", "JVT-44", "JVT-46")
@pytest.mark.parametrize("seed", range(6))
def test_between_turns_every_bag_has_its_rubble(seed: int) -> None:
    playing = game(2 + seed % 3)
    for state, step, _ in wander(playing, seed):
        if isinstance(step, Played):
            assert all(bag["blank"] == 16 for bag in state.bags.values())


@pytest.mark.parametrize("seed", range(4))
def test_everybody_sees_and_hears_the_same_and_all_of_it_is_json(seed: int) -> None:
    playing = game(2 + seed % 3)
    for state, step, _ in wander(playing, seed):
        seen = playing.sees(state, None)
        assert seen == playing.sees(state, 0)
        assert seen.you is None
        msgspec.json.encode(seen)
        told, to_a_seat = playing.tells(state, step, None), playing.tells(state, step, 1)
        assert msgspec.json.encode(told) == msgspec.json.encode(to_a_seat)


def test_every_bot_makes_legal_moves_also_when_only_retiring_is_left() -> None:
    table = Expedition()
    table.set(0, 52, 1903)
    table.set(1, 52, 1903, on_top=False)
    table.stand(0, "egypt")
    for bot in BOTS.values():
        move = bot(table.game, table.state, 0, random.Random(1))
        table.game.after(table.state, Played(0, move))


def test_sense_digs_where_it_knows_most_when_time_runs_out() -> None:
    table = Expedition()
    table.give(0, "book-egypt-moscow-3", "book-egypt-london-2", "book-egypt-berlin-2", "open_book-paris-2")
    table.give(0, "book-crete-berlin-1")
    table.stand(0, "egypt")
    table.set(0, 45, 1903)
    table.set(1, 50, 1903)
    move = sensible(table.game, table.state, 0, random.Random(1))
    assert isinstance(move, Dig)
    assert (move.site, move.weeks) == ("egypt", 8), "the 8 weeks that are left"


def test_sense_likes_a_dig_for_what_an_exhibition_still_asks_for() -> None:
    """London asks for one object from Greece and two from Egypt; one from Egypt is missing."""
    plain, shown = Expedition(), Expedition()
    for table in (plain, shown):
        for site in ("egypt", "crete"):
            table.give(0, f"book-{site}-moscow-3")
        table.find(0, "greece", "object:1")
        table.find(0, "egypt", "object:1")
    shown.show("b", "exhibition-small-london")

    def liked(dig: Dig) -> float:
        with_it, without = (promise(table.game.at(table.state), dig) for table in (shown, plain))
        return with_it - without

    assert liked(Dig("crete", 12)) == 0
    assert 0 < liked(Dig("egypt", 6)) < liked(Dig("egypt", 12)) <= CLOSER


def test_objects_are_likely_as_a_bag_has_them() -> None:
    bag = Bag.of({"object:1": 1, "object:4": 2, "book:1": 1, "blank": 2})
    assert objects_likely(bag, 2, 1) == 0.75
    assert objects_likely(bag, 2, 2) == 0.25
    assert objects_likely(bag, 2, 0) == 1
