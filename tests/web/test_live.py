"""The running service: what screens are told, who is let in, and that nobody can hold it up."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from companion.words import say
from tests.follower import Follower
from tests.web.live import Line, Live
from web_ui.settings import Settings

POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SHORT = {"patience": 0.5, "streams": 60}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One service, impatient, for all of these."""
    service = Live(tmp_path_factory.mktemp("live"), settings=SHORT, head_within=0.5, gone_after_ms=1000)
    yield service
    service.stop()


@pytest.fixture
def lines(live: Live) -> Iterator[Callable[..., Line]]:
    """Live lines that are closed after the test."""
    opened: list[Line] = []

    def open_line(path: str, **more: object) -> Line:
        opened.append(Line(live.port, path, **more))  # type: ignore[arg-type]
        return opened[-1]

    yield open_line
    for line in opened:
        line.close()
    until(lambda: live.streams() == 0)


def until(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for what happens in another process."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_first_picture_comes_at_once(live: Live, lines: Callable[..., Line]) -> None:
    path, _ = live.lay()
    first = next(iter(lines(f"{path}/stream")))
    assert first.kind == "message"  # before the first sign of life
    assert first.id == first.data["seq"]
    assert first.data == live.call("GET", path)[1]


def test_a_screen_that_comes_back_is_shown_the_newest_at_once(live: Live, lines: Callable[..., Line]) -> None:
    path, laid = live.lay()
    seq = live.call("GET", path)[1]["seq"]
    live.dial(path, laid["host"], seq)
    for last in (0, seq, seq + 1, 10_000):
        assert next(lines(f"{path}/stream", Last_Event_ID=str(last)).views()).id == seq + 1


def test_a_screen_that_asks_for_changes_is_told_these_alone_and_what_it_missed(
    live: Live, lines: Callable[..., Line]
) -> None:
    path, laid = live.lay()
    screen, host = Follower(), laid["host"]
    line = lines(f"{path}/stream?changes", key=host)
    events = line.views()
    screen.take(next(events).data)
    seq = live.call("GET", path)[1]["seq"]
    for number in range(seq, seq + 3):
        assert live.dial(path, host, number)[0] == 200
        screen.take(next(events).data)
        assert screen.view == live.call("GET", path, key=host)[1]
    line.close()
    before = screen.version
    assert before is not None
    for number in range(seq + 3, seq + 6):
        live.dial(path, host, number)
    live.call("POST", f"{path}/undo", {"seq": seq + 6, "request": "back", "to": seq}, key=host)
    for asked, more in (
        (f"changes={before.seq}-{before.sum}", {}),
        ("changes", {"Last_Event_ID": str(before.seq)}),
    ):
        again = lines(f"{path}/stream?{asked}", key=host, **more)
        first = next(iter(again)).data
        assert "view" not in first
        other = Follower()
        other.view, other.version = screen.view, screen.version
        other.take(first)
        assert (other.asks, other.view) == (0, live.call("GET", path, key=host)[1])
    for stranger, has in (
        (None, f"{before.seq}-{before.sum}"),
        (laid["seats"][0], before.seq),
        (host, "99-0"),
        (host, "x"),
    ):
        assert "view" in next(iter(lines(f"{path}/stream?changes={has}", key=stranger))).data


def test_a_slow_screen_that_asks_for_changes_has_the_newest_view_in_the_end(
    live: Live, lines: Callable[..., Line]
) -> None:
    path, laid = live.lay()
    slow, screen = lines(f"{path}/stream?changes", rcvbuf=4096), Follower()
    first = live.call("GET", path)[1]["seq"]
    for seq in range(first, first + 120):
        assert live.dial(path, laid["host"], seq)[0] == 200
    for event in slow.views():
        screen.take(event.data)
        if event.id == first + 120:
            break
    assert (screen.asks, screen.view) == (0, live.call("GET", path)[1])


def test_help_is_asked_for_apart_and_a_press_may_be_answered_in_brief(live: Live, lines: Callable[..., Line]) -> None:
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    laid = live.call("POST", "/api/tables", {"box": "jenseits", "mode": "referee", "seats": seats})[1]
    path = f"/api/tables/{laid['table']}"
    view = live.call("GET", path, key=laid["host"])[1]
    told = next(iter(lines(f"{path}/stream?changes", key=laid["host"]))).data["view"]
    options = view["ask"].pop("options")
    assert told == view
    assert live.call("GET", f"{path}/aids", key=laid["host"])[1] == {"seq": view["seq"], "options": options}
    asked = view["ask"]["seat"]
    assert live.call("GET", f"{path}/aids", key=laid["seats"][1 - asked])[1]["options"] == {}
    press = {"seq": view["seq"], "request": "brief", "move": {"type": "refresh"}}
    brief = live.call("POST", f"{path}/moves", press, key=laid["seats"][asked], Prefer="return=minimal")[1]
    assert brief == {"seq": live.call("GET", path)[1]["seq"]}


def test_a_sign_of_life_comes_every_second_by_name(live: Live, lines: Callable[..., Line]) -> None:
    path, _ = live.lay()
    beats = (event for event in lines(f"{path}/stream") if event.kind == "beat")
    before, beat = next(beats), next(beats)
    assert beat.data["now"] - before.data["now"] > 500
    assert beat.data["seq"] == live.call("GET", path)[1]["seq"]
    assert abs(beat.data["now"] / 1000 - time.time()) < 10
    assert Settings().beat < 1


def test_every_screen_is_told_every_step_in_order(live: Live, lines: Callable[..., Line]) -> None:
    path, laid = live.lay()
    screens = [lines(f"{path}/stream") for _ in range(5)]
    first = live.call("GET", path)[1]["seq"]
    for seq in range(first, first + 20):
        assert live.dial(path, laid["host"], seq)[0] == 200
    for screen in screens:
        seen: list[int] = []
        for event in screen.views():
            seen.append(event.id or 0)
            if event.id == first + 20:
                break
        assert seen == sorted(set(seen))


def test_everybody_sees_with_their_own_eyes(live: Live, lines: Callable[..., Line]) -> None:
    path, laid = live.lay()
    cookie = f"language=fr; digside-{laid['table']}={laid['seats'][0]}"
    told = {
        "host": next(lines(f"{path}/stream", key=laid["host"]).views()).data["me"],
        "eyes": next(lines(f"{path}/stream?seat=1", key=laid["host"]).views()).data["me"],
        "seat": next(lines(f"{path}/stream", key=laid["seats"][1]).views()).data["me"],
        "cookie": next(lines(f"{path}/stream", Cookie=cookie).views()).data["me"],
        "nobody": next(lines(f"{path}/stream").views()).data["me"],
    }
    assert told == {
        "host": {"role": "host", "seat": None},
        "eyes": {"role": "host", "seat": 1},
        "seat": {"role": "seat", "seat": 1},
        "cookie": {"role": "seat", "seat": 0},
        "nobody": {"role": "spectator", "seat": None},
    }


def test_a_slow_screen_holds_nobody_up_and_skips_to_the_newest(live: Live, lines: Callable[..., Line]) -> None:
    path, laid = live.lay()
    slow, quick = lines(f"{path}/stream", rcvbuf=4096), lines(f"{path}/stream")
    first = live.call("GET", path)[1]["seq"]
    presses = 60
    for seq in range(first, first + presses):
        assert live.dial(path, laid["host"], seq)[0] == 200
    assert quick.until(first + presses).id == first + presses
    seen = 0
    for event in slow.views():
        seen += 1
        if event.id == first + presses:
            break
    assert 0 < seen < presses


def test_a_screen_that_takes_nothing_any_more_is_let_go(live: Live) -> None:
    path, laid = live.lay()
    dead = Line(live.port, f"{path}/stream", rcvbuf=4096)
    seq = live.call("GET", path)[1]["seq"]
    until(lambda: live.streams() == 1)
    for number in range(seq, seq + 80):
        live.dial(path, laid["host"], number)
    until(lambda: live.streams() == 0)
    dead.close()


@pytest.mark.parametrize(
    ("path", "more", "status", "code"),
    [
        ("/api/tables/zzzzz/stream", {}, 404, "missing"),
        ("{path}/stream", {"key": "wrong"}, 401, "no_key"),
        ("{path}/stream?seat=0", {}, 403, "not_allowed"),
        ("{path}/stream?seat=9", {}, 400, "malformed"),
    ],
    ids=str,
)
def test_a_line_is_refused_like_any_call(
    live: Live, lines: Callable[..., Line], path: str, more: dict[str, str], status: int, code: str
) -> None:
    where, _ = live.lay()
    line = lines(path.format(path=where), **more)
    assert line.status == status
    assert line.body()["error"]["code"] == code


def test_when_all_places_are_taken_a_person_is_told(live: Live, lines: Callable[..., Line]) -> None:
    path, _ = live.lay()
    until(lambda: live.streams() == 0)
    for _ in range(SHORT["streams"]):  # type: ignore[call-overload]
        assert lines(f"{path}/stream").status == 200
    refused = lines(f"{path}/stream", Accept_Language="it")
    assert refused.status == 503
    assert refused.headers["Retry-After"] == "5"
    assert refused.body()["error"]["message"] == say("it", "web.full", {"n": 60})


def test_the_rig_has_a_line_of_its_own(lines: Callable[..., Line]) -> None:
    assert next(lines("/api/rig/stream").views()).data["kind"] == "none"


def test_one_line_tells_of_a_table_and_of_the_rig_beside_it(live: Live, lines: Callable[..., Line]) -> None:
    path, laid = live.lay()
    line = iter(lines(f"{path}/stream?rig=1"))
    view, rig = next(line), next(line)
    assert (view.kind, view.data) == ("message", live.call("GET", path)[1])
    assert (rig.kind, rig.data, rig.id) == ("rig", live.call("GET", "/api/rig")[1], None)
    live.dial(path, laid["host"], view.data["seq"])
    assert next(event for event in line if event.kind == "message").id == view.data["seq"] + 1


def test_a_table_s_line_tells_nothing_of_the_rig_unless_it_is_asked_for(live: Live, lines: Callable[..., Line]) -> None:
    path, _ = live.lay()
    line = iter(lines(f"{path}/stream"))
    assert [next(line).kind for _ in range(3)] == ["message", "beat", "beat"]


def test_two_seats_that_are_asked_at_once_press_at_once_and_both_count(live: Live) -> None:
    path, laid = live.lay()
    seq = live.call("GET", path)[1]["seq"]
    with ThreadPoolExecutor(2) as hands:
        presses = [hands.submit(live.award, path, laid["seats"][seat], seq, seat) for seat in range(2)]
    assert [press.result()[0] for press in presses] == [200, 200]
    assert live.call("GET", path)[1]["board"]["points"] == [1, 1]


def test_of_two_presses_at_once_by_the_same_seat_one_counts(live: Live) -> None:
    path, laid = live.lay()
    for _ in range(10):
        seq = live.call("GET", path)[1]["seq"]
        with ThreadPoolExecutor(2) as hands:
            presses = [hands.submit(live.dial, path, laid["host"], seq, f"{seq}-{n}") for n in range(2)]
        assert sorted(press.result()[0] for press in presses) == [200, 409]
        assert live.call("GET", path)[1]["seq"] == seq + 1


def test_the_same_request_twice_at_once_counts_once(live: Live) -> None:
    path, laid = live.lay()
    seq = live.call("GET", path)[1]["seq"]
    with ThreadPoolExecutor(4) as hands:
        answers = [hands.submit(live.dial, path, laid["host"], seq, "same") for _ in range(4)]
    assert {answer.result()[0] for answer in answers} == {200}
    assert live.call("GET", path)[1]["seq"] == seq + 1


HALF_A_HEAD = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-"
HALF_A_BODY = POST + b"Content-Length: 99\r\n\r\n{"


def test_requests_that_are_never_finished_hold_nobody_up(tmp_path: Path) -> None:
    patient = Live(tmp_path, settings={"patience": 60}, head_within=60)
    path, laid = patient.lay()
    unfinished = [half_sent(patient, part) for part in (HALF_A_HEAD, HALF_A_BODY) for _ in range(40)]
    assert patient.dial(path, laid["host"], patient.call("GET", path)[1]["seq"])[0] == 200
    patient.stop()
    for sock in unfinished:
        sock.close()


def test_requests_that_are_never_finished_are_given_up(live: Live) -> None:
    head, body = half_sent(live, HALF_A_HEAD), half_sent(live, HALF_A_BODY)
    assert head.recv(4096) == b""
    assert body.recv(4096).startswith(b"HTTP/1.1 408 ")
    head.close()
    body.close()


def test_a_second_request_that_is_never_finished_is_given_up_too(live: Live) -> None:
    sock = half_sent(live, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):
        answer += sock.recv(4096)
    time.sleep(0.6)  # an idle connection is kept
    sock.sendall(b"GET /healthz HTTP/1.1\r\nHo")
    assert sock.recv(4096) == b""


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_that_is_too_large_is_refused_in_words(live: Live, announced: bool) -> None:
    body = b"x" * 200_000
    framing = b"Content-Length: 200000\r\n\r\n" + body
    chunked = b"Transfer-Encoding: chunked\r\n\r\n30d40\r\n" + body + b"\r\n0\r\n\r\n"
    sock = half_sent(live, POST + (framing if announced else chunked))
    answer = b"".join(iter(lambda: sock.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in answer


def test_a_body_in_chunks_is_read_whole(live: Live) -> None:
    body = b'{"box":"horus","mode":"toolbox","seats":[{"name":"A"},{"name":"B"}]}'
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    sock = half_sent(live, POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
    assert sock.recv(65536).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize(
    "said",
    [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET " + b"/" * 70_000 + b"\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        POST + b"Content-Length: -5\r\n\r\n",
        POST + b"X: " + b"a" * 40_000 + b"\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: " + b"a" * 40_000,
        POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /healthz\r\n\r\n",
    ],
    ids=[
        "garbage",
        "no host",
        "bytes",
        "endless",
        "no chunk",
        "no length",
        "long head",
        "long trailer",
        "two lengths",
        "two hosts",
        "no version",
    ],
)
def test_what_is_no_http_is_refused_in_json_and_survived(live: Live, said: bytes) -> None:
    sock = half_sent(live, said)
    head, _, body = b"".join(iter(lambda: sock.recv(65536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["code"] == "malformed"
    assert live.call("GET", "/healthz")[0] == 200


def test_what_is_sent_ahead_is_answered_in_order_and_no_more_than_a_few_of_it(live: Live) -> None:
    asked = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /api/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    sock = half_sent(live, asked * 3 + last)
    whole = b"".join(iter(lambda: sock.recv(65536), b""))
    assert [part[:3] for part in whole.split(b"HTTP/1.1 ")[1:]] == [b"200", b"200", b"200", b"404"]
    greedy = half_sent(live, asked * 400)
    with suppress(ConnectionResetError):
        assert b"".join(iter(lambda: greedy.recv(65536), b"")).count(b"HTTP/1.1 ") < 20
    assert live.call("GET", "/healthz")[0] == 200


def test_whoever_leaves_in_the_middle_of_what_was_asked_ahead_leaves_no_trace_in_the_log(tmp_path: Path) -> None:
    live = Live(tmp_path)
    path, laid = live.lay()
    asked = [f"GET {each} HTTP/1.1\r\nHost: localhost\r\n" for each in ("/", path, "/static/main.js", "/api/tables")]
    asked[1] += f"Authorization: Bearer {laid['host']}\r\n"
    ahead = "\r\n".join([*asked, *asked, ""]).encode()
    for n in range(60):
        with socket.create_connection(("127.0.0.1", live.port)) as sock:
            sock.settimeout(0.2)
            sock.sendall(ahead)
            with suppress(TimeoutError):
                if n % 3:
                    sock.recv(1 if n % 2 else 4096)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, and no goodbye
    assert live.call("GET", path)[0] == 200
    live.stop()
    assert "Traceback" not in live.said()


def test_a_slash_that_is_written_otherwise_leads_to_no_other_call(live: Live) -> None:
    path, laid = live.lay()
    assert live.call("GET", f"{path}/record", key=laid["host"])[0] == 200
    for hidden in ("%2Frecord", "%2frecord", "%2Fcorrections", "%2Fmoves", "/moves%2F"):
        status, told = live.call("GET", f"{path}{hidden}", key=laid["host"])
        assert (status, told["error"]["key"]) == (404, "web.no_page")
    move = {"seq": 0, "request": "hidden", "move": {"type": "dial", "knowledge": 3}}
    assert live.call("POST", f"{path}%2Fmoves", move, key=laid["host"])[0] == 404
    assert live.call("POST", "/api/rig%2Fstop")[0] == 404


def test_whoever_offers_to_speak_otherwise_is_answered_as_they_asked(live: Live) -> None:
    body = b'{"box":"horus","mode":"toolbox","seats":[{"name":"A"},{"name":"B"}]}'
    offer = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n"
    sock = half_sent(live, POST + offer + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert sock.recv(65536).startswith(b"HTTP/1.1 201 ")


def test_what_comes_behind_a_body_is_no_header(live: Live) -> None:
    path, laid = live.lay()
    said = f"POST {path}/codes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    trailer = b"Authorization: Bearer %b\r\n" % laid["host"].encode()
    chunked = b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    assert half_sent(live, said + chunked + trailer + b"\r\n").recv(65536).startswith(b"HTTP/1.1 401 ")
    assert half_sent(live, said + trailer + chunked + b"\r\n").recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_live_line_is_only_looked_at(live: Live) -> None:
    path, laid = live.lay()
    status, told = live.call("POST", f"{path}/stream", {}, key=laid["host"])
    assert (status, told["error"]["code"]) == (405, "wrong_method")


def half_sent(live: Live, data: bytes) -> socket.socket:
    """A connection that has sent just this."""
    sock = socket.create_connection(("127.0.0.1", live.port), 8)
    sock.sendall(data)
    return sock


def test_a_router_is_believed_whom_it_asks_for_and_nobody_else(tmp_path: Path) -> None:
    for number, router in enumerate(("127.0.0.1", None)):
        few = {"taps": (8, 0.001), "at_home": 100, "router": router}
        live = Live(tmp_path / str(number), settings=few)
        path, laid = live.lay()
        seq = live.call("GET", path)[1]["seq"]
        said = f"POST {path}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        said += f"Authorization: Bearer {laid['host']}\r\nX-Forwarded-For: 192.0.2.{number}\r\nConnection: close\r\n"
        statuses = set()
        for step in range(12):
            move = {"seq": seq + step, "request": f"r{step}", "move": {"type": "dial", "knowledge": step % 8 + 1}}
            body = json.dumps(move).encode()
            sock = half_sent(live, f"{said}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            statuses.add(sock.recv(65536)[9:12])
            sock.close()
        assert statuses == ({b"200", b"429"} if router else {b"200"})
        live.stop()


def test_what_is_asked_ahead_and_never_finished_is_given_up(live: Live) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    sock = half_sent(live, whole + POST + b"Content-Length: 20\r\n\r\n{")
    sock.settimeout(20)
    answers = b"".join(iter(lambda: sock.recv(65536), b""))
    assert [part[:3] for part in answers.split(b"HTTP/1.1 ")[1:]] == [b"200", b"408"]


def test_a_step_that_was_answered_outlives_a_kill(tmp_path: Path) -> None:
    import signal

    first = Live(tmp_path)
    path, laid = first.lay()
    seq = first.call("GET", path)[1]["seq"]
    for number in range(seq, seq + 10):
        assert first.dial(path, laid["host"], number)[0] == 200
    before = first.call("GET", path)[1]
    first.stop(signal.SIGKILL)
    second = Live(tmp_path, port=first.port)
    line = Line(second.port, f"{path}/stream")
    assert next(line.views()).data == before
    line.close()
    second.stop()
