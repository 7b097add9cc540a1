"""A hall as its people reach it: through the router, whichever process has their table."""

from __future__ import annotations

from tests.venue.database import Database
from tests.venue.hall import Hall
from tests.web.live import Line, Reached


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
