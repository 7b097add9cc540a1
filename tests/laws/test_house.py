"""What a house is told of a table follows from what everybody sees there, and from nothing else; in every game."""

from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace

from companion.game import AnyGame
from companion.play.dealer import SealedDealer
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.story import account_of
from companion.play.table import HOST, Table
from companion.play.view import view
from tests.laws.play import KEYS, SECRET, WAYS, Presser, Way
from web_ui.devices import PHASES, Names, event_told, here_state, table_device, table_state
from web_ui.house import HouseEvent, TableNow, events_since, table_now

NAMES = Names("ab12", "digside/ab12", "http://here", "en")
OF_ONE_TABLE = {"seal", "head", "secret"}
TWINS = 6
SEATS = 6

ways = pytest.mark.parametrize("way", WAYS, ids=str)


def seen(table: Table) -> dict[str, object]:
    """What everybody sees of a table, as it goes over the wire."""
    return json.loads(json.dumps(view(table)))  # type: ignore[no-any-return]


def told(table: Table, stranger: AnyGame) -> tuple[TableNow, list[HouseEvent], list[bytes]]:
    """What a house is told of it; the rules are asked by somebody who knows no more than how it was laid."""
    view = seen(table)
    now = table_now(view, stranger, account_of(table))
    events = events_since(view, 0)
    said = [table_state(now, calls=False), table_device(now, NAMES), here_state(now, (), SEATS)]
    said += [event_told(now, event) for event in events]
    return now, events, said


@ways
def test_a_house_is_told_how_a_table_stands_and_no_secret_of_it(way: Way) -> None:
    table = way.table()
    stranger = way.game()
    secrets = (SECRET.hex(), KEYS.host, *KEYS.seats, table.seals[-1])
    for _ in Presser(table, random.Random(str(way))).go_on(25):
        now, events, said = told(table, stranger)
        assert (now.seq, now.over, len(now.seats)) == (table.seq, table.over(), way.seats)
        assert now.over == any(event.kind == "end" for event in events)
        assert all(set(json.loads(each)["points"][way.seats :]) <= {None} for each in said[:3:2])
        assert json.loads(said[2])["phase"] in PHASES
        text = b" ".join(said).decode()
        assert not any(secret in text for secret in secrets)
        account = account_of(table)
        if account and not table.over():
            stands = account.standings(table.game, table.game.sees(table.state, None).board)
            assert [(seat.points, seat.week) for seat in now.seats] == [(s.points, s.week) for s in stands]


def twin(way: Way, number: int) -> Table:
    """The same table under another secret: what is drawn unseen differs."""
    secret = bytes([number]) * 32
    laid = replace(way.table().laid, seal=SealedDealer(secret).seal)
    return table_of(laid, secret, KEYS, NoJournal(), clock=lambda: 1)


@ways
def test_tables_that_differ_in_secrets_alone_are_told_alike(way: Way) -> None:
    alike: dict[str, set[bytes]] = {}
    for number in range(TWINS):
        table = twin(way, number)
        table.begin()
        for _ in range(3):
            public = {name: part for name, part in seen(table).items() if name not in OF_ONE_TABLE}
            alike.setdefault(json.dumps(public, sort_keys=True), set()).add(b"\n".join(told(table, way.game())[2]))
            choices = table.moves(HOST).moves
            if not choices:
                break
            table.play(HOST, table.seq, f"move {table.seq}", choices[0])
    assert all(len(said) == 1 for said in alike.values())


def test_there_are_tables_that_differ_in_secrets_alone() -> None:
    """Else the law above would say nothing: where cards are dealt unseen, their order is such a secret."""
    found = 0
    for way in WAYS:
        views = []
        for number in range(2):
            table = twin(way, number)
            table.begin()
            outcomes = [str(getattr(line.entry, "outcome", "")) for line in table.written]
            views.append(({name: part for name, part in seen(table).items() if name not in OF_ONE_TABLE}, outcomes))
        (one, dealt), (other, otherwise) = views
        found += one == other and dealt != otherwise
    assert found
