"""A table moves to another Digside: whatever is interrupted, it is open in one place and nothing is lost."""

from __future__ import annotations

import base64
import errno
import io
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import msgspec
import pytest
from msgspec.structs import replace

from companion import whole_file
from companion.play import hall as hall_of_tables
from companion.play.chain import Chain
from companion.play.entries import Departure, JournalLine, TableClosed
from companion.play.hall import Hall
from companion.play.table import HOST
from companion.play.view import view
from companion.refusals import Elsewhere, Missing, Refusal, Storage
from companion.terminal.cli import main
from hardware.face import NoRig
from hardware.rig import open_rig
from tests.core.coins import on_file
from tests.web.conftest import UNCOUNTED
from tests.web.people import Asker, Browser, Told, client, owner_of, sit_down
from web_ui import house as house_module
from web_ui import others
from web_ui.app import create_app
from web_ui.house import house_id, keep_house
from web_ui.reception import ArrivalTold
from web_ui.service import Service
from web_ui.views import Eyes

HERE, THERE = "http://here.lan:8765", "http://there.lan:8765"


class Pi:
    """A Digside, which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start()

    def start(self) -> None:
        """Serve its folder."""
        self.hall = Hall(self.folder)
        self.app = create_app(self.hall, NoRig(), settings=UNCOUNTED)

    def stop(self) -> None:
        """End it."""
        self.app.extensions["digside"].close()
        self.hall.close()

    def restart(self) -> None:
        """As after a power cut."""
        self.stop()
        self.start()

    def move(self, table: str, to: str | None = THERE, *, key: str | None, back: bool = False) -> Told:
        """What its owner's page asks for."""
        asked = {"table": table, "address": to, "key": key, "back": back}
        return Browser(self.app).own().post("/api/owner/move", json=asked)


