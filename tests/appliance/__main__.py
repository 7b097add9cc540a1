"""`make appliance`: the package installed, starved, updated, gone back from, removed and purged on Debian 12 and 13.

`python -m tests.appliance [bookworm trixie] [package card kiosk arm64 suite] [tests/…]`, without words all of it; as
root, with debootstrap and systemd-nspawn. What is named of the tests is all that is run of the suite. Roots are made
once and kept in the user's cache. It prints what it measures.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from hardware.package import build
from tests.appliance import arm, card, kiosk, packages, suite
from tests.appliance.house import TREE, House, said, shell

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
LAYING = {"box": "horus", "mode": "toolbox", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
LARGEST_MB = 30
BROUGHT = 'import httptools, paho.mqtt.client, uvloop, importlib.util as u; assert u.find_spec("psycopg")'
"""What the page offers, and a hall, are at hand; of these libpq alone comes from apt."""


class Trial(NamedTuple):
    """What is tried: a version as a wheel and as packages, on some Debians, with a folder for what is made.

    :ivar tests: what is run of the suite; nothing stands for all
    """

    debians: dict[str, str]
    tests: list[str]
    version: str
    own: Path
    folder: Path

    def deb(self, architecture: str) -> Path:
        """The package for an architecture."""
        return build.package(architecture, self.version, self.own, build.fetched(architecture), self.folder)

    @property
    def newest(self) -> str:
        """The newest of the Debians."""
        return list(self.debians)[-1]


def main(wanted: list[str]) -> int:
    missing = [name for name in ("debootstrap", "systemd-nspawn", "dpkg-deb") if shutil.which(name) is None]
    if missing:
        print(f"not tried: {', '.join(missing)} missing; apt install debootstrap systemd-container dpkg-dev")
        return 1
    tests = [word for word in wanted if word.startswith("tests/")]
    if unknown := set(wanted) - {*SUITES, *PARTS, *tests}:
        print(f"there is no {', '.join(sorted(unknown))}; there are: {', '.join([*SUITES, *PARTS])}")
        return 2
    debians = {name: python for name, python in SUITES.items() if name in wanted or not set(wanted) & set(SUITES)}
    version = packages.own_version()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(debians, tests, version, build.wheel_of_tree(version), Path(folder))
        for part, tried_out in PARTS.items():
            if part in wanted or not set(wanted) & set(PARTS):
                tried_out(trial)
    return 0


def the_card(trial: Trial) -> None:
    """What is flashed, as far as it goes without a Pi."""
    card.makes_room()
    card.starts_to_be_read(trial.deb("amd64"))


def the_package(trial: Trial) -> None:
    """For each architecture its wheels are a whole; on each Debian it is installed, updated and removed."""
    for architecture in build.MACHINES:
        brings_all_it_needs(architecture)
    is_a_wheel_for_everybody(trial.own, trial.version, trial.folder)
    for debian, python in trial.debians.items():
        (trial.folder / debian).mkdir()
        tried(debian, python, trial.version, trial.own, trial.folder / debian)


def the_pi(trial: Trial) -> None:
    """The package for a Pi, where qemu stands in for one."""
    newer = packages.package(trial.own, "98.0", "arm64", trial.folder)
    arm.is_played_on(trial.deb("arm64"), newer, lays, plays)


def the_suite(trial: Trial) -> None:
    """The tests themselves, with what each Debian has."""
    for debian in trial.debians:
        suite.runs_on(debian, trial.tests)


def tried(debian: str, python: str, version: str, own: Path, folder: Path) -> None:
    """All of it on one Debian."""
    deb = build.package("amd64", version, own, build.fetched("amd64"), folder)
    size = deb.stat().st_size / 1e6
    said(debian, f"package {size:.1f} MB")
    assert size < LARGEST_MB
    subprocess.run(["lintian", "--fail-on", "error", str(deb)], check=True)
    with House(debian) as house:
        refuses_what_it_cannot_run_on(house, own, folder)
        is_refused_where_it_is_for_another_processor(house, version, own, folder)
        installs(house, deb, python)
        has_units_that_systemd_takes(house)
        tells_its_address_once_there_is_one(house)
        table, host = lays(house)
        is_looked_at_by_root(house)
        survives_a_hang(house)
        starts_without_its_board(house)
        is_left_alone_when_damaged(house)
        heals_a_half_made_environment(house)
        plays(house, table, host)
        refuses_an_update_by_nobody(house, own, folder)
        updates(house, own, folder, table, host)
        takes_another_build_of_a_version(house, own, folder)
        goes_back(house, own, folder, table, host)
        goes_back_after_a_pulled_plug(house, own, folder, table, host)
        rests(house)
        is_removed_and_purged(house, deb)


def brings_all_it_needs(architecture: str) -> None:
    """For each Python its wheels are a whole, without any index: the machine itself need not be here for it."""
    lock = TREE / "requirements-package.lock"
    for python in build.PYTHONS:
        with tempfile.TemporaryDirectory() as folder:
            platforms = [f"--platform={glibc}_{build.MACHINES[architecture]}" for glibc in build.GLIBC]
            chosen = ["--only-binary=:all:", f"--python-version={python}", *platforms, "--target", folder]
            wheels = ["--no-index", "--find-links", str(build.fetched(architecture))]
            build.pip("--isolated", "install", "--no-deps", *wheels, *chosen, "--requirement", str(lock))
    said(architecture, f"has wheels of everything for Python {' and '.join(build.PYTHONS)}")


def is_a_wheel_for_everybody(own: Path, version: str, folder: Path) -> None:
    """The wheel alone, as pipx installs it: in an environment of its own, with all that its pages are made of."""
    known = set(shell("git", "-C", str(TREE), "ls-files", "companion", "hardware", "firmware_bridge", "web_ui").split())
    at_home = {name for name in known if set(Path(name).parts) & {"package", "image"}}
    missing = known - at_home - set(zipfile.ZipFile(own).namelist())
    assert not missing, missing
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv" / "bin" / "python")
    wheels = ["--no-index", "--find-links", str(build.fetched("amd64"))]
    subprocess.run([python, "-m", "pip", "-qq", "install", *wheels, str(own)], check=True)

    def alone(*command: str, typed: str = "") -> str:
        """What it says in an empty home."""
        env = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
        return subprocess.run(
            command, env=env, cwd=folder, input=typed, check=True, capture_output=True, text=True
        ).stdout

    digside = str(Path(python).with_name("digside"))
    assert alone(digside, "--version") == alone(python, "-P", "-m", "digside", "--version") == f"digside {version}\n"
    assert "rig sim is in order" in alone(digside, "doctor", "--rig", "sim")
    assert "Ada" in alone(digside, "play", "horus", typed="roll 3\n")
    said(
        "wheel", f"{own.stat().st_size / 1e6:.1f} MB, has all {len(known - at_home)} files, and plays where pip puts it"
    )


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


def is_refused_where_it_is_for_another_processor(house: House, version: str, own: Path, folder: Path) -> None:
    """As a Pi that runs 32-bit programs does with the one for 64 bits: by dpkg itself."""
    deb = build.package("arm64", version, own, build.fetched("arm64"), folder)
    told = house.run(f"dpkg --install {house.put(deb, deb.name)}; true", may_fail=True)
    assert "package architecture (arm64) does not match system (amd64)" in told, told
    assert not house.succeeds("test -e /opt/digside || test -e /var/lib/digside || getent passwd digside")
    said(house.suite, "a package for another processor is refused by dpkg, and has changed nothing")


def installs(house: House, deb: Path, python: str) -> None:
    took = house.install(deb)
    said(house.suite, f"dpkg -i to the first answer {took:.1f} s, in {used(house)} on the disk")
    assert (
        house.run("/opt/digside/venv/bin/python -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").strip()
        == python
    )
    assert house.succeeds(f"/opt/digside/venv/bin/python -P -c '{BROUGHT}'")
    assert "sudo apt install libpq5" in house.run("digside doctor --journal postgresql://nobody@nowhere/none; true")
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


def has_units_that_systemd_takes(house: House) -> None:
    """All of them, as they lie there; only what the kiosk needs comes later, with the kiosk."""
    house.run("touch /usr/bin/cage; chmod +x /usr/bin/cage")
    told = house.run("systemd-analyze verify /usr/lib/systemd/system/digside*; true", may_fail=True)
    assert "digside" not in told, told
    house.run("rm /usr/bin/cage")
    said(house.suite, "its units are as systemd wants them")


def tells_its_address_once_there_is_one(house: House) -> None:
    """The network comes after the service."""
    assert "localhost" in house.shown("digside.service", "StatusText")
    house.network("ip link add late type veth peer name later && ip address add 10.9.8.7/24 dev late")
    house.network("ip link set late up && ip link set later up")
    house.wait(lambda: house.shown("digside.service", "StatusText") == "http://10.9.8.7:8765", "its address")
    house.network("ip link delete late")
    said(house.suite, "tells its address once there is a network")


def is_looked_at_by_root(house: House) -> None:
    """What root does with it is about the tables of the service, and leaves nothing that is root's among them."""
    told = house.run("cd /root; digside doctor")
    assert "the service is running" in told, told
    assert "/owner#" in house.run("digside owner")
    house.run("digside backup; digside hall")
    assert house.run("find /var/lib/digside ! -user digside") == ""
    said(house.suite, "sudo digside doctor, owner, backup and hall are about the service's tables")


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
    assert "damaged" in house.run("journalctl --unit digside --output cat --no-pager --lines 12")
    house.run("cd /var/lib/digside; mv kept digside.sqlite; systemctl reset-failed digside; systemctl start digside")
    house.wait(house.healthy, "a start with sound data")
    said(house.suite, "a damaged file is told once, and no start is tried again")


