"""Finding a board again, and who may have a port."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from serial import serialposix

from firmware_bridge import frames, ports, sim
from firmware_bridge.board import Board
from firmware_bridge.messages import ANSWER, BoardNotice, Command, Reset, read_hello
from firmware_bridge.sim import world_at


def test_a_device_is_remembered_by_the_name_that_lasts(tmp_path: Path) -> None:
    device = tmp_path / "ttyUSB0"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-1a86_USB_Serial-if00-port0").symlink_to(device)
    assert ports.lasting_name(str(device), by_id) == str(by_id / "usb-1a86_USB_Serial-if00-port0")


@pytest.mark.parametrize("url", ["sim://", "socket://table:7000", "/dev/nothing"])
def test_other_addresses_stay_as_they_are(url: str, tmp_path: Path) -> None:
    assert ports.lasting_name(url, tmp_path) == url


def test_a_simulated_port_is_an_ordinary_one_for_pyserial() -> None:
    with serial.serial_for_url("sim://pyserial", timeout=1) as port:
        boot = next(frames.Reader().read(port.read(60)))
        assert boot[0] == BoardNotice.BOOT
        assert read_hello(boot[2:]).reset is Reset.EXTERNAL
        port.write(frames.frame(bytes([Command.PING, 1]) + b"hello"))
        assert frames.frame(bytes([Command.PING | ANSWER, 1]) + b"hello") == port.read(12)
    world = world_at("sim://pyserial")
    assert world is not None
    world.end()


@pytest.mark.parametrize("ready", [False, True])
def test_a_board_whose_usb_port_is_its_own_speaks_only_to_one_who_is_ready(ready: bool) -> None:
    port = serial.serial_for_url("sim://native?native=1", do_not_open=True, timeout=0.2)
    port.dtr = ready
    with port:
        port.write(frames.frame(bytes([Command.PING, 1])))
        assert bool(port.read(1)) is ready
    world = world_at("sim://native?native=1")
    assert world is not None
    assert world.state()["resets"] == 0
    world.end()


def test_whoever_opens_a_board_is_ready() -> None:
    with Board("sim://native-board?native=1") as board:
        assert board.wait(10.0)


def test_only_one_may_have_a_simulated_port() -> None:
    first = serial.serial_for_url("sim://one")
    with pytest.raises(serial.SerialException, match="somebody else"):
        serial.serial_for_url("sim://one")
    first.close()
    second = serial.serial_for_url("sim://one")
    second.close()
    world = world_at("sim://one")
    assert world is not None
    world.end()


def test_a_simulated_board_that_does_not_start_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim, "_board_command", lambda *, twin: ["false"])
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(ConnectionError) as failed:
        sim.World("sim://stillborn")
    assert failed.value.__traceback__ is not None  # it keeps alive what was not closed
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_port_with_its_cable_out_cannot_be_opened() -> None:
    world = world_at("sim://out")
    assert world is not None
    world.unplug()
    with pytest.raises(serial.SerialException, match="cable"):
        serial.serial_for_url("sim://out")
    world.replug()
    serial.serial_for_url("sim://out").close()
    world.end()


def test_a_mistake_in_the_address_is_said() -> None:
    with pytest.raises(serial.SerialException, match="leek"):
        serial.serial_for_url("sim://?leek=1")


@pytest.fixture
def tty() -> Iterator[str]:
    near, far = os.openpty()
    yield os.ttyname(far)
    os.close(near)
    os.close(far)


def test_only_one_may_have_a_port(tty: str) -> None:
    first = ports.open_port(tty)
    with pytest.raises(OSError, match="lock"):
        ports.open_port(tty)
    first.close()
    ports.open_port(tty).close()


def test_whoever_opens_a_port_says_that_it_is_ready(tty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux pulls DTR as it opens a port, and so resets a Nano; to let go after that would only strike a Pico dumb."""
    said: list[tuple[int, bytes]] = []
    ioctl = fcntl.ioctl

    def note(fd: int, request: int, line: bytes) -> object:
        if request in (serialposix.TIOCMBIS, serialposix.TIOCMBIC):
            said.append((request, line))
            return 0  # a pseudo-terminal has no such lines
        return ioctl(fd, request, line)

    monkeypatch.setattr(serialposix.fcntl, "ioctl", note)
    ports.open_port(tty).close()
    assert {request for request, line in said if line == serialposix.TIOCM_DTR_str} == {serialposix.TIOCMBIS}


def test_writing_never_takes_longer_than_a_stop_may(tty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cable whose far end takes nothing more must not keep anybody from stopping."""
    waits: list[float | None] = []

    def never_ready(reads: list[int], writes: list[int], _: list[int], wait: float | None = None) -> tuple[object, ...]:
        if writes:
            waits.append(wait)
        return [], [], []

    port = ports.open_port(tty)
    monkeypatch.setattr(serialposix.select, "select", never_ready)
    monkeypatch.setattr(serialposix.os, "write", lambda fd, data: 0)
    with pytest.raises(serial.SerialTimeoutException):
        port.write(b"stop")
    monkeypatch.undo()
    port.close()
    assert waits
    assert all(wait is not None and wait <= 0.04 for wait in waits)
