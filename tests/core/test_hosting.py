"""Who sits at a table and who is its host: passed on, taken by agreement, and the same after a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.play.actors import HOST, SPECTATOR, Actor
from companion.play.entries import SeatsChanged
from companion.play.hall import Hall
from companion.play.hosting import (
    ALONE_MS,
    LAPSES_MS,
    add_seat,
    free_seat,
    keep_host,
    leave_seat,
    name_seat,
    note_entered,
    owner_hosts,
    pass_host,
    sit,
    want_host,
)
from companion.play.proof import verify
from companion.play.record import draws_of, encode, encode_draws, export
from companion.play.seating import seat_key
from companion.play.table import Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, NotYourTurn, Over, Refusal
from tests.attack import stranger
from tests.core.devices import stirred_together

ids = (f"request {n}" for n in count())


class House:
    """A hall that may stop and start again, with a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.time = 1_700_000_000_000
        self.hall = Hall(folder, clock=lambda: self.time)

    def again(self, table: Table) -> Table:
        """The same table after a restart."""
        self.hall.close()
        self.hall = Hall(self.folder, clock=lambda: self.time)
        return self.hall.table(table.id)

    def actor(self, table: Table, seat: int) -> Actor | None:
        """Who holds the key that a seat has."""
        return self.hall.actor(table, seat_key(table.keys, table.seating.seats[seat].key))

    def want(self, table: Table, actor: Actor | None, *present: int, silent: bool = True) -> int:
        """Somebody presses to be the host."""
        assert actor is not None
        keys = [table.seating.seats[seat].key for seat in present]
        return want_host(table, actor, next(ids), now=self.time, silent=silent, present=keys)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path)
    yield opened
    opened.hall.close()


def laid(house: House, box: str = "horus", mode: str = "referee", seats: int = 3) -> Table:
    names = [Seat(f"Player {n}") for n in range(seats)]
    return house.hall.lay(msgspec.convert({"box": box, "mode": mode, "seats": names}, Setup, from_attributes=True))


def by_hand(actor: Actor | None) -> Actor:
    assert actor is not None
    return actor


@pytest.mark.parametrize(("box", "mode"), games.registered())
def test_seats_come_and_go_before_the_first_step_and_the_record_holds(house: House, box: str, mode: str) -> None:
    least, most = (games.box(box).seats.min, games.box(box).seats.max)
    table = laid(house, box, mode, least)
    seal, secret = table.seals, table.dealer.secret
    stirred_together(table, "host", "0")
    while len(table.setup.seats) < most:
        add_seat(table, HOST, next(ids), f"Guest {len(table.setup.seats)}")
    with pytest.raises(Malformed):
        add_seat(table, HOST, next(ids), "One too many")
    last = sit(table, next(ids), "Zoë", most - 1)
    if most > least:
        leave_seat(table, HOST, next(ids), 0)
        last -= 1
    assert table.stirring.names == ([] if most > least else ["host", "0"])
    assert house.actor(table, last) == Actor("seat", last)
    name_seat(table, by_hand(house.actor(table, last)), next(ids), last, "Zoé")
    assert len(table.setup.seats) == max(least, most - 1)
    again = house.again(table)
    assert view(again, HOST) == {**view(table, HOST)}
    assert [seat.name for seat in house.hall.tables()[0].seats] == [seat.name for seat in table.setup.seats]
    table = again
    assert (table.seals, table.dealer.secret, table.position().seq) == (seal, secret, 0)
    table.begin()
    if not table.begun:
        table.play(HOST, table.seq, next(ids), table.moves(HOST).moves[0] and _plain(table.moves(HOST).moves[0]))
    with pytest.raises(Illegal, match="added nor taken"):
        add_seat(table, HOST, next(ids), "Late")
    free_seat(table, HOST, next(ids), last)
    assert house.actor(table, last) == Actor("seat", last)
    assert house.hall.actor(table, seat_key(table.keys, last if most == least else last + 1)) is None  # the old key
    assert sit(table, next(ids), "Yuki", None if not table.seating.free()[0] < last else last) == last
    assert table.setup.seats[last].name == "Yuki"
    table.end(HOST, table.seq, next(ids))
    with pytest.raises(Over):
        sit(table, next(ids), "Ghost", 0)
    record = export(house.again(table))
    assert verify(record).fault is None, verify(record)
    told, draws = json.loads(encode(record)), json.loads(encode_draws(draws_of(house.hall.table(table.id))))
    assert stranger.follow(told, draws, bytes.fromhex(told["secret"])) >= 0
    stranger.check_form(told)
    house.hall.take_in(record)


