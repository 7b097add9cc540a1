"""`make appliance`: the package installed, starved, updated, gone back from, removed and purged on Debian 12 and 13.

`python -m tests.appliance [bookworm trixie arm64]`; as root, with debootstrap and systemd-nspawn. Roots are made once
and kept in the user's cache. It prints what it measures.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hardware.package import build
from tests.appliance import packages
from tests.appliance.house import TREE, House

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
LAYING = {"box": "horus", "mode": "toolbox", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
LARGEST_MB = 30


def main(wanted: list[str]) -> int:
    missing = [name for name in ("debootstrap", "systemd-nspawn", "dpkg-deb") if shutil.which(name) is None]
    if missing:
        print(f"not tried: {', '.join(missing)} missing; apt install debootstrap systemd-container dpkg-dev")
        return 1
    version = packages.own_version()
    own = build.wheel_of_tree(version)
    for architecture in build.MACHINES:
        brings_all_it_needs(architecture)
    makes_room_on_a_card()
    for suite, python in SUITES.items():
        if not wanted or suite in wanted:
            with tempfile.TemporaryDirectory() as folder:
                tried(suite, python, version, own, Path(folder))
    return 0


def tried(suite: str, python: str, version: str, own: Path, folder: Path) -> None:
    """All of it on one Debian."""
    deb = build.package("amd64", version, own, build.fetched("amd64"), folder)
    size = deb.stat().st_size / 1e6
    said(suite, f"package {size:.1f} MB")
    assert size < LARGEST_MB
    with House(suite) as house:
        refuses_what_it_cannot_run_on(house, own, folder)
        installs(house, deb, python)
        table, host = lays(house)
        survives_a_hang(house)
        starts_without_its_board(house)
        is_left_alone_when_damaged(house)
        heals_a_half_made_environment(house)
        plays(house, table, host)
        updates(house, own, folder, table, host)
        goes_back(house, own, folder, table, host)
        rests(house)
        is_removed_and_purged(house, deb)


def brings_all_it_needs(architecture: str) -> None:
    """For each Python its wheels are a whole, without any index: the machine itself need not be here for it."""
    lock = TREE / "requirements.lock"
    for python in build.PYTHONS:
        with tempfile.TemporaryDirectory() as folder:
            platforms = [f"--platform={glibc}_{build.MACHINES[architecture]}" for glibc in build.GLIBC]
            chosen = ["--only-binary=:all:", f"--python-version={python}", *platforms, "--target", folder]
            wheels = ["--no-index", "--find-links", str(build.fetched(architecture))]
            build.pip("--isolated", "install", "--no-deps", *wheels, *chosen, "--requirement", str(lock))
    said(architecture, f"has wheels of everything for Python {' and '.join(build.PYTHONS)}")


def makes_room_on_a_card() -> None:
    """What is left of a card becomes the partition of the tables: on a disk in a file."""
    missing = [name for name in ("parted", "losetup", "mkfs.ext4", "partprobe") if shutil.which(name) is None]
    if missing:
        said("card", f"first start not tried: {', '.join(missing)} missing")
        return
    with tempfile.TemporaryDirectory() as folder:
        card = Path(folder) / "card.img"
        with card.open("wb") as file:
            file.truncate(300_000_000)
        made = [
            "mklabel",
            "msdos",
            "mkpart",
            "primary",
            "fat32",
            "4MiB",
            "68MiB",
            "mkpart",
            "primary",
            "68MiB",
            "168MiB",
        ]
        shell("parted", "--script", str(card), *made)
        disk = shell("losetup", "--find", "--show", "--partscan", str(card)).strip()
        try:
            shell("partprobe", disk)
            shell(str(TREE / "hardware" / "image" / "files" / "first-start"), f"{disk}p2")
            assert 'LABEL="TABLES"' in shell("blkid", "--probe", f"{disk}p3")
        finally:
            shell("losetup", "--detach", disk)
    said("card", "the first start makes the partition of the tables")


def shell(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def said(suite: str, what: str) -> None:
    print(f"{suite}: {what}", flush=True)


def refuses_what_it_cannot_run_on(house: House, own: Path, folder: Path) -> None:
    """Another Python than any of its wheels is for: nothing is changed."""
    wheels = build.fetched("amd64")
    deb = build.package("amd64", "0.0.1", own, wheels, folder / "odd", pythons=("3.9",))
    told = house.run(f"dpkg --install {house.put(deb, 'odd.deb')}; true", may_fail=True)
    assert "this package is for Python 3.9" in told, told
    assert "Nothing was changed" in told, told
    assert not house.succeeds("test -e /opt/digside || test -e /var/lib/digside || getent passwd digside")
    assert "digside" not in house.run("dpkg-query --list 'digside*' 2>/dev/null | grep '^.[iUFHW]' || true")
    said(house.suite, "refuses a system it cannot run on, and has changed nothing")


def installs(house: House, deb: Path, python: str) -> None:
    carried = house.put(deb, deb.name)
    began = time.monotonic()
    house.run(f"dpkg --install {carried}")
    house.wait(house.healthy, "an answer")
    said(house.suite, f"dpkg -i to the first answer {time.monotonic() - began:.1f} s, in {used(house)} on the disk")
    assert (
        house.run("/opt/digside/venv/bin/python -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").strip()
        == python
    )
    assert house.shown("digside.service", "Type") == "notify"
    pid = house.shown("digside.service", "MainPID")
    assert house.run(f"stat --format=%U /proc/{pid}").strip() == "digside"
    assert house.run("stat --format='%U %a' /var/lib/digside").strip() == "digside 700"
    assert (
        house.run("digside --version")
        == house.run("python3 -c 'print()' && /opt/digside/venv/bin/python -m digside --version").lstrip()
    )
    status, page = house.ask("GET", "/")
    assert (status, "<html" in page) == (200, True)
    log = house.run("journalctl --unit digside --output cat --no-pager")
    assert "█" not in log, log
    assert "Traceback" not in log, log


def used(house: House) -> str:
    return house.run("du --summarize --human-readable /opt/digside").split()[0]


def lays(house: House) -> tuple[str, str]:
    """A table with some moves."""
    status, laid = house.ask("POST", "/api/tables", LAYING)
    assert status == 201, laid
    plays(house, laid["table"], laid["host"])
    return laid["table"], laid["host"]


def plays(house: House, table: str, host: str, moves: int = 3) -> None:
    """Some moves more at a table."""
    for _ in range(moves):
        view = seen(house, table)
        move = {"seq": view["seq"], "request": f"r{view['seq']}", "move": {"type": "roll", "count": 2}}
        status, answer = house.ask("POST", f"/api/tables/{table}/moves", move, host)
        assert status == 200, answer
        assert answer["seq"] > view["seq"]


def seen(house: House, table: str) -> dict[str, Any]:
    status, view = house.ask("GET", f"/api/tables/{table}")
    assert status == 200, view
    assert isinstance(view, dict)
    return view


def survives_a_hang(house: House) -> None:
    """The whole process stands still: the watchdog starves, and the service comes anew."""
    pid = house.shown("digside.service", "MainPID")
    house.run(f"kill -STOP {pid}")
    took = house.wait(
        lambda: house.shown("digside.service", "MainPID") not in {pid, "0"} and house.healthy(), "a new start"
    )
    said(house.suite, f"a service that hangs is back after {took:.0f} s")


def starts_without_its_board(house: House) -> None:
    """What should stand beside the table is not there."""
    rig = 'kind = "serial"\n[serial]\nport = "/dev/digside-board"\n'
    house.run("cat > /var/lib/digside/rig.toml; systemctl restart digside", typed=rig)
    house.wait(house.healthy, "a start without the board")
    assert house.ask("GET", "/api/rig")[1]["absent"] is True
    house.run("rm /var/lib/digside/rig.toml; systemctl restart digside")
    house.wait(house.healthy, "a start")
    said(house.suite, "starts without its board")


def is_left_alone_when_damaged(house: House) -> None:
    """What no start mends is told once, and not tried for ever."""
    house.run("systemctl stop digside; cd /var/lib/digside; mv digside.sqlite kept")
    house.run("cd /var/lib/digside; head -c 9000 /dev/urandom > digside.sqlite; chown digside: digside.sqlite")
    house.run("systemctl start digside; true", may_fail=True)
    time.sleep(6)  # twice the pause before another try
    assert house.shown("digside.service", "ActiveState") == "failed"
    assert house.shown("digside.service", "NRestarts") == "0"
    assert "damaged" in house.run("journalctl --unit digside --output cat --no-pager --lines 5")
    house.run("cd /var/lib/digside; mv kept digside.sqlite; systemctl reset-failed digside; systemctl start digside")
    house.wait(house.healthy, "a start with sound data")
    said(house.suite, "a damaged file is told once, and no start is tried again")


def heals_a_half_made_environment(house: House) -> None:
    """The plug was pulled while it was made."""
    house.run("systemctl stop digside; cd /opt/digside/venvs/*/; rm whole; rm -r lib/python3*/site-packages/flask")
    house.run("systemctl start digside")
    house.wait(house.healthy, "a start with an environment made anew")
    said(house.suite, "a half-made environment is made anew at the start")


def updates(house: House, own: Path, folder: Path, table: str, host: str) -> None:
    deb = packages.package(own, "98.0", "amd64", folder)
    began = time.monotonic()
    told = house.run(f"digside update {house.put(deb, 'next.deb')}")
    assert "98.0 is running" in told, told
    assert house.ask("GET", "/healthz")[1]["version"] == "98.0"
    plays(house, table, host)
    said(house.suite, f"updated in {time.monotonic() - began:.0f} s, the table goes on")


def goes_back(house: House, own: Path, folder: Path, table: str, host: str) -> None:
    """A version that ends at its start, and one that writes newer data and does not answer as it should."""
    no_start = packages.package(own, "99.0", "amd64", folder, {"web_ui/serve.py": _raising("def _opened(")})
    edits = {"companion/play/journal.py": _newer_data, "companion/__init__.py": _says("0")}
    no_answer = packages.package(own, "99.1", "amd64", folder, edits)
    for deb in (no_start, no_answer):
        before = seen(house, table)["seq"]
        began = time.monotonic()
        told = house.run(f"digside update {house.put(deb, 'broken.deb')}; true", may_fail=True)
        assert "98.0 is running again" in told, told
        assert house.ask("GET", "/healthz")[1]["version"] == "98.0"
        assert house.run("digside --version") == "digside 98.0\n"
        assert seen(house, table)["seq"] == before
        plays(house, table, host)
        said(
            house.suite,
            f"{deb.name.split('_')[1]} does not come up: back on 98.0 after {time.monotonic() - began:.0f} s",
        )


def _raising(function: str) -> packages.Edit:
    """An edit after which a function cannot be used."""
    return lambda text: text.replace(function, f"def {function[4:-1]}_not_here(", 1)


def _says(another: str) -> packages.Edit:
    """An edit after which it tells another version than it is."""
    return lambda text: re.sub(r"(?m)^__version__ = .*$", f'__version__ = "{another}"', text)


def _newer_data(text: str) -> str:
    """An edit after which data are written that no version before reads."""
    raised = re.sub(r"(?m)^FORMAT = (\d+)", "FORMAT = 999", text, count=1)
    return (
        raised.replace("        self.folder = folder\n", "        self.folder = folder\n        _raise(folder)\n", 1)
        + NEWER
    )


NEWER = """