def heals_a_half_made_environment(house: House) -> None:
    """The plug was pulled while it was made. What lies in the service's own folder is not run by root meanwhile."""
    house.run("systemctl stop digside; cd /opt/digside/venvs/*/; rm whole; rm -r lib/python3*/site-packages/flask")
    hostile = "import os; os.getuid() or open('/opt/owned', 'w')\n"
    names = " ".join(f"/var/lib/digside/{name}.py" for name in ("venv", "pip", "digside", "runpy"))
    house.run(f"tee {names} >/dev/null; chown digside: {names}", typed=hostile)
    house.run("systemctl start digside")
    house.wait(house.healthy, "a start with an environment made anew")
    assert not house.succeeds("test -e /opt/owned")
    house.run(f"rm {names}")
    said(house.suite, "a half-made environment is made anew at the start, with nothing from the folder of the tables")


def refuses_an_update_by_nobody(house: House, own: Path, folder: Path) -> None:
    """Without a signature, or changed after it was signed."""
    deb = packages.package(own, "97.0", "amd64", folder)
    content, signature = signature_of(deb)
    deb.write_bytes(content)
    told = house.run(f"digside update {house.put(deb, 'unsigned.deb')}; true", may_fail=True)
    assert "no signature" in told, told
    deb.write_bytes(content[:-40] + bytes(40) + signature)
    told = house.run(f"digside update {house.put(deb, 'altered.deb')}; true", may_fail=True)
    assert "changed after it was signed" in told, told
    assert house.run("digside --version") != "digside 97.0\n"
    said(house.suite, "an update that nobody has signed, or that was changed, is refused")


