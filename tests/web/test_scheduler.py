"""Whose turn it is: fair by key, within a budget of processor time, and nobody is left waiting for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from web_ui.http_errors import TooMany
from web_ui.rate import Pace
from web_ui.scheduler import HURRY, Asker, Budgets, Hurry, Lane, Scheduler, TurnQueue, Waiting
from web_ui.worker_pool import Job


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def waiting(*asker: str) -> Waiting:
    return Waiting(asker, Job(lambda: None))


def served(turns: TurnQueue, budgets: Budgets, cost: float, *, over_budget: bool = True) -> Iterator[str]:
    while (turn := turns.next(over_budget=over_budget)) is not None:
        budgets.charge(turn.asker, cost)
        yield turn.asker[0]


def test_a_crowd_with_one_key_has_one_turn_in_two(clock: Clock) -> None:
    budgets = Budgets(clock=clock)
    turns = TurnQueue(budgets, most=100, each=50)
    for _ in range(40):
        turns.add(waiting("guest"))
    for _ in range(4):
        turns.add(waiting("family"))
    order = list(served(turns, budgets, 0.02))
    assert list(order[:8]).count("family") == 4


def test_whoever_has_used_up_their_budget_comes_after_all_others(clock: Clock) -> None:
    budgets = Budgets(clock=clock)
    turns = TurnQueue(budgets, most=100, each=50)
    budgets.charge(("guest",), 1.0)
    turns.add(waiting("guest"))
    turns.add(waiting("family"))
    assert list(served(turns, budgets, 0.01, over_budget=False)) == ["family"]
    assert list(served(turns, budgets, 0.01)) == ["guest"]


def test_the_budget_of_a_table_holds_for_all_its_keys_together(clock: Clock) -> None:
    budgets = Budgets((Pace(1, 0.1), Pace(2, 0.1)), clock=clock)
    for seat in range(3):
        budgets.charge((f"seat {seat}", "table"), 0.9)
    assert budgets.is_over(("seat 4", "table"))
    assert not budgets.is_over(("seat 0",))


def test_a_guest_with_a_seat_does_not_use_up_what_the_others_at_the_table_have(clock: Clock) -> None:
    budgets = Budgets((Pace(1, 0.1), Pace(2, 0.1)), clock=clock)
    for _ in range(50):
        budgets.charge(("guest", "table"), 0.5)
    assert budgets.is_over(("guest", "table"))
    assert not budgets.is_over(("family", "table"))


def test_a_debt_is_forgiven_in_the_end(clock: Clock) -> None:
    budgets = Budgets((Pace(1, 0.5),), clock=clock)
    budgets.charge(("guest",), 1e6)
    clock.now += 5
    assert not budgets.is_over(("guest",))


def test_nobody_leaves_the_computer_to_themselves(clock: Clock) -> None:
    hurry = Hurry(clock)
    hurry.note("family")
    assert (hurry.is_on(), hurry.is_on("family"), hurry.is_on("guest")) == (True, False, True)
    hurry.note("guest")
    hurry.note("guest")
    assert (hurry.is_on("family"), hurry.is_on("guest")) == (True, True)
    clock.now += HURRY
    assert not hurry.is_on()
    assert not hurry.is_on("guest")


def test_where_too_many_wait_whoever_has_most_of_them_gives_one_up(clock: Clock) -> None:
    turns = TurnQueue(Budgets(clock=clock), most=4, each=3)
    crowd = [waiting("guest") for _ in range(3)]
    for each in (*crowd, waiting("other")):
        assert turns.add(each) is None
    with pytest.raises(TooMany):
        turns.add(waiting("guest"))
    assert turns.add(waiting("family")) is crowd[-1]
    assert len(turns) == 4
    with pytest.raises(TooMany):
        TurnQueue(Budgets(clock=clock), most=0, each=3).add(waiting("guest"))


def test_names_that_used_nothing_for_long_are_forgotten(clock: Clock) -> None:
    budgets = Budgets(most=3, clock=clock)
    for n in range(10):
        budgets.charge((f"guest {n}",), 9.0)
    assert not budgets.is_over(("guest 0",))
    assert budgets.is_over(("guest 9",))


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Scheduler(3)
    yield made.people
    made.close()


def test_of_those_beyond_their_budget_one_is_served_at_a_time() -> None:
    """Three threads and three who have used up theirs: two threads stay free for whoever comes."""
    made, freed, begun = Scheduler(3, sleep=lambda _: None), threading.Event(), list[str]()

    def work(name: str) -> None:
        begun.append(name)
        if name != "family":
            assert freed.wait(20)

    async def crowd() -> None:
        guests: list[Asker] = [(f"guest {n}",) for n in range(3)]
        for guest in guests:
            made.budgets.charge(guest, 5.0)
        made.note(("family",))
        tasks = [asyncio.create_task(made.people.do(guest, partial(work, guest[0]))) for guest in guests]
        async with asyncio.timeout(20):
            while not begun:
                await asyncio.sleep(0.001)
            for _ in range(5):
                await made.people.do(("family",), partial(work, "family"))
            assert len([name for name in begun if name != "family"]) == 1
            freed.set()
            await asyncio.gather(*tasks)

    asyncio.run(crowd())
    assert sorted({*begun}) == ["family", "guest 0", "guest 1", "guest 2"]
    made.close()


def test_who_is_turned_away_is_told_so(lane: Lane) -> None:
    freed = threading.Event()

    async def crowd() -> list[type[BaseException] | None]:
        lane._turns._most = 2
        busy = [asyncio.create_task(lane.do((f"busy {n}",), lambda: freed.wait(20))) for n in range(3)]
        await asyncio.sleep(0.01)
        crowded = [asyncio.create_task(lane.do(("guest",), lambda: None)) for _ in range(2)]
        await asyncio.sleep(0.01)
        family = asyncio.create_task(lane.do(("family",), lambda: None))
        async with asyncio.timeout(20):
            while not crowded[1].done():
                await asyncio.sleep(0.001)
            freed.set()
            await asyncio.gather(*busy, crowded[0], family)
        error = crowded[1].exception()
        return [type(error) if error else None]

    assert asyncio.run(crowd()) == [TooMany]
