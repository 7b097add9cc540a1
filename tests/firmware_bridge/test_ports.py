"""Finding a board again, and who may have a port."""

from __future__ import annotations

import fcntl
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from serial import serialposix

from firmware_bridge import frames, ports, sim
from firmware_bridge.messages import ANSWER, Reset, Say, Tell, read_hello
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
        assert boot[0] == Tell.BOOT
        assert read_hello(boot[2:]).reset is Reset.EXTERNAL
        port.write(frames.frame(bytes([Say.PING, 1]) + b"hello"))
        assert frames.frame(bytes([Say.PING | ANSWER, 1]) + b"hello") == port.read(12)
    world = world_at("sim://pyserial")
    assert world is not None
    world.end()


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


def test_opening_a_port_asks_for_no_reset(tty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Nano is reset by its DTR line; both lines are let go as soon as they can be, and never pulled."""
    said: list[tuple[int, bytes]] = []
    ioctl = fcntl.ioctl

    def note(fd: int, request: int, line: bytes) -> object:
        if request in (serialposix.TIOCMBIS, serialposix.TIOCMBIC):
            said.append((request, line))
            return 0  # a pseudo-terminal has no such lines
        return ioctl(fd, request, line)

    monkeypatch.setattr(serialposix.fcntl, "ioctl", note)
    ports.open_port(tty).close()
    lines = {serialposix.TIOCM_DTR_str, serialposix.TIOCM_RTS_str}
    assert {line for request, line in said if request == serialposix.TIOCMBIC} == lines
    assert not [line for request, line in said if request == serialposix.TIOCMBIS]


def test_a_cable_that_comes_out_while_the_port_is_opened_is_an_ordinary_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = os.openpty()

    def gone(fd: int, queue: int) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr("termios.tcflush", gone)
    with pytest.raises(OSError, match="Input/output error"):
        ports.open_port(os.ttyname(far))
    os.close(near)
    os.close(far)
