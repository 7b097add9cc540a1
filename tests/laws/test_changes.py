"""What a screen makes of the changes it is told is the view itself, whatever has been played, taken back or missed."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from companion.canonical import canonical
from companion.game import Json, Turn
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import SharedParts, ViewParts, assembled, view_in_json, view_in_parts
from companion.refusals import Illegal, Over
from tests.follower import Follower, applied
from tests.laws.play import THOROUGH, Presser, Way, some_ways
from web_ui.json_patch import patch
from web_ui.views import Tracked, Version

decode = msgspec.json.decode


def viewers(table: Table) -> list[tuple[Actor, int | None]]:
    seats = range(len(table.setup.seats))
    return [(SPECTATOR, None), (HOST, None), (HOST, len(seats) - 1), *((Actor("seat", seat), None) for seat in seats)]


@pytest.mark.parametrize("way", some_ways(__name__), ids=str)
def test_a_screen_that_is_told_changes_has_the_whole_view(way: Way) -> None:
    table, luck = way.table("press" if way.seats % 2 else "flow"), random.Random(27)
    presser = Presser(table, random.Random(27))
    tracked, screens = dict[Any, Tracked](), dict[Any, tuple[Follower, Follower]]()
    for count, _ in enumerate(presser.go_on(40 * THOROUGH)):
        if count % 9 == 8 and table.offer(HOST).open:
            presser.back(luck.choice([None, luck.randrange(table.seq)]))
        if count % 7 == 3:
            with suppress(Illegal, Over):
                table.stir(HOST, table.seq, presser.fresh(), str(count))
        for viewer in viewers(table):
            parts = view_in_parts(table, viewer[0], seat=viewer[1])
            if viewer not in tracked:
                tracked[viewer], screens[viewer] = Tracked(table.seq, parts), (Follower(), Follower())
                screens[viewer][0].hear(tracked[viewer].since(None))
            else:
                event = tracked[viewer].goes_on(table.seq, parts)
                screens[viewer][0].hear(event or b"")
            steady, flighty = screens[viewer]
            assert (steady.asks, steady.version) == (0, Version(table.seq, tracked[viewer].version.sum))
            if luck.random() < 0.3:  # it comes back, after whatever it has missed
                flighty.hear(tracked[viewer].since(flighty.version))
                assert (flighty.asks, flighty.view) == (0, steady.view)
            whole = decode(view_in_json(table, viewer[0], seat=viewer[1]))
            if way.mode == "referee" and isinstance(table.ask(), Turn):
                del whole["ask"]["options"]
            assert steady.view == whole


def test_what_is_lost_twice_there_or_out_of_turn_is_noticed() -> None:
    views = [ViewParts(SharedParts(n, {"seq": n}, {"at": [n, 2]}), {}, (b'{"seq":%d}' % n,)) for n in range(6)]
    tracked = Tracked(0, views[0])
    first, *rest = [tracked.since(None), *(tracked.goes_on(n, view) or b"" for n, view in enumerate(views) if n)]
    luck, whole = random.Random(3), decode(assembled(views[-1]))
    for _ in range(200):
        screen, events = Follower(), [*rest]
        match luck.choice(["lost", "doubled", "swapped", "bent"]):
            case "lost":
                del events[luck.randrange(4)]
            case "doubled":
                events.insert(luck.randrange(6), luck.choice(events))
            case "swapped":
                luck.shuffle(events)
            case "bent":
                at = luck.randrange(5)
                events[at] = events[at].replace(b'"value":%d' % (at + 1), b'"value":9')
        screen.hear(first + b"".join(events))
        if screen.version != tracked.version:
            assert screen.version is None, "it believes in a view that there is not"
            screen.hear(tracked.since(None))
        assert screen.view == whole


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"a/b~c": {"": 1}}),
        ({"a": 1}, {"a": True}),
        ({"a": [1, 1, 0]}, {"a": [1, 0, 0, 1]}),
        ({"a": None}, {"a": {"b": None}}),
        ({"a": {"b": [[]]}}, {"a": {"b": [[], {}]}}),
        ({"a": [{"n": n, "w": "x" * 40} for n in range(9)]}, {"a": [{"n": n, "w": "x" * 40} for n in range(3, 12)]}),
    ],
)
def test_a_patch_makes_one_of_the_other(before: dict[str, Json], after: dict[str, Json]) -> None:
    there, here = (ViewParts(SharedParts(0, {}, of), {}, ()) for of in (before, after))
    made = applied({"board": before, "log": []}, decode(patch(there, here)))
    assert canonical(made) == assembled(here)