class Heard(NamedTuple):
    """What somebody on the way can hear of a question."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]

    def once_more(self, pi: Pi) -> int:
        """Send it, as it is, to a Digside: how that answers."""
        return client(pi.app).open(self.path, method=self.method, data=self.body, headers=self.headers).status_code


class Network:
    """The way between two Digsides. `cut` says before or after which call it fails, and how often."""

    def __init__(self, pis: dict[str, Pi]) -> None:
        self.pis = pis
        self.cut: dict[tuple[str, str], int] = {}
        self.asked: list[str] = []
        self.heard: list[Heard] = []
        self.answered: list[bytes] = []

    def open(self, request: urllib.request.Request, timeout: float) -> io.BytesIO:
        """What urllib would do."""
        address = next(each for each in self.pis if request.full_url.startswith(each))
        path = request.full_url.removeprefix(address)
        call = "bar" if path.endswith("/bar") else "take" if path.startswith("/api/moves/") else "meet"
        self.asked.append(call)
        assert request.data is None or isinstance(request.data, bytes)
        self.heard.append(Heard(request.get_method(), path, request.data or b"", dict(request.header_items())))
        self._fail("before", call)
        headers = dict(request.header_items())
        answer = client(self.pis[address].app).open(
            path, method=request.get_method(), data=request.data, headers=headers
        )
        self._fail("after", call)
        if answer.status_code >= 400:
            raise urllib.error.HTTPError(request.full_url, answer.status_code, "", Message(), io.BytesIO(answer.data))
        self.answered.append(bytes(answer.data))
        return io.BytesIO(answer.data)

    def _fail(self, when: str, call: str) -> None:
        if self.cut.get((when, call), 0) > 0:
            self.cut[when, call] -= 1
            raise OSError("no route to host")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Pi]:
    pi = Pi(tmp_path / "here")
    yield pi
    pi.stop()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Pi]:
    pi = Pi(tmp_path / "there")
    yield pi
    pi.stop()


@pytest.fixture
def network(here: Pi, there: Pi, monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network({HERE: here, THERE: there})
    monkeypatch.setattr(others, "opened", made.open)
    return made


def at(pi: Pi, host: Asker) -> Asker:
    """The same person with the same key, at another Digside."""
    return Asker(pi.app, host.laid, host.key)


def played(pi: Pi) -> Asker:
    """A refereed table with some steps."""
    host = sit_down(pi.app, mode="referee")
    for _ in range(3):
        step(host)
    return host


def step(host: Asker) -> Told:
    """Whatever can be done next at a table."""
    told = host.view
    if told["ask"]["kind"] == "chance":
        return host.press("/outcome", outcome=None)
    return host.press("/moves", move=host.get("/moves").json["moves"][0], seat=told["ask"]["seat"])


def accepting(host: Asker, *pis: Pi) -> list[Pi]:
    """Where a step is accepted: each is really tried."""
    found = []
    for pi in pis:
        asker = at(pi, host)
        if asker.get().status_code != 200:
            continue
        answer = step(asker)
        if answer.status_code == 200:
            found.append(pi)
        else:
            assert answer.status_code == 410, answer.text
    return found


def facts(pi: Pi, table: str) -> Any:
    """All that is kept of a table, but for where it is kept."""
    lines = pi.hall.journal.entries(table)
    kinds = [line.entry.__struct_config__.tag for line in lines]
    places = sum(kind in {"leave", "arrive", "stay"} for kind in kinds)
    return *pi.hall.journal.laying_of(table), lines[: len(lines) - places]


def kinds(pi: Pi, table: str) -> list[object]:
    """Of which kinds the entries of a table are that say where it is kept."""
    made = [line.entry.__struct_config__.tag for line in pi.hall.journal.entries(table)]
    return [kind for kind in made if kind in {"leave", "arrive", "stay"}]


def test_a_table_goes_with_all_it_has(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name, kept = host.laid["table"], facts(here, host.laid["table"])
    answer = here.move(name, key=f"{THERE}/owner#{owner_of(there.app)}")
    assert (answer.status_code, answer.json) == (200, {"table": name, "address": THERE})
    assert facts(there, name) == kept
    assert kinds(there, name) == [*kinds(here, name), "arrive"] == ["leave", "arrive"]
    mine, theirs = here.hall.table(name), there.hall.table(name)
    assert mine.head() == theirs.head(mine.seq), "what happened here is the beginning of what happened there"
    assert network.asked == ["meet", "take"]
    moved = at(there, host)
    undone = moved.press("/undo")
    assert undone.status_code == 200, undone.text
    assert step(moved).status_code == 200
    seat = moved.seat(0)
    assert seat.view["me"] == {"role": "seat", "seat": 0}
    assert moved.press("/close").status_code == 200
    table = there.hall.table(name)
    written = [line.link for line in table.written]
    assert Chain(table.dealer.secret).sound(table.laid, table.written) == len(written)


def test_the_same_request_is_answered_once_more_there(here: Pi, there: Pi, network: Network) -> None:
    host = sit_down(here.app)
    press = {"move": {"type": "dial", "knowledge": 4}, "seq": host.view["seq"], "request": "lost answer"}
    first = host.post("/moves", press)
    assert here.move(host.laid["table"], key=owner_of(there.app)).status_code == 200
    again = at(there, host).post("/moves", press)
    assert (again.status_code, again.json["seq"]) == (200, first.json["seq"])


@pytest.mark.parametrize(
    ("cut", "ends"),
    [
        ({("before", "meet"): 1}, "here"),
        ({("after", "meet"): 1}, "here"),
        ({("before", "take"): 1}, "here"),
        ({("after", "take"): 1}, "there"),
        ({("before", "take"): 1, ("before", "bar"): 1}, "nowhere"),
        ({("before", "take"): 1, ("after", "bar"): 1}, "nowhere"),
        ({("after", "take"): 1, ("before", "bar"): 1}, "there, not known here"),
        ({("after", "take"): 1, ("after", "bar"): 1}, "there, not known here"),
    ],
)
@pytest.mark.parametrize("then", ["again", "back"])
def test_a_network_that_fails_leaves_it_open_in_one_place(
    here: Pi, there: Pi, network: Network, cut: dict[tuple[str, str], int], ends: str, then: str
) -> None:
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    kept = facts(here, name)
    network.cut = dict(cut)
    here.move(name, key=key)
    assert set(network.cut.values()) == {0}
    places = {"here": [here], "there": [there], "nowhere": [], "there, not known here": [there]}
    assert accepting(host, here, there) == places[ends]
    if then == "again":  # of what is kept it is known as well after a power cut
        for pi in (here, there):
            pi.restart()
        assert accepting(host, here, there) == places[ends]
    answer = here.move(name, key=key, back=then == "back")
    if then == "again":
        open_at = there
    elif ends.startswith("there"):
        open_at = there
        assert answer.status_code == 410
    else:
        open_at = here
    assert accepting(host, here, there) == [open_at]
    assert facts(open_at, name)[3][: len(kept[3])] == kept[3], "nothing that was acknowledged is lost"
    assert open_at.hall.table(name).dealer.secret == kept[1]


@contextmanager
def takes_nothing(pi: Pi, why: Storage) -> Iterator[None]:
    """The disk of a Digside refuses whatever is to be kept."""

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pi.hall.journal, "_writing", Mock(side_effect=why))
        yield


FULL = Storage("core.disk_full", folder="/there")


def test_a_table_stays_here_where_there_is_no_room_for_it(
    here: Pi, there: Pi, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    with takes_nothing(there, FULL):
        answer = here.move(name, key=key)
        assert (answer.status_code, answer.json["error"]["key"]) == (422, "web.other_refuses")
        assert "The disk is full" in answer.json["error"]["message"]
    monkeypatch.setattr(hall_of_tables, "LEFT_FREE", 1 << 62)
    assert "MB are free" in here.move(name, key=key).json["error"]["message"]
    assert network.asked == ["meet", "meet"], "nothing was begun"
    assert accepting(host, here, there) == [here]


def test_a_table_is_here_again_where_the_last_room_goes_as_it_comes(here: Pi, there: Pi, network: Network) -> None:
    """It is proved by a full disk, too, that nothing came and nothing will: the same comes once there is room again."""
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    with takes_nothing(there, FULL), pytest.MonkeyPatch.context() as patched:
        patched.setattr(there.hall, "check_takes", lambda: None)
        assert here.move(name, key=key).json["error"]["key"] == "web.other_refuses"
        assert network.asked == ["meet", "take", "meet", "bar"]
        assert accepting(host, here, there) == [here]
    late = next(heard for heard in network.heard if heard.body)
    assert late.once_more(there) == 409, "it comes late"
    assert accepting(host, here, there) == [here]
    assert here.move(name, key=key).status_code == 200
    assert accepting(host, here, there) == [there]
    assert kinds(there, name) == ["leave", "stay", "leave", "arrive"]


def test_it_stays_closed_as_long_as_the_other_cannot_say_that_it_is_full(
    here: Pi, there: Pi, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal is no proof: anybody on the way could have said so, and the same POST come when there is room."""
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    network.cut = {("before", "bar"): 1}
    with takes_nothing(there, FULL), pytest.MonkeyPatch.context() as patched:
        patched.setattr(there.hall, "check_takes", lambda: None)
        assert here.move(name, key=key).json["error"]["key"] == "web.move_interrupted"
    assert accepting(host, here, there) == []
    here.restart()
    assert accepting(host, here, there) == []
    late = next(heard for heard in network.heard if heard.body)
    assert late.once_more(there) == 409, "its turn was taken when it came first"
    assert here.move(name, None, key=key, back=True).status_code == 200
    assert accepting(host, here, there) == [here]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_late_delivery_of_what_was_taken_back_is_refused(here: Pi, there: Pi, network: Network, when: str) -> None:
    """Whether it was lost, or was asked about before it came: also where the other has started anew since."""
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    network.cut = {("before", "take"): 1, (when, "bar"): 1}
    assert here.move(name, key=key).status_code == 502
    late = next(heard for heard in network.heard if heard.body)
    assert here.move(name, None, key=key, back=True).status_code == 200
    assert late.once_more(there) == 409
    there.restart()
    assert late.once_more(there) == 409
    assert accepting(host, here, there) == [here]
    assert here.move(name, None, key=key, back=True).status_code == 422


