"""The wire, as transcripts: each file of transcripts/ holds on every kind of board.

A line is `# why`, `> what the host sends`, `< what the board must say`, `. n ms` of time, `= pins` or `! what happens`.
Statuses that nobody asked about may come at any time; everything else the board says must be in the file.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge import frames, messages
from firmware_bridge.messages import ANSWER, BoardFault, BoardNotice, Command, RefusalCode, Reset
from tests.firmware_bridge.benches import KINDS, STOP, Bench, bench

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
WIRE_MS = 8
"""Time for a request and its answer at 115,200 Bd."""


def _say(words: list[str], sequence: int) -> bytes:
    """Return the content of a request written in words."""
    name, values = words[0], words[1:]
    match name:
        case "raw":
            kind, *body = bytes.fromhex("".join(values))
            return bytes([kind, sequence, *body])
        case "ping":
            return bytes([Command.PING, sequence]) + bytes.fromhex("".join(values))
        case "limits":
            return bytes([Command.LIMITS, sequence]) + messages.limits(*map(int, values))
        case "buzz":
            return bytes([Command.BUZZ, sequence]) + messages.words(*map(int, values))
    return bytes([Command[name.upper()], sequence, *map(int, values)])


def _facts_of_status(body: bytes) -> dict[str, str]:
    s = messages.read_status(body, 0)
    values = {
        "pump": s.pump,
        "valve": int(s.valve_closed),
        "fault": s.fault.name,
        "buttons": s.buttons,
        "lamps": s.lamps,
    }
    values |= {"lease": s.lease_ms, "on": s.on_ms, "budget": s.budget_ms}
    return {key: str(value) for key, value in values.items()}


def _facts_of_hello(body: bytes) -> dict[str, str]:
    hello = messages.read_hello(body)
    return {"protocol": str(hello.protocol), "reset": hello.reset.name, "fault": hello.fault.name}


def _facts_of_counters(body: bytes) -> dict[str, str]:
    c = messages.read_counters(body)
    return {
        "crc": str(c.crc_errors),
        "frame": str(c.frame_errors),
        "overruns": str(c.overruns),
        "unsent": str(c.unsent),
    }


def _facts_of_bounds(body: bytes) -> dict[str, str]:
    bounds = messages.read_bounds(body)
    return {name: str(getattr(bounds, name)) for name in bounds.__struct_fields__}


def _name(kind: int) -> str:
    return Command(kind).name.lower() if kind in set(Command) else f"{kind:02x}"


def _read_event(tell: BoardNotice, body: bytes) -> tuple[str, dict[str, str]]:
    match tell:
        case BoardNotice.BOOT:
            return "event boot", _facts_of_hello(body)
        case BoardNotice.STATUS:
            return "event status", _facts_of_status(body)
        case BoardNotice.BUTTON:
            return f"event button {body[0]} {body[1]}", {}
        case BoardNotice.FAULT:
            return f"event fault {BoardFault(body[0]).name}", {}
        case BoardNotice.REFUSAL:
            return f"refused {_name(body[0])} {RefusalCode(body[1]).name}", {}


def _read(content: bytes) -> tuple[str, dict[str, str]]:
    """Return what the board said: its words, and the facts that a transcript may name."""
    kind, body = content[0], content[2:]
    if kind in set(BoardNotice):
        return _read_event(BoardNotice(kind), body)
    say = Command(kind & ~ANSWER)
    if say is Command.PING:
        return " ".join(["ping", *(f"{byte:02x}" for byte in body)]), {}
    known = {Command.HELLO: _facts_of_hello, Command.COUNTERS: _facts_of_counters, Command.BOUNDS: _facts_of_bounds}
    facts = known.get(say, _facts_of_status)
    return say.name.lower(), facts(body)


class Play:
    """Plays a transcript on a board."""

    def __init__(self, board: Bench) -> None:
        self._board = board
        self._reader = frames.Reader()
        self._heard: list[tuple[str, dict[str, str]]] = []
        self._sequence = 0
        self._last = b""

    def line(self, line: str) -> None:
        mark, *words = line.split()
        match mark:
            case ">":
                self._send(words)
            case "<":
                self._expect(words)
            case ".":
                self._run(int(words[0]))
            case "=":
                self._look(words)
            case "!":
                self._happen(words)
            case _:
                pytest.fail(f"no such line: {line}")

    def end(self) -> None:
        self._expect(["nothing"])

    def _run(self, ms: int) -> None:
        self._heard += [_read(content) for content in self._reader.read(self._board.run(ms))]
        assert self._reader.crc_errors + self._reader.frame_errors == 0

    def _send(self, words: list[str]) -> None:
        self._board.hear(self._bytes(words))
        self._run(WIRE_MS)

    def _bytes(self, words: list[str]) -> bytes:
        match words[0]:
            case "stop":
                return STOP
            case "bytes":
                return bytes.fromhex("".join(words[1:]))
            case "again":
                return self._last
            case "same":
                self._sequence -= 1
            case "turned" | "split_by_stop":
                return self._spoilt(words[0], self._request(words[1:]))
        return self._request(words[1:] if words[0] == "same" else words)

    @staticmethod
    def _spoilt(how: str, frame: bytes) -> bytes:
        middle = bytes([frame[3] ^ 0x10]) if how == "turned" else STOP + frame[3:4]
        return frame[:3] + middle + frame[4:]

    def _request(self, words: list[str]) -> bytes:
        self._sequence += 1
        self._last = frames.frame(_say(words, self._sequence))
        return self._last

    def _expect(self, words: list[str]) -> None:
        wanted = dict(word.split("=") for word in words if "=" in word)
        said = " ".join(word for word in words if "=" not in word)
        if said == "nothing":
            assert [heard for heard, _ in self._heard if heard != "event status"] == []
            return
        while self._heard and self._heard[0][0] != said and self._heard[0][0] == "event status":
            self._heard.pop(0)
        assert self._heard, f"the board did not say: {said}"
        heard, facts = self._heard.pop(0)
        assert heard == said
        assert {key: facts[key] for key in wanted} == wanted

    def _look(self, words: list[str]) -> None:
        pins = self._board.pins()
        facts = {"pump": pins.pump, "valve": int(pins.valve), "lamps": pins.lamps, "pitch": pins.pitch}
        for word in words:
            name, value = word.split("=")
            near = 0.03 * int(value) if name == "pitch" else 0  # a timer of eight bits
            assert abs(facts[name] - int(value)) <= near, f"{name} is {facts[name]}"

    def _happen(self, words: list[str]) -> None:
        if words[0] == "press":
            self._board.press(sum(1 << int(button) - 1 for button in words[1:]))
        else:
            self._board.reset(Reset[words[1]])


@pytest.mark.parametrize("kind", KINDS)
def test_every_transcript_holds(kind: str, subtests: pytest.Subtests) -> None:
    for file in FILES:
        with subtests.test(file.stem), closing(bench(kind)) as board:
            run_through(Play(board), file)


def run_through(play: Play, file: Path) -> None:
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            play.line(line)
        except AssertionError as error:
            raise AssertionError(f"{file.name}:{number}: {line}\n{error}") from error
    play.end()
