"""Laws of a table in play, whatever is played at it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.game import Chance, Dealt, Move, Played, Step, Turn
from companion.play.entries import MaskedEntry, OutcomeRecorded
from companion.play.hall import Hall
from companion.play.proof import Proof, verify
from companion.play.record import decode, encode, export
from companion.play.stage import Stage
from companion.play.table import HOST, NOTHING, SPECTATOR, Actor, Table
from companion.play.view import View, log, view, view_in_json
from companion.refusals import Illegal, Over, Refusal
from companion.words import LANGUAGES
from tests.core.scribe import Scribe
from tests.laws.play import KEYS, SECRET, THOROUGH, Presser, Way, some_ways

PRESSES = 60
HIDDEN = 12
OF_THE_MOMENT = {"seq", "log", "undo", "luck", "head", "played", "begun"}
OF_THE_TABLE = {"table", "seal", "secret", "log", "undo", "seq", "luck", "sources"}

ways = pytest.mark.parametrize("way", some_ways(__name__), ids=str)


def actors(table: Table) -> Iterator[Actor]:
    """Everybody who may look at a table."""
    yield from (HOST, SPECTATOR)
    yield from (Actor("seat", seat) for seat in range(len(table.setup.seats)))


def without(seen: View, names: set[str]) -> View:
    return {name: part for name, part in seen.items() if name not in names}


def shown(table: Table) -> list[View]:
    """What everybody sees of a table just now, but for what tells one moment from another."""
    return [without(view(table, actor), OF_THE_MOMENT) for actor in actors(table)]


@ways
def test_the_same_press_after_a_step_back_is_dealt_the_same(way: Way) -> None:
    table = way.table("press")
    presser, pressed = Presser(table, random.Random(1)), 0
    for _ in range(PRESSES * 3):
        ask, before = table.ask(), table.seq
        dealt = isinstance(ask, Chance) and table.setup.source(ask.randomizer) == "companion"
        if isinstance(ask, Chance) and dealt and ask.pressed and pressed < 12:
            table.answer(HOST, table.seq, presser.fresh(), None)
            if table.settled():  # that was the last of all: it is not taken back
                break
            first = shown(table)
            presser.back(before)
            assert table.ask() == ask
            table.answer(HOST, table.seq, presser.fresh(), None)
            assert shown(table) == first
            pressed += 1
        elif not presser.press():
            break


@ways
def test_back_and_forward_again_is_the_same_view(way: Way) -> None:
    table = way.table()
    presser = Presser(table, random.Random(2))
    for count, _ in enumerate(presser.go_on(PRESSES)):
        if count % 5:
            continue
        if not table.offer(HOST).open:
            assert table.over()
            break
        back_and_forward(presser)


def back_and_forward(presser: Presser) -> None:
    """The law at a table where something can be taken back."""
    table = presser.table
    before = shown(table)
    presser.back()
    redo = table.offer(HOST).redo
    assert redo is not None
    presser.back(redo)
    assert shown(table) == before


@ways
def test_a_log_that_went_on_is_as_one_read_anew(way: Way) -> None:
    table = way.table()
    presser, luck = Presser(table, random.Random(4)), random.Random(4)
    for count, _ in enumerate(presser.go_on(40 * THOROUGH)):
        if count % 9 == 8 and table.offer(HOST).open:
            presser.back(luck.choice([None, luck.randrange(table.seq)]))
        if count % 13 == 12 and table.offer(HOST).redo is not None:
            presser.back(table.offer(HOST).redo)
        if count % 7 == 3:
            with suppress(Illegal, Over):  # nothing was drawn since, or nothing will be
                table.stir(HOST, table.seq, presser.fresh(), str(count))
        seen = {actor: view_in_json(table, actor) for actor in actors(table)}
        if count % 3:  # the log goes on over several entries before it is read anew
            continue
        table.read.clear()
        assert seen == {actor: view_in_json(table, actor) for actor in actors(table)}
        assert msgspec.json.decode(seen[HOST]) == msgspec.json.decode(msgspec.json.encode(view(table, HOST)))


@ways
def test_back_to_the_start_is_the_table_as_it_was_laid(way: Way) -> None:
    fresh = shown(way.table())
    table, presser = unfinished(way, random.Random(3))
    presser.back(0)
    assert shown(table) == fresh
    assert table.state == way.game().start()


def unfinished(way: Way, luck: random.Random) -> tuple[Table, Presser]:
    """A table in the middle of its game; one that is over by then is laid again, and played at for less long."""
    for most in range(12, 0, -1):
        table = way.table()
        presser = Presser(table, luck)
        list(presser.go_on(most))
        if not table.over():
            break
    return table, presser


@ways
def test_nobody_is_told_the_secret_before_the_end(way: Way) -> None:
    table = way.table("press")
    presser = Presser(table, random.Random(4))
    for count, _ in enumerate(presser.go_on(PRESSES)):
        if table.over():
            break
        if count % 5 == 0:
            tells_no_secret(presser)
    if not table.over():
        assert not told(encode(export(table)).decode(), secrets_of(table))
        table.end(HOST, table.seq, presser.fresh())
    assert view(table)["secret"] == SECRET.hex()
    assert not told(view(table), (KEYS.host, *KEYS.seats))


def secrets_of(table: Table) -> tuple[str, ...]:
    """What nobody may be told before the end, in every way it could be written."""
    secret = table.dealer.secret
    return (secret.hex(), str(list(secret)), repr(secret), table.keys.host, *table.keys.seats)


def told(said: object, secrets: tuple[str, ...]) -> bool:
    """Whether any of these is in what is said."""
    words = said if isinstance(said, str) else json.dumps(said)
    return any(secret in words for secret in secrets)


def tells_no_secret(presser: Presser) -> None:
    """The law at a table that is not over: in views, and in what is said to somebody who is refused."""
    table = presser.table
    secrets = secrets_of(table)
    assert not any(told(view(table, actor), secrets) for actor in actors(table))
    assert not any(told(said, secrets) for said in refusals(table, presser))


@ways
def test_a_hidden_draw_is_shown_to_nobody(way: Way) -> None:
    table = way.table()
    list(Presser(table, random.Random(9)).go_on(30))
    hidden_from_all(table)


def hidden_from_all(table: Table) -> None:
    """The law over what was written at a table: in its record for every hidden draw, in views and logs for some."""
    exported, hidden = export(table).entries, []
    for line in table.written:
        ask = table.ask(line.seq - 1)
        if isinstance(ask, Chance) and ask.hidden and not table.over():
            assert isinstance(line.entry, OutcomeRecorded)
            assert isinstance(exported[line.seq - 1].entry, MaskedEntry)
            assert table.game.hides(table.before(line.seq).state, Dealt(line.entry.outcome))
            hidden.append(line.seq)
    for seq in hidden[:: max(1, len(hidden) // HIDDEN)]:
        for actor in actors(table):
            asked = view(table, actor, seq=seq - 1)["ask"]
            assert isinstance(asked, dict)
            assert (asked["question"], asked["odds"], asked["facts"]) == ("hidden", [], {})
            told = msgspec.json.decode(log(table, actor.seat, seq)[-1])["what"]
            assert "outcome" not in str(told)


def refusals(table: Table, presser: Presser) -> Iterator[str]:
    """What is said to somebody who does what cannot be done."""
    tries: tuple[Callable[[], int], ...] = (
        lambda: table.play(HOST, table.seq, presser.fresh(), {"type": "nothing of the kind"}),
        lambda: table.answer(HOST, table.seq, presser.fresh(), "nothing of the kind"),
        lambda: table.correct(HOST, table.seq, presser.fresh(), {"type": "nothing of the kind"}),
        lambda: table.take_back(SPECTATOR, table.seq, presser.fresh()),
        lambda: table.end(SPECTATOR, table.seq, presser.fresh()),
    )
    for attempt in tries:
        before = table.seq
        with pytest.raises(Refusal) as refused:
            attempt()
        assert table.seq == before
        yield from (refused.value.said(language) for language in LANGUAGES)
        yield repr(refused.value)


@ways
def test_a_record_comes_back_as_the_table_it_was(way: Way, tmp_path: Path) -> None:
    table, hall = way.table(), Hall(tmp_path)
    presser = Presser(table, random.Random(5))
    list(presser.go_on(PRESSES))
    if table.offer(HOST).open:
        presser.back()
    list(presser.go_on(4))
    if not table.over():
        table.end(HOST, table.seq, presser.fresh())
    proof = comes_back(table, hall)
    fell = [line for line in table.written if isinstance(line.entry, OutcomeRecorded)]
    assert proof.draws + proof.reported > 0 or not fell
    hall.close()


def comes_back(table: Table, hall: Hall) -> Proof:
    """The law at a table that is over; what its record proves."""
    record = export(table)
    assert encode(decode(encode(record))) == encode(record)
    proof = verify(record)
    assert proof.holds, proof
    again = hall.take_in(decode(encode(record)))
    for seq in (0, table.seq // 2, table.seq):
        for actor in actors(table):
            assert without(view(again, actor, seq=seq), {"table"}) == without(view(table, actor, seq=seq), {"table"})
    assert encode(replace(export(again), laid=record.laid)) == encode(record)
    return proof


@ways
def test_where_nothing_is_hidden_another_device_can_go_on(way: Way, tmp_path: Path) -> None:
    table, hall = way.table(), Hall(tmp_path)
    list(Presser(table, random.Random(8)).go_on(20))
    if table.over() or any(isinstance(line.entry, MaskedEntry) for line in export(table).entries):
        hall.close()
        return
    again = hall.take_in(decode(encode(export(table))))
    assert again.state == table.state
    assert again.setup == table.setup
    hall.close()


@ways
def test_a_table_goes_on_from_its_journal(way: Way, tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = hall.lay(way.setup(), secret=SECRET)
    list(Presser(table, random.Random(6)).go_on(15))
    before = [view(table, actor) for actor in actors(table)]
    hall.close()
    hall = Hall(tmp_path)
    again = hall.table(table.id)
    assert again.state == table.state
    assert [view(again, actor) for actor in actors(again)] == before
    hall.close()


@ways
def test_the_companion_deals_nothing_where_the_table_does(way: Way) -> None:
    table = way.table(default="table")
    presser = Presser(table, random.Random(7))
    for _ in presser.go_on(PRESSES):
        ask = table.ask()
        if isinstance(ask, Chance) and table.setup.source(ask.randomizer) == "table":
            with pytest.raises(Illegal):
                table.answer(HOST, table.seq, presser.fresh(), None)
    for line in table.written:
        if isinstance(line.entry, OutcomeRecorded):
            ask = table.ask(line.seq - 1)
            assert isinstance(ask, Chance)
            assert line.entry.by == table.setup.source(ask.randomizer)


@ways
def test_a_table_refuses_by_the_rule_that_its_game_names(way: Way) -> None:
    """Whose turn it is, what is to be drawn and whether the game is over: a table has no words of its own on it."""
    table = way.table("press")
    presser, heard, move = Presser(table, random.Random(6)), 0, None
    for _ in presser.go_on(PRESSES):
        for step, press in out_of_place(table, presser, move):
            by_game = said_no(partial(table.game.after, table.state, step))
            assert said_no(press) == by_game
            assert by_game["rule"]
            heard += 1
        move = next(iter(table.moves(HOST).moves), move)
    assert heard, "at the first step somebody is out of place"


def out_of_place(table: Table, presser: Presser, move: Move | None) -> Iterator[tuple[Step, Callable[[], object]]]:
    """What somebody does who does not know what the table waits for."""
    ask = table.ask()
    if not isinstance(ask, Chance):
        yield Dealt(NOTHING), lambda: table.answer(HOST, table.seq, presser.fresh(), None)
    if move is not None:
        seats = range(len(table.setup.seats))
        made = msgspec.to_builtins(move)
        for who in (seat for seat in seats if not isinstance(ask, Turn) or seat not in ask.seats):
            yield Played(who, move), partial(table.play, HOST, table.seq, presser.fresh(), made, seat=who)


def said_no(tried: Callable[[], object]) -> dict[str, object]:
    with pytest.raises(Refusal) as refused:
        tried()
    return dict(refused.value.plain())


@ways
def test_lights_show_every_marker_whose_turn_it_is_and_a_dig_while_it_is_dug(way: Way) -> None:
    table, crew = way.table("press"), Scribe(lifts=False)
    Stage(crew).attach(table)
    presser = Presser(table, random.Random(3))
    for _ in range(PRESSES):
        ask, weeks = table.ask(), 0
        digs = [move for move in table.moves(HOST).moves if isinstance(ask, Turn) and weeks_of(move)]
        if digs and isinstance(ask, Turn):
            weeks = weeks_of(digs[-1])
            table.play(HOST, table.seq, presser.fresh(), msgspec.to_builtins(digs[-1]), seat=ask.seats[0])
        elif not presser.press():
            break
        seen, asked = json.loads(view_in_json(table, SPECTATOR)), table.ask()
        markers = seen["board"].get("track", {}).get("markers", ())
        assert sorted(seat for _, seat in crew.lights.markers) == sorted(marker["seat"] for marker in markers)
        assert all(0 <= place < 52 for place, _ in crew.lights.markers)
        if isinstance(asked, Turn):
            assert crew.lights.planned == 0
        elif isinstance(asked, Chance):
            assert crew.lights.turn == asked.seat
            assert crew.lights.planned == weeks or not weeks


def weeks_of(move: Move) -> int:
    """The weeks that a dig takes."""
    return int(getattr(move, "weeks", 0)) if msgspec.to_builtins(move)["type"] == "dig" else 0
