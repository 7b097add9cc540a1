"""Telling systemd how the service is."""

import os
import socket
from pathlib import Path

import pytest

from hardware import process


@pytest.mark.parametrize("abstract", [True, False])
def test_lines_go_to_the_socket_that_systemd_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool
) -> None:
    name = f"digside-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}" if abstract else name)
        systemd.settimeout(1.0)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        assert process.ready("four boxes")
        assert systemd.recv(100) == b"READY=1\nSTATUS=four boxes"
        assert process.ready()
        assert process.alive()
        assert process.stopping()
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_nobody_to_tell_is_no_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not process.ready()
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not process.ready()


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "10000000"}, 5.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, 5.0),
    ],
)
def test_the_watchdog_is_petted_at_half_of_its_time(environ: dict[str, str], seconds: float | None) -> None:
    assert process.watchdog_s(environ) == seconds
