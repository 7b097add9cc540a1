"""Noise on the wire never switches anything on."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge import frames
from firmware_bridge.messages import Command
from tests.firmware_bridge.benches import FIRMWARE, OUT, Host, LibraryBench, ProcessBench, bench, make
from tests.needs import needs_program

MILLION = 1_000_000


def test_a_million_random_bytes_switch_nothing_on_in_the_core(core: LibraryBench) -> None:
    host = Host(core)
    luck = random.Random(7)
    host.ready()
    before = core.starts
    for _ in range(MILLION // 500):
        core.hear(
            host.frame(Command.HELLO) + host.frame(Command.CLEAR) + host.frame(Command.RENEW)
        )  # everything but the command itself
        core.hear(luck.randbytes(500).replace(b"\xff", b"\xfe"))  # the stop byte would only help
        core.run(1)
        assert core.pins().safe
    assert core.starts == before


@pytest.mark.parametrize("kind", ["host", "simavr", "pico"])
def test_random_bytes_switch_nothing_on_over_the_wire(kind: str) -> None:
    board = bench(kind)
    assert isinstance(board, ProcessBench)
    total = MILLION if kind == "host" else MILLION // 20
    luck = random.Random(8)
    host = Host(board)
    host.ready()
    for _ in range(total // 2000):
        board.hear(host.frame(Command.HELLO) + host.frame(Command.CLEAR) + host.frame(Command.RENEW))
        board.hear(luck.randbytes(2000).replace(b"\xff", b"\xfe"))
        board.run(190)
    state = board.state()
    board.close()
    assert (state["pump_changed_us"], state["valve_changed_us"]) == (0, 0)
    assert state["resets"] == 0
    assert state["backlog"] <= 2 or kind == "host"


def turned_bits_that_start_the_pump(board: LibraryBench) -> list[int]:
    """Send a right request with one bit turned, each bit in turn; return the bits that nobody minded."""
    host = Host(board)
    host.ready()
    minded_not = []
    whole = len(host.frame(Command.PUMP, 200))
    for bit in range(8, (whole - 1) * 8):  # all but the delimiters
        host.ready()
        bad = bytearray(host.frame(Command.PUMP, 200))
        bad[bit // 8] ^= 1 << bit % 8
        board.hear(bytes(bad))
        if board.run(1) and not board.pins().safe:
            minded_not.append(bit)
        host.ask(Command.PUMP, 0)
    return minded_not


def test_no_request_with_a_turned_bit_is_obeyed(core: LibraryBench) -> None:
    assert turned_bits_that_start_the_pump(core) == []


def test_the_turned_bits_would_show_a_crc_that_nobody_looks_at(tmp_path: Path) -> None:
    cc = needs_program("cc", apt="gcc libc6-dev")
    careless = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, careless, ignore=shutil.ignore_patterns("out"))
    frame_c = careless / "core" / "frame.c"
    source = frame_c.read_text()
    assert source.count("return FRAME_CRC_WRONG;") == 1
    frame_c.write_text(source.replace("return FRAME_CRC_WRONG;", ";"))
    library = tmp_path / "careless.so"
    core = [str(path) for path in (careless / "core").glob("*.c")]
    include = [f"-I{careless}/core", f"-I{careless}"]
    subprocess.run(
        [cc, "-std=gnu11", "-shared", "-fPIC", *include, "-o", library, careless / "host" / "library.c", *core],
        check=True,
    )
    assert len(turned_bits_that_start_the_pump(LibraryBench(library))) > 8


def test_a_stop_byte_anywhere_in_a_frame_stops_and_the_frame_is_lost_without_an_error(core: LibraryBench) -> None:
    host = Host(core)
    whole = len(host.frame(Command.PING, *range(30)))
    for place in range(1, whole):
        host.on()
        core.run(1)
        request = host.frame(Command.PING, *range(30))
        core.hear(request[:place] + b"\xff" + request[place:])
        assert core.pins().safe
        assert not any(content[2:] == bytes(range(30)) for content in frames.Reader().read(core.run(1)))
        assert host.ask(Command.PING, 1) == b"\x01"
    counters = host.ask(Command.COUNTERS)
    assert isinstance(counters, bytes)
    assert counters[:4] == bytes(4)


def test_the_fuzzer_finds_nothing_under_the_sanitizers() -> None:
    needs_program("clang", apt="clang")
    make("fuzz")
    done = subprocess.run([str(OUT / "fuzz"), "1", "2000000"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "2000000 bytes" in done.stdout
