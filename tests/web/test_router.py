"""A hall as its people reach it: through the router, whichever process has their table."""

from __future__ import annotations

import itertools
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.play.journal import in_database
from companion.terminal import cli, doctor
from tests.venue.database import Database
from tests.venue.hall import Hall
from tests.web.live import Line, Reached
from web_ui import hall_client
from web_ui.hall_client import look_at_hall


def test_a_table_goes_on_through_the_router_when_the_process_that_has_it_is_killed(database: Database) -> None:
    with Hall(2, database=database) as hall:
        people = Reached(hall.router.port)
        path, laid = people.lay()
        seq = people.call("GET", path)[1]["seq"]
        watching = Line(people.port, f"{path}/stream")
        seen = watching.views()
        assert next(seen).id == seq
        for number in range(seq, seq + 3):
            assert people.dial(path, laid["host"], number)[0] == 200
        assert any(event.id == seq + 3 for event in seen)
        (has,) = [service for service in hall.services if service.streams()]
        has.kill()
        assert not list(seen), "the router ends the stream of a process that is gone"
        back = Line(people.port, f"{path}/stream")
        seen_again = back.views()
        assert next(seen_again).id == seq + 3, "what was acknowledged is there, and shown by another process"
        for number in range(seq, seq + 3):
            status, view = people.dial(path, laid["host"], number)
            assert (status, view["seq"]) == (200, number + 1), "a request that was answered is answered the same"
        assert people.dial(path, laid["host"], seq + 3)[0] == 200
        assert next(seen_again).id == seq + 4
        assert people.call("GET", path)[1]["seq"] == seq + 4, "no step is made twice"
        back.close()


def test_the_doctor_sees_whether_the_router_hashes_and_the_clocks_agree(
    database: Database, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Hall(2, database=database) as hall:
        at = f"http://127.0.0.1:{hall.router.port}"
        opens = partial(in_database, database.address())
        look = look_at_hall(at, opens)
        assert (look.router, look.processes, look.astray, look.reason) == (at, 2, 0, "")
        assert look.apart_ms < 2000
        cli.main(["doctor", "--rig", "none", "--data", str(tmp_path), "--hall", at])
        assert f"✓ 2 processes answer behind {at}, and each table goes to one of them" in capsys.readouterr().out
        turns = itertools.cycle(service.port for service in hall.services)
        real = hall_client._asked

        def round_robin(url: str) -> Any:
            told, ahead = real(url.replace(f":{hall.router.port}/", f":{next(turns)}/"))
            return told, ahead + (9000 if told.process == slow else 0)

        slow = real(f"http://127.0.0.1:{hall.services[0].port}/api/tables/x/process")[0].process
        monkeypatch.setattr(hall_client, "_asked", round_robin)
        look = look_at_hall(at, opens)
        assert look.astray == hall_client.PROBES
        assert 8000 < look.apart_ms < 11_000
        keys = {each.key: each.state for each in doctor._hall(look)}
        assert keys == {"hall_astray": "ill", "hall_clocks": "ill"}
    assert [each.key for each in doctor._hall(look_at_hall("http://127.0.0.1:9"))] == ["hall_away"]