def _plain(move: object) -> object:
    return msgspec.to_builtins(move)


def test_whoever_types_the_code_sits_down_once_and_only_where_nobody_is(house: House) -> None:
    table = laid(house, "jenseits")
    assert sit(table, "one request", "Ada", None) == sit(table, "one request", "Ada", None) == 0
    with pytest.raises(Illegal, match="Somebody sits"):
        sit(table, next(ids), "Ben", 0)
    with pytest.raises(Malformed, match="called"):
        sit(table, next(ids), "ADA", 1)
    note_entered(table, by_hand(house.actor(table, 1)))
    seq = table.seq
    note_entered(table, by_hand(house.actor(table, 1)))
    assert (table.seating.free(), table.seq) == ([2], seq)
    assert sit(table, next(ids), None, None) == 2  # as whoever set it up called it
    assert sit(table, next(ids), "Dora", None) == 3  # before the first step there is room for one more
    assert [seat.name for seat in table.setup.seats] == ["Ada", "Player 1", "Player 2", "Dora"]
    table.begin()
    with pytest.raises(Illegal, match="No seat is free"):
        sit(table, next(ids), "Eve", None)
    with pytest.raises(NotYourTurn):
        free_seat(table, by_hand(house.actor(table, 0)), next(ids), 1)
    with pytest.raises(NotYourTurn):
        name_seat(table, SPECTATOR, next(ids), 1, "Mallory")


def test_the_host_passes_the_role_on_and_is_a_guest_with_a_seat_then(house: House) -> None:
    table = laid(house)
    assert sit(table, next(ids), "Ada", 0, host=HOST) == 0
    with pytest.raises(Illegal, match="Nobody sits"):
        pass_host(table, HOST, next(ids), 1)
    sit(table, next(ids), "Ben", 1)
    with pytest.raises(NotYourTurn):
        pass_host(table, by_hand(house.actor(table, 1)), next(ids), 1)
    pass_host(table, by_hand(house.hall.actor(table, table.keys.host)), next(ids), 1)
    table = house.again(table)
    old, new = house.hall.actor(table, table.keys.host), house.actor(table, 1)
    assert (old, new) == (Actor("seat", 0, "host"), Actor("host", 1, "seat"))
    assert house.hall.actor_by(table.id, table.keys.host) == old
    with pytest.raises(NotYourTurn):
        add_seat(table, by_hand(old), next(ids), "Carol")
    with pytest.raises(Illegal, match="pass the host"):
        free_seat(table, by_hand(new), next(ids), 1)
    add_seat(table, by_hand(new), next(ids), "Carol")
    assert view(table, by_hand(new))["me"] == {"role": "host", "seat": 1}
    assert [view(table, by_hand(each))["stirs_as"] for each in (old, new)] == ["host", "1"]
    assert view(table, by_hand(new), seat=2)["me"] == {"role": "host", "seat": 2}
    pass_host(table, by_hand(new), next(ids), None)
    assert house.hall.actor(table, table.keys.host) == Actor("host", 0)
    owner_hosts(table, SPECTATOR, next(ids))
    assert (table.seating.host, view(table)["host"]) == (
        "owner",
        {"seat": None, "owner": True, "silent": False, "asked": None},
    )
    table.end(HOST, table.seq, next(ids))
    following = house.hall.rematch(table)
    assert following.seating.host == "owner"
    assert [seat.taken for seat in following.seating.seats] == [True, True, False, False]