def signature_of(deb: Path) -> tuple[bytes, bytes]:
    """A package file without its signature, and that."""
    whole = deb.read_bytes()
    at = whole.rindex(b"_digside ")
    return whole[:at], whole[at:]


def updates(house: House, own: Path, folder: Path, table: str, host: str) -> None:
    deb = packages.package(own, "98.0", "amd64", folder)
    began = time.monotonic()
    told = house.run(f"digside update {house.put(deb, 'next.deb')}")
    assert "98.0 is running" in told, told
    assert house.ask("GET", "/healthz")[1]["version"] == "98.0"
    plays(house, table, host)
    said(house.suite, f"updated in {time.monotonic() - began:.0f} s, the table goes on")


def takes_another_build_of_a_version(house: House, own: Path, folder: Path) -> None:
    """Whoever builds a package from a tree of their own need not raise its version to have it run."""
    deb = packages.package(own, "98.0", "amd64", folder, {"companion/__init__.py": lambda text: text + "BUILT = 2\n"})
    house.run(f"digside update {house.put(deb, 'again.deb')}")
    assert house.run("/opt/digside/venv/bin/python -P -c 'import companion; print(companion.BUILT)'") == "2\n"
    said(house.suite, "another build of the same version is what runs")


def goes_back(house: House, own: Path, folder: Path, table: str, host: str) -> None:
    """A version that ends at its start, and one that writes newer data and does not answer as it should."""
    no_start = packages.package(own, "99.0", "amd64", folder, {"web_ui/serve.py": _raising("def _opened(")})
    edits = {"companion/play/sqlite_journal.py": _newer_data, "companion/__init__.py": _says("0")}
    no_answer = packages.package(own, "99.1", "amd64", folder, edits)
    for deb, writes_newer in ((no_start, False), (no_answer, True)):
        before = seen(house, table)["seq"]
        began = time.monotonic()
        told = house.run(f"digside update {house.put(deb, 'broken.deb')}; true", may_fail=True)
        assert "98.0 is running again" in told, told
        assert house.ask("GET", "/healthz")[1]["version"] == "98.0"
        assert house.run("digside --version") == "digside 98.0\n"
        assert seen(house, table)["seq"] == before
        assert house.succeeds("test -e /var/lib/digside/newer.sqlite") == writes_newer, (
            "tables go back only if they must"
        )
        plays(house, table, host)
        said(
            house.suite,
            f"{deb.name.split('_')[1]} does not come up: back on 98.0 after {time.monotonic() - began:.0f} s",
        )