def _raise(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "digside.sqlite")) as db:
        db.execute("PRAGMA user_version=999")
"""


def rests(house: House) -> None:
    """Memory, and what is written while nothing happens."""
    pid = house.shown("digside.service", "MainPID")

    def written() -> tuple[int, str]:
        calls = int(house.run(f"sed -n 's/^wchar: //p' /proc/{pid}/io"))
        return calls, house.run("stat --format='%n %Y %s' /var/lib/digside/*")

    time.sleep(3)
    before = written()
    time.sleep(20)
    memory = int(house.run(f"sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/{pid}/status")) / 1024
    after = written()
    said(house.suite, f"{memory:.0f} MB of memory; {after[0] - before[0]} bytes written in 20 s at rest")
    assert after == before


def is_removed_and_purged(house: House, deb: Path) -> None:
    house.run("dpkg --remove digside")
    assert house.succeeds("test -s /var/lib/digside/digside.sqlite")
    assert not house.succeeds("test -e /opt/digside")
    assert not house.succeeds("systemctl is-active digside")
    house.run(f"dpkg --install /root/{deb.name}")
    house.wait(house.healthy, "an answer after it was removed")
    house.run("dpkg --purge digside")
    assert house.succeeds("test -s /var/lib/digside/digside.sqlite"), "nobody was asked, so the tables stay"
    house.run(f"dpkg --install /root/{deb.name}")
    house.run("debconf-set-selections", typed="digside digside/erase-tables boolean true\n")
    house.run("dpkg --purge digside")
    assert not house.succeeds("test -e /var/lib/digside || getent passwd digside")
    assert house.run("systemctl --failed --no-legend") == ""
    said(house.suite, "removed (the tables stay), purged unasked (they stay), purged with yes (they go)")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