def test_the_role_is_taken_by_more_than_half_of_those_present(house: House) -> None:
    table = laid(house, "jenseits", "toolbox", 4)
    for seat, name in enumerate(("Ada", "Ben", "Carol")):
        sit(table, next(ids), name, seat)
    ada, ben, carol = (house.actor(table, seat) for seat in range(3))
    with pytest.raises(Illegal, match="less than a minute"):
        house.want(table, ada, 0, 1, 2, silent=False)
    with pytest.raises(NotYourTurn):
        house.want(table, SPECTATOR, 0, 1, 2)
    house.want(table, ada, 0, 1, 2)
    with pytest.raises(Illegal, match="not agreed"):
        house.want(table, ada, 0, 1, 2)
    table = house.again(table)  # in the middle of it
    house.want(table, ben, 0, 1, 2)  # two who want it at once: the second agrees with the first
    assert (table.seating.host, table.seating.hosts_seat, table.bid) == (0, 0, None)
    assert [line.entry.by for line in table.written if isinstance(line.entry, SeatsChanged)][-1] == "seat"
    house.want(table, carol, 1, 2)
    keep_host(table, by_hand(house.actor(table, 0)), next(ids))  # who was the host is heard again
    with pytest.raises(Illegal, match="Nobody has asked"):
        keep_host(table, by_hand(house.actor(table, 1)), next(ids))
    assert table.bid is None


def test_somebody_alone_waits_where_all_can_see_it_and_what_nobody_answers_lapses(house: House) -> None:
    table = laid(house)
    sit(table, next(ids), "Ada", 0)
    sit(table, next(ids), "Ben", 1)
    ada, ben = house.actor(table, 0), house.actor(table, 1)
    house.want(table, ada, 0)
    for wait, seats in ((ALONE_MS - 1, (0,)), (1, (0, 1))):
        house.time += wait
        with pytest.raises(Illegal, match="not agreed"):
            house.want(table, ada, *seats)
    asked = view(table)["host"]
    assert asked == {
        "seat": None,
        "owner": False,
        "silent": False,
        "asked": {"seat": 0, "at": table.bid.at if table.bid else 0, "agreed": [0], "alone_ms": ALONE_MS},
    }
    house.time += LAPSES_MS
    house.want(table, ben, 1)
    house.time += ALONE_MS
    table = house.again(table)
    house.want(table, ben, 1)
    assert table.seating.hosts_seat == 1
    table.end(by_hand(house.actor(table, 1)), table.seq, next(ids))
    assert verify(export(table)).fault is None


def test_what_no_table_writes_of_its_seats_is_refused(house: House) -> None:
    table = laid(house, "jenseits")
    sit(table, next(ids), "Ada", 0)
    seats, forged = table.seating.seats, msgspec.structs.replace
    table.begin()
    wrong = (
        SeatsChanged("host", "seat", seats, seats[0].key, seat=0),  # whom nobody asked
        SeatsChanged("host", "host", seats, 7),
        SeatsChanged("add", "host", (*seats, forged(seats[0], name="Eve", shape="star", key=3)), "key"),
        SeatsChanged("leave", "host", seats[:2], "key"),
        SeatsChanged("name", "host", (forged(seats[0], name="Player 1"), *seats[1:]), "key"),
        SeatsChanged("free", "host", (forged(seats[0], key=1), *seats[1:]), "key"),
        SeatsChanged("free", "host", (forged(seats[0], key=99), *seats[1:]), "key"),
    )
    for entry in wrong:
        with pytest.raises(Refusal):
            table.seat(next(ids), "forged", lambda entry=entry: entry)  # type: ignore[misc]
    assert table.seating.seats == seats


def test_a_press_has_the_digest_that_it_had_before_the_role_could_be_passed_on() -> None:
    """A request whose answer was lost in an update is known when it comes again."""
    assert msgspec.json.encode(Actor("seat", 1)) == b'{"role":"seat","seat":1}'
