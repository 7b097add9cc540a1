"""The package for a Pi, on a Debian for its processor, as qemu stands in for it; without systemd."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.appliance.house import House, said
from tests.web.live import free_port

QEMU = "qemu-aarch64"
REGISTERED = Path("/proc/sys/fs/binfmt_misc")
SPELLED = Path("/usr/lib/binfmt.d") / f"{QEMU}.conf"
UNIT = "/usr/lib/systemd/system/digside.service"
PATIENCE = 300.0
Lays = Callable[[House], tuple[str, str]]
Plays = Callable[[House, str, str], None]


@contextmanager
def understood() -> Iterator[bool]:
    """Whether this machine runs programs for arm64; where it has qemu for it, it does meanwhile."""
    ours = False
    if os.uname().machine != "aarch64" and SPELLED.exists():
        if not (REGISTERED / "register").exists():
            subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", REGISTERED], check=True)
        if not (REGISTERED / QEMU).exists():
            (REGISTERED / "register").write_text(SPELLED.read_text("latin-1"), "latin-1")
            ours = True
    try:
        yield os.uname().machine == "aarch64" or (REGISTERED / QEMU).exists()
    finally:
        if ours:
            (REGISTERED / QEMU).write_text("-1")


class Service:
    """The service, started as its unit says: environment, user, options, and a socket to tell systemd on."""

    def __init__(self, house: House) -> None:
        self._house = house
        unit = (house.root / UNIT[1:]).read_text(encoding="utf-8")
        told = dict(re.findall(r"(?m)^(\w+)=(.*)$", unit))
        house.run(f"install -d -o {told['User']} /run/{told['RuntimeDirectory']}")
        house.port = free_port()
        env = {"NOTIFY_SOCKET": "/run/digside/notify", "HOME": "/var/lib/digside", "PATH": "/usr/bin:/bin"}
        env |= {"WATCHDOG_USEC": f"{told['WatchdogSec']}000000", "LANG": "C.UTF-8"}
        env |= dict(pair.split("=", 1) for pair in told["Environment"].split())
        command = told["ExecStart"].replace("$DIGSIDE_OPTIONS", f"--host 127.0.0.1 --port {house.port}")
        house.run(told["ExecStartPre"].lstrip("+"))
        self._ears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        place = house.root / env["NOTIFY_SOCKET"][1:]
        place.unlink(missing_ok=True)
        self._ears.bind(str(place))
        place.chmod(0o777)
        self._ears.settimeout(PATIENCE)
        chroot = ["chroot", f"--userspec={told['User']}:{told['Group']}", str(house.root), "/usr/bin/env", "-i"]
        chroot += [f"{name}={value}" for name, value in env.items()]
        inside = [*chroot, "sh", "-c", f"cd {told['WorkingDirectory']} && exec {command}"]
        self._process = subprocess.Popen(inside, stdout=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._ears.close()

    def tells(self, word: str) -> float:
        """Wait for something it tells systemd; how long that took."""
        began = time.monotonic()
        while word not in self._ears.recv(4096).decode():
            pass
        return time.monotonic() - began

    def ends(self) -> None:
        """As systemd ends it."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(PATIENCE) == 0


def is_played_on(deb: Path, newer: Path, lays: Lays, plays: Plays) -> None:
    """Installed, played, updated, played on, removed and purged."""
    with understood() as can:
        if not can:
            said("arm64", "not tried: apt install qemu-user-static debootstrap")
            return
        with House("trixie", "arm64", boots=False) as house:
            house.run("mount -t proc proc /proc")
            try:
                tried(house, deb, newer, lays, plays)
            finally:
                house.run("umount /proc")


def tried(house: House, deb: Path, newer: Path, lays: Lays, plays: Plays) -> None:
    """One after the other, with the service started by hand."""
    assert house.run("dpkg --print-architecture").strip() == "arm64"
    began = time.monotonic()
    house.run(f"dpkg --install {house.put(deb, deb.name)}")
    said("arm64", f"installed in {time.monotonic() - began:.0f} s, with qemu in the processor's place")
    with Service(house) as service:
        said("arm64", f"ready after {service.tells('READY=1'):.1f} s")
        table, host = lays(house)
        service.tells("WATCHDOG=1")
        service.ends()
    house.run(f"dpkg --install {house.put(newer, newer.name)}")
    with Service(house) as service:
        service.tells("READY=1")
        assert house.ask("GET", "/healthz")[1]["version"] == newer.name.split("_")[1]
        plays(house, table, host)
        service.ends()
    said("arm64", "a table is played, its version is updated, and the table is played on")
    house.run("dpkg --remove digside")
    assert (house.root / "var/lib/digside/digside.sqlite").stat().st_size
    assert not (house.root / "opt/digside").exists()
    house.run("debconf-set-selections", typed="digside digside/erase-tables boolean true\n")
    house.run("dpkg --purge digside")
    assert not (house.root / "var/lib/digside").exists()
    said("arm64", "removed (the tables stay), purged with yes (they go)")
