"""Frames: what goes in comes out, and neither delimiter nor stop byte ever stand inside one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import build, frames
from firmware_bridge.messages import ANSWER, Command
from tests.firmware_bridge.benches import Host, LibraryBench

contents = st.binary(min_size=2, max_size=frames.ROOM)


@given(contents)
def test_a_frame_gives_back_its_content(content: bytes) -> None:
    assert frames.unframe(frames.frame(content)[1:-1]) == content


@given(contents)
def test_no_delimiter_and_no_stop_byte_stand_inside_a_frame(content: bytes) -> None:
    inside = frames.frame(content)[1:-1]
    assert frames.END not in inside
    assert frames.STOP not in inside


@given(contents)
def test_a_frame_is_five_bytes_longer_than_its_content(content: bytes) -> None:
    assert len(frames.frame(content)) == len(content) + 5


@pytest.mark.parametrize("length", [0, 1, frames.ROOM + 1])
def test_content_that_no_frame_holds_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="holds"):
        frames.frame(bytes(length))


@given(st.binary(max_size=60))
def test_whatever_lies_between_delimiters_is_a_frame_or_refused(stuffed: bytes) -> None:
    try:
        frames.unframe(stuffed)
    except frames.BrokenFrame:
        return
    assert frames.frame(frames.unframe(stuffed))[1:-1] == stuffed


@given(contents, st.data())
def test_every_cut_of_a_stream_gives_the_same_frames(content: bytes, data: st.DataObject) -> None:
    stream = frames.frame(content) * 3
    cut = data.draw(st.integers(0, len(stream)))
    reader = frames.Reader()
    assert [*reader.read(stream[:cut]), *reader.read(stream[cut:])] == [content] * 3
    assert (reader.crc_errors, reader.frame_errors) == (0, 0)


def test_half_a_frame_of_a_dead_sender_costs_no_whole_one() -> None:
    reader = frames.Reader()
    whole = frames.frame(b"whole")
    assert list(reader.read(frames.frame(b"half a frame")[:7] + whole)) == [b"whole"]
    assert reader.crc_errors + reader.frame_errors == 1


def test_an_endless_frame_takes_no_memory() -> None:
    reader = frames.Reader()
    for _ in range(100):
        assert not list(reader.read(bytes([7]) * 1000))
    assert list(reader.read(frames.frame(b"after"))) == [b"after"]
    assert reader.frame_errors == 1


def test_a_single_turned_bit_is_always_noticed() -> None:
    good = frames.frame(bytes([Command.PUMP, 5, 200]))[1:-1]
    for bit in range(len(good) * 8):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        with pytest.raises(frames.BrokenFrame):
            frames.unframe(bytes(bad).split(b"\0")[0])


def test_both_ends_write_the_same_bytes(core: LibraryBench) -> None:
    """The C core and Python, over every byte that needs care."""
    far = Host(core)
    for body in (
        b"",
        b"\0",
        b"\xff",
        b"\0\xff\0\xff",
        bytes(38),
        b"\xff" * 38,
        bytes(range(38)),
        bytes(range(218, 256)),
    ):
        request = far.frame(Command.PING, *body)
        core.hear(request)
        sequence = frames.unframe(request[1:-1])[1]
        assert frames.frame(bytes([Command.PING | ANSWER, sequence]) + body) in core.run(1)


def test_the_example_of_the_document_is_right() -> None:
    text = (build.SOURCES.parent / "PROTOCOL.md").read_text()
    found = re.search(r"\| `([0-9A-F ]+)` \| `([0-9A-F ]+)` \|", text)
    assert found
    assert b"\0" + frames.stuff(bytes.fromhex(found[1])) + b"\0" == bytes.fromhex(found[2])
