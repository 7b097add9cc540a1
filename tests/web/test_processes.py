"""Service processes over one database: each shows the same tables, and one that is killed is missed by nobody."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.venue.database import Database
from tests.web.live import Line, Live


def test_a_table_goes_on_at_another_process_when_its_own_is_killed(database: Database, tmp_path: Path) -> None:
    address = database.make()
    one, other = (Live(tmp_path, journal=address) for _ in range(2))
    try:
        path, laid = one.lay()
        seq = one.call("GET", path)[1]["seq"]
        watching = Line(other.port, f"{path}/stream")
        seen = watching.views()
        assert next(seen).id == seq
        status, _ = one.dial(path, laid["host"], seq, "tap")
        assert status == 200
        assert next(seen).id == seq + 1, "who looks at another process is told of each step"
        one.stop(signal.SIGKILL)
        status, again = other.dial(path, laid["host"], seq, "tap")
        assert (status, again["seq"]) == (200, seq + 1), "a request whose answer was lost is made once"
        status, _ = other.dial(path, laid["host"], seq, "late")
        assert status == 409
        status, _ = other.dial(path, laid["host"], seq + 1, "next")
        assert status == 200
        assert next(seen).id == seq + 2
        assert [each["table"] for each in other.call("GET", "/api/tables")[1]["tables"]] == [laid["table"]]
        watching.close()
    finally:
        one.stop(signal.SIGKILL)
        other.stop()