def goes_back_after_a_pulled_plug(house: House, own: Path, folder: Path, table: str, host: str) -> None:
    """Somebody who sees that nothing works any more does not wait until the update has gone back by itself."""
    deb = packages.package(own, "99.2", "amd64", folder, {"web_ui/serve.py": _raising("def _opened(")})
    before = seen(house, table)["seq"]
    with subprocess.Popen(house.command(f"digside update {house.put(deb, 'pulled.deb')}"), stdout=subprocess.DEVNULL):
        shown = "dpkg-query --show --showformat='${Version} ${db:Status-Status}' digside"
        house.wait(lambda: house.run(shown) == "99.2 installed", "the version that does not start")
        house.stop()
    began = time.monotonic()
    house.start()
    house.wait(lambda: house.healthy() and house.run(shown) == "98.0 installed", "the version before")
    took = time.monotonic() - began
    assert seen(house, table)["seq"] == before
    plays(house, table, host)
    assert '"after":"99.2"' in house.run("cat /var/lib/digside/update.json")
    assert not house.succeeds("test -e /opt/digside/before/under-way")
    said(house.suite, f"a plug pulled while a version does not come up: back on 98.0, {took:.0f} s after the start")


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
        raised.replace("        super().__init__(folder", "        _raise(folder)\n        super().__init__(folder", 1)
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
        on_disk = int(house.run(f"sed -n 's/^write_bytes: //p' /proc/{pid}/io"))  # and not what wakes a loop
        return on_disk, house.run("stat --format='%n %Y %s' /var/lib/digside/*")

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


PARTS: dict[str, Callable[[Trial], None]] = {
    "package": the_package,
    "card": the_card,
    "kiosk": lambda trial: kiosk.shows_the_table(trial.deb("amd64"), trial.newest),
    "arm64": the_pi,
    "suite": the_suite,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