def test_what_was_heard_on_the_way_opens_nothing_anywhere(
    here: Pi, there: Pi, network: Network, tmp_path: Path
) -> None:
    """All Pis of the house have the same token: what goes from one to the other is for no third, and not for itself."""
    third = network.pis["http://third.lan:8765"] = Pi(tmp_path / "third")
    for pi in (here, there, third):
        (pi.folder / "hub_token").write_text("the-token-of-the-house\n")
    host = played(here)
    table = here.hall.table(host.laid["table"])
    before = len(network.heard)
    assert here.move(table.id, key=None).status_code == 200
    heard = network.heard[before:]
    assert [each.method for each in heard] == ["GET", "POST"]
    everything = b"".join([*(f"{each.path} {each.headers}".encode() + each.body for each in heard), *network.answered])
    secret = base64.b64encode(table.dealer.secret)
    for told in (b"the-token", table.keys.host.encode(), secret, b"Ada", table.dealer.secret):
        assert told not in everything
    meets, takes = heard
    for pi in (here, there, third):
        assert takes.once_more(pi) == 409
        assert takes._replace(path="/api/moves/another-ticket-of-it").once_more(pi) == 401
        assert meets._replace(method="POST", path=takes.path, body=takes.body).once_more(pi) in {401, 415}
        body = bytearray(takes.body)
        body[len(body) // 2] ^= 1
        assert takes._replace(body=bytes(body)).once_more(pi) in {400, 401}
    assert accepting(host, here, there, third) == [there]
    third.stop()


def test_nobody_on_the_way_says_for_the_other_what_became_of_it(
    here: Pi, there: Pi, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who answers that nothing has come would have it open in two places."""
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)

    def says(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        if request.full_url.endswith("/bar"):
            return io.BytesIO(msgspec.json.encode(ArrivalTold(None, 0, None)))
        answer = network.open(request, timeout)
        if "/api/moves/" in request.full_url:
            raise OSError("cut")
        return answer

    monkeypatch.setattr(others, "opened", says)
    assert here.move(name, key=key).json["error"]["key"] == "web.move_interrupted"
    assert here.move(name, None, key=key, back=True).status_code == 502
    assert accepting(host, here, there) == [there]
    monkeypatch.setattr(others, "opened", network.open)
    assert here.move(name, None, key=key, back=True).status_code == 410
    assert accepting(host, here, there) == [there]


def test_two_that_are_moved_at_once_wait_for_each_other(here: Pi, there: Pi, network: Network) -> None:
    host, other = played(here), played(here)
    mover = here.app.extensions["digside"].mover
    meets, turns = network.open, list[str]()

    def in_between(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        answer = meets(request, timeout)
        if request.full_url.endswith("/api/moves") and not turns:
            turns.append(there.app.extensions["digside"].reception.turn)
            with there.app.extensions["digside"].reception._having(turns[0]):
                pass
        return answer

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(others, "opened", in_between)
        assert mover.move(host.laid["table"], THERE, owner_of(there.app), "en").there
    assert mover.move(other.laid["table"], THERE, owner_of(there.app), "en").there
    assert accepting(host, here, there) == accepting(other, here, there) == [there]


def test_what_has_become_of_a_ticket_is_told_by_a_full_disk_too(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    network.cut = {("after", "take"): 1, ("before", "bar"): 1}
    assert here.move(name, key=key).status_code == 502
    with takes_nothing(there, FULL):
        answer = here.move(name, None, key=key, back=True)
    assert (answer.status_code, answer.json["error"]["key"]) == (410, "core.moved")
    assert accepting(host, here, there) == [there]


def test_nobody_calls_from_a_table_that_has_left(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    assert host.post("/call", {"wanted": True}).status_code == 200
    assert here.move(host.laid["table"], key=owner_of(there.app)).status_code == 200
    assert host.post("/call", {"wanted": True}).status_code == 410
    assert here.app.extensions["digside"].calls.all() == {}


def test_what_is_under_way_when_either_is_killed(
    here: Pi, there: Pi, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after it was marked, after it was taken in, and before it is noted here that it is there."""
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)

    class Killed(BaseException):
        """The power is gone."""

    for call in ("before take", "after take"):

        def killed(request: urllib.request.Request, timeout: float, call: str = call) -> io.BytesIO:
            path = request.full_url
            if call == "before take" and "/api/moves/" in path:
                raise Killed
            answer = network.open(request, timeout)
            if "/api/moves/" in path and not path.endswith("/bar"):
                raise Killed
            return answer

        monkeypatch.setattr(others, "opened", killed)
        with pytest.raises(Killed):
            here.app.extensions["digside"].mover.move(name, THERE, key, "en")
        here.restart()
        there.restart()
        assert accepting(host, here, there) == ([] if call == "before take" else [there])
    monkeypatch.setattr(others, "opened", network.open)
    assert here.move(name, key=key).status_code == 200, "though steps were made there since"
    assert accepting(host, here, there) == [there]


def test_one_that_never_arrived_is_not_sent_elsewhere_meanwhile(
    here: Pi, there: Pi, network: Network, tmp_path: Path
) -> None:
    host = played(here)
    name, key = host.laid["table"], owner_of(there.app)
    network.cut = {("before", "take"): 1, ("before", "bar"): 1}
    here.move(name, key=key)
    third = network.pis["http://third.lan:8765"] = Pi(tmp_path / "third")
    for back in (True, False):
        answer = here.move(name, "http://third.lan:8765", key=owner_of(third.app), back=back)
        assert (answer.status_code, answer.json["error"]["key"]) == (410, "core.leaving")
    network.pis["http://anew.lan"] = there
    assert here.move(name, "http://anew.lan", key=key).json["address"] == "http://anew.lan", "reached elsewhere by now"
    third.stop()


def test_it_comes_back_with_what_was_made_there(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name = host.laid["table"]
    assert here.move(name, key=owner_of(there.app)).status_code == 200
    step(at(there, host))
    kept = facts(there, name)
    assert there.move(name, HERE, key=owner_of(here.app)).status_code == 200
    assert facts(here, name) == kept
    assert accepting(host, here, there) == [here]
    assert here.move(name, key=owner_of(there.app)).status_code == 200
    assert accepting(host, here, there) == [there]


def test_another_table_of_that_name_is_left_alone(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name = host.laid["table"]
    other = there.hall.lay(there.hall.lay(here.hall.table(name).setup).setup)
    laid = replace(other.laid, table=name)
    there.hall.journal.lay(laid, other.dealer.secret, other.keys)
    answer = here.move(name, key=owner_of(there.app))
    assert answer.status_code == 422
    assert "another table" in answer.json["error"]["message"]
    assert there.hall.journal.laying_of(name)[0] == laid
    assert step(host).status_code == 200


def test_only_whoever_has_a_key_of_the_other_brings_a_table(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name = host.laid["table"]
    for key in (None, "a guess", host.laid["host"]):
        answer = here.move(name, key=key)
        assert answer.status_code in {400, 422}
        assert "a guess" not in answer.text
    assert Browser(there.app).own().get("/api/moves").status_code == 401, "a cookie is no header"
    assert Browser(here.app).post("/api/owner/move", json={"table": name, "address": THERE}).status_code == 401
    for pi in (here, there):
        (pi.folder / "hub_token").write_text("the-token-of-the-house\n")
    assert here.move(name, key=None).status_code == 200


def test_what_was_altered_on_the_way_is_not_taken_in(here: Pi, there: Pi, network: Network) -> None:
    table = here.hall.table(played(here).laid["table"])
    house = there.app.extensions["digside"].mover.house
    here.hall.send(table, Departure("a-ticket-of-a-test", THERE, house))
    *lines, last = table.written
    forged: list[dict[str, Any]] = [
        {"written": [*lines, replace(last, at=last.at + 1)]},
        {"written": lines[1:]},
        {"secret": bytes(32)},
        {"keys": replace(table.keys, seats=table.keys.seats[:1])},
        {"laid": replace(table.laid, table="../..")},
        {"written": [*table.written, JournalLine(table.seq + 1, 1, TableClosed())]},
        {"house": "another"},
        {"ticket": "another-ticket-of-it"},
    ]
    whole = {
        "ticket": "a-ticket-of-a-test",
        "house": house,
        "laid": table.laid,
        "secret": table.dealer.secret,
        "keys": table.keys,
        "written": table.written,
    }
    for otherwise in forged:
        with pytest.raises(ValueError, match="not what was sent"):
            there.hall.arrive(**{**whole, **otherwise})
    assert there.hall.tables() == []
    there.hall.arrive(**whole)
    assert [each.table for each in there.hall.tables()] == [table.id]


def test_a_house_tells_no_id_that_a_power_cut_could_take_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is on its way is closed until the house it was sent to says otherwise: it has to stay that house."""
    full = OSError(errno.ENOSPC, "No space left on device")
    refusals = [full, full, None]

    def sync(folder: Path) -> None:
        if refusals and (refused := refusals.pop(0)) is not None:
            raise refused

    monkeypatch.setattr(whole_file, "sync_folder", sync)
    monkeypatch.setattr(house_module, "sync_folder", sync)
    for _ in range(2):
        with pytest.raises(Storage):
            house_id(tmp_path)
    assert house_id(tmp_path) == house_id(tmp_path) == keep_house(tmp_path).id


def test_a_damaged_file_of_the_house_keeps_its_id(tmp_path: Path) -> None:
    before = house_id(tmp_path)
    file = tmp_path / "house.json"
    file.write_bytes(file.read_bytes()[:-3])
    assert keep_house(tmp_path).id == house_id(tmp_path) == before


def test_screens_are_told_where_and_a_key_is_told_to_nobody_else(here: Pi, there: Pi, network: Network) -> None:
    host = played(here)
    name = host.laid["table"]
    assert "elsewhere" not in host.view
    assert host.get("/elsewhere").status_code == 404
    heard: list[bytes] = []
    service = here.app.extensions["digside"]
    line = Eyes(name, service.hall.actor(service.hall.table(name), None))
    service.broadcaster.lines_of = lambda table: [line]
    service.broadcaster.tell = lambda key, seq, event: heard.append(event)
    assert here.move(name, key=owner_of(there.app)).status_code == 200
    shown = [msgspec.json.decode(each.split(b"data: ")[1])["elsewhere"] for each in heard]
    assert [each["there"] for each in shown] == [False, False, True]
    assert {each["address"] for each in shown} == {THERE}
    assert host.view["elsewhere"] == {"address": THERE, "there": True}
    assert host.get("/elsewhere").json["link"] == f"{THERE}/join/{name}#{host.key}"
    seat = host.seat(1)
    assert seat.get("/elsewhere").json["link"] == f"{THERE}/join/{name}#{seat.key}"
    told = host.spectator.get("/elsewhere").text + host.spectator.get().text + host.get("/api/tables").text
    assert f'"{THERE}/table/{name}"' in told
    assert not any(key in told for key in (host.laid["host"], *host.laid["seats"]))
    assert host.get("/api/tables").json["tables"][0]["elsewhere"] == {"address": THERE, "there": True}
    assert THERE in step(host).json["error"]["message"]


def test_nothing_gets_past_the_mark(here: Pi, there: Pi, network: Network) -> None:
    """Not a lift that ends late, nor a rematch, nor whoever has the table in hand as it was before."""
    host = played(here)
    name = host.laid["table"]
    table = here.hall.table(name)
    before = table.fork()
    assert here.move(name, key=owner_of(there.app)).status_code == 200
    for seq in (before.seq, table.seq):
        with pytest.raises(Elsewhere):
            here.hall.journal.append(name, [JournalLine(seq + 1, 1, TableClosed())])
    on_file(here.hall)._goings.left.clear()  # as if what lies beside the entries were lost
    with pytest.raises(Refusal):
        before.end(HOST, before.seq, "late")
    assert before.going is not None
    assert host.press("/close").status_code == 410
    assert at(there, host).press("/close").status_code == 200
    here.restart()
    with pytest.raises(Elsewhere):
        here.hall.rematch(here.hall.table(name))


def test_a_table_that_is_only_shown_stays(here: Pi) -> None:
    shown = here.hall.lay(here.hall.table(played(here).laid["table"]).setup, kept=False)
    with pytest.raises(Missing):
        here.hall.send(shown, None)


def at_rig(service: Service) -> str | None:
    """Which table has the rig."""
    return service.stage.table.id if service.stage.table is not None else None


def test_the_rig_leaves_it(tmp_path: Path, there: Pi, network: Network) -> None:
    hall = Hall(tmp_path / "rigged")
    with open_rig("sim", data=tmp_path) as rig:
        app = create_app(hall, rig, settings=UNCOUNTED)
        service: Service = app.extensions["digside"]
        host = sit_down(app)
        assert at_rig(service) == host.laid["table"]
        service.mover.move(host.laid["table"], THERE, owner_of(there.app), "en")
        assert at_rig(service) is None
        assert host.dial().status_code == 410
        assert at_rig(service) is None
        other = sit_down(app)
        other.dial()
        assert at_rig(service) == other.laid["table"], "the next table is given it"
        service.close()
    hall.close()


def test_the_command_moves_it_with_and_without_a_service(
    here: Pi, there: Pi, network: Network, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = played(here), played(here)
    key = tmp_path / "key"
    key.write_text(f"{THERE}/owner#{owner_of(there.app)}\n")
    asked = ["--data", str(here.folder), "--key", str(key)]
    here.app.extensions["digside"].owner.note_address(HERE)
    assert main(["move", first.laid["table"], THERE, *asked]) == 0
    assert accepting(first, here, there) == [there]
    assert main(["move", first.laid["table"], "--back", *asked]) == 1
    here.stop()
    assert main(["move", second.laid["table"], THERE, *asked]) == 0
    here.start()
    assert accepting(second, here, there) == [there]
    said = capsys.readouterr()
    assert said.out.count(THERE) == 2
    assert THERE in said.err
    assert view(there.hall.table(second.laid["table"]))["seq"] == at(there, second).view["seq"]
