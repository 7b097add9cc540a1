"""What is done to a machine that has Digside as a package: a newer one, its own screen, its own network."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal, NamedTuple, Protocol

import msgspec

from companion.play.codes import random_code
from companion.play.folder import copied
from companion.play.replacing import COMING, Replacing, replace
from companion.refusals import AsTyped, Fact, Malformed, Storage
from companion.terminal.signature import Signed, checked, fingerprint, known_key
from companion.whole_file import sync_folder, write_whole
from companion.words import say

HOME = Path("/opt/digside")
DATA = Path("/var/lib/digside")
TOLD = "update.json"
"""In the data folder: what came of the last update, for the page."""
KEPT = "before-update.sqlite"
"""In the data folder: the tables as they were before it."""
UP_WITHIN_S = 120.0
STEADY_S = 3.0
HOTSPOT = ("network-manager", "dnsmasq-base")
"""The second gives addresses to whoever joins."""
KIOSK = ("cage", "xwayland", "chromium", "swayidle", "wlr-randr")
NETWORK = Path("/etc/NetworkManager/system-connections/digside.nmconnection")
PROFILE = """\
[connection]
id=digside
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={name}

[wifi-security]
key-mgmt=wpa-psk
psk={password}

[ipv4]
method=shared
address1=10.42.0.1/24

[ipv6]
method=disabled
"""
Outcome = Literal["done", "went_back", "lost"]


class Package(NamedTuple):
    """What a package file says of itself."""

    name: str
    version: str
    architecture: str


class UpdateReport(msgspec.Struct, frozen=True):
    """What came of an update: from which version to which, when, and whether the one before had to come back."""

    before: str
    after: str
    at: int
    outcome: Outcome
    reason: str = ""


class Failed(Exception):
    """A program of the system did not do what it was asked; what it said last."""


@contextmanager
def quoted() -> Iterator[None]:
    """What a program of the system says that does not do as it was asked becomes a sentence for whoever asked."""
    try:
        yield
    except Failed as failed:
        raise Malformed("cli.program_failed", reason=AsTyped(failed)) from None


class UpdateHost(Protocol):
    """All that an update needs of the machine."""

    def architecture(self) -> str:
        """Which programs it runs, as Debian calls them."""

    def installed(self) -> str | None:
        """The version that is installed."""

    def inspect(self, file: Path, /) -> Package:
        """What a package file says of itself."""

    def known_key(self) -> str | None:
        """The key of whoever built the version that is installed, if it has one."""

    def signed(self, file: Path, /) -> Signed | None:
        """Whose signature a package file has."""

    def pack(self) -> Path:
        """The package that is installed, as a file again."""

    def install(self, file: Path, /) -> None:
        """Install a package file."""

    def why_down(self, version: str, /) -> str:
        """Wait until the service answers as this version; why it does not, if it does not."""

    def begin(self, before: str, after: str, /) -> None:
        """Leave a mark for whoever finds the update interrupted."""

    def keep(self) -> None:
        """Keep the tables as they are."""

    def put_back(self) -> None:
        """Put the tables back as they were kept."""

    def tell(self, told: UpdateReport, /) -> None:
        """Leave word for the page."""


class Updating:
    """Installing a package so that nobody is stranded by it, in somebody's language."""

    def __init__(self, machine: UpdateHost, language: str, *, now: Callable[[], float] = time.time) -> None:
        self._machine = machine
        self._language = language
        self._now = now

    def to(self, file: Path, *, trusts: str | None = None, unsigned: bool = False) -> int:
        """Install *file*; where the service does not come up with it, the package before comes back. 0 if it stays.

        :param trusts: the fingerprint of a key that the owner trusts beside that of the version before.
        :param unsigned: the owner knows that nobody can tell who built it.
        :raises Malformed: before anything is changed, where the file is not a package for this machine, or nobody
            knows whose
        """
        machine = self._machine
        package, before = self._fits(file), machine.installed()
        if before is None:
            raise Malformed("cli.update_not_installed")
        self._check_signature(file, trusts, unsigned=unsigned)
        self._say("update_begins", before=AsTyped(before), after=AsTyped(package.version))
        former = machine.pack()
        machine.keep()
        machine.begin(before, package.version)
        self._say("update_kept")
        why = self._tried(file, package.version)
        if not why:
            self._tell(before, package.version, "done")
            self._say("update_done", after=AsTyped(package.version))
            return 0
        self._say("update_back", before=AsTyped(before), reason=AsTyped(why))
        lost = self._tried(former, before)
        if lost:  # the newer one may have written what the one before does not read
            machine.put_back()
            lost = self._tried(former, before)
        self._tell(before, package.version, "lost" if lost else "went_back", lost or why)
        if lost:
            self._say("update_lost", reason=AsTyped(lost), file=AsTyped(former))
        else:
            self._say("update_went_back", before=AsTyped(before))
        return 1

    def _check_signature(self, file: Path, trusts: str | None, *, unsigned: bool) -> None:
        """Say whose package it is. Once a version with a key is installed, one of somebody else is refused."""
        machine = self._machine
        known = machine.known_key()
        signed = machine.signed(file)
        if signed is None:
            if known is not None and not unsigned:
                raise Malformed("cli.update_unsigned", signer=AsTyped(fingerprint(known)))
            self._say("update_no_signature")
        elif signed.is_known or signed.fingerprint == trusts:
            self._say("update_signed", signer=AsTyped(signed.fingerprint))
        elif known is not None or trusts is not None:
            ours = fingerprint(known) if known else trusts
            raise Malformed("cli.update_other_key", signer=AsTyped(signed.fingerprint), ours=AsTyped(ours))
        else:
            self._say("update_first_key", signer=AsTyped(signed.fingerprint))

    def _fits(self, file: Path) -> Package:
        try:
            package = self._machine.inspect(file)
        except Failed as failed:
            raise Malformed("cli.update_no_package", file=AsTyped(file), reason=AsTyped(failed)) from None
        if package.name != "digside":
            raise Malformed("cli.update_other", file=AsTyped(file), name=AsTyped(package.name))
        here = self._machine.architecture()
        if package.architecture not in {here, "all"}:
            raise Malformed("cli.update_architecture", theirs=AsTyped(package.architecture), ours=AsTyped(here))
        return package

    def _tried(self, file: Path, version: str) -> str:
        try:
            self._machine.install(file)
        except Failed as failed:
            return str(failed)
        return self._machine.why_down(version)

    def _tell(self, before: str, after: str, outcome: Outcome, reason: str = "") -> None:
        self._machine.tell(UpdateReport(before, after, int(self._now() * 1000), outcome, reason))

    def _say(self, key: str, **facts: Fact) -> None:
        print(say(self._language, f"cli.{key}", facts), flush=True)


class Debian:
    """This machine.

    :param home: what the package installs.
    :param data: the tables.
    """

    def __init__(self, home: Path = HOME, data: Path = DATA) -> None:
        self._home = home
        self._data = data
        self._mark: IO[str] | None = None

    def architecture(self) -> str:
        return ran("dpkg", "--print-architecture").strip()

    def installed(self) -> str | None:
        try:
            return ran("dpkg-query", "--show", "--showformat=${Version}", "digside").strip() or None
        except Failed:
            return None

    def known_key(self) -> str | None:
        return known_key()

    def signed(self, file: Path, /) -> Signed | None:
        return checked(file, known_key())

    def inspect(self, file: Path, /) -> Package:
        if not file.is_file():
            raise Failed("there is no such file")
        shown = ran("dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", str(file))
        name, version, architecture = shown.split()
        return Package(name, version, architecture)

    def pack(self) -> Path:
        """As it was unpacked: what the package owns, with its scripts from dpkg's own folder."""
        into = self._home / "before"
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(mode=0o755)
        with tempfile.TemporaryDirectory(dir=into) as staged:
            root = Path(staged)
            root.chmod(0o755)
            for line in ran("dpkg-query", "--listfiles", "digside").splitlines():
                file, copy = Path(line), root / line.lstrip("/")
                if file.is_symlink() or file.is_file():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(file, copy, follow_symlinks=False)
            control = root / "DEBIAN"
            control.mkdir()
            for own in Path("/var/lib/dpkg/info").glob("digside.*"):
                if own.suffix not in {".list", ".md5sums"}:
                    shutil.copy2(own, control / own.suffix[1:])
            fields = ran("dpkg-query", "--status", "digside").splitlines()
            (control / "control").write_text("\n".join(_without(fields, ("Status:", "Conffiles:"))) + "\n", "utf-8")
            file = into / f"digside_{self.installed()}_{self.architecture()}.deb"
            ran("dpkg-deb", "--build", "--root-owner-group", "-Znone", str(root), str(file))
        return file

    def begin(self, before: str, after: str, /) -> None:
        """The mark goes when the service has come up; it is locked for as long as this process lives."""
        self._mark = (self._home / "before" / "under-way").open("w", encoding="utf-8")
        fcntl.flock(self._mark, fcntl.LOCK_EX)
        self._mark.write(f"{before} {after}\n")
        self._mark.flush()
        os.fsync(self._mark.fileno())
        sync_folder(self._home / "before")

    def install(self, file: Path, /) -> None:
        ran("dpkg", "--force-confold", "--install", str(file))

    def why_down(self, version: str, /) -> str:
        ends = time.monotonic() + UP_WITHIN_S
        why, since = "", 0.0
        while time.monotonic() < ends:
            why, given_up = self._why_down_now(version)
            if given_up:
                return why
            if why:
                since = 0.0
            elif not since:
                since = time.monotonic()
            elif time.monotonic() - since > STEADY_S:
                return ""
            time.sleep(0.5)
        return why or "it does not stay up"

    def _why_down_now(self, version: str) -> tuple[str, bool]:
        """Why the service does not answer as this version, if it does not, and whether no other start is tried."""
        shown = ran("systemctl", "show", "--property=ActiveState,SubState,StatusText", "digside.service")
        state = dict(line.split("=", 1) for line in shown.splitlines())
        if state["ActiveState"] != "active":
            return f"the service is {state['ActiveState']}: {_last_words()}", state["SubState"] == "failed"
        here = state["StatusText"].replace("//localhost", "//127.0.0.1")  # a machine may not know that name of its own
        try:
            with urllib.request.urlopen(f"{here}/healthz", timeout=10) as answer:  # noqa: S310 -- http
                answers = json.load(answer)["version"]
        except (OSError, ValueError, KeyError) as error:
            return f"the service does not answer: {error}", False
        return "" if answers == version else f"the service answers as {answers}", False

    def keep(self) -> None:
        file = self._data / "digside.sqlite"
        try:
            with _as_owner_of(self._data):
                if file.exists():
                    copied(file, self._data / KEPT)
                    sync_folder(self._data)
        except (OSError, sqlite3.Error) as error:
            raise Storage("cli.cannot_write", file=str(self._data / KEPT), reason=str(error)) from None

    def put_back(self) -> None:
        ran("systemctl", "stop", "digside.service")
        with _as_owner_of(self._data):
            file = self._data / "digside.sqlite"
            copied(file, self._data / "newer.sqlite")
            copied(self._data / KEPT, self._data / f"{file.name}{COMING}")
            replace(self._data, Replacing())

    def tell(self, told: UpdateReport, /) -> None:
        with _as_owner_of(self._data):
            write_whole(self._data / TOLD, msgspec.json.encode(told), mode=0o644)


def last_update(data: Path) -> UpdateReport | None:
    """What came of the last update of a machine; nothing where there was none."""
    try:
        return msgspec.json.decode((data / TOLD).read_bytes(), type=UpdateReport)
    except (OSError, ValueError):
        return None


@quoted()
def update(file: Path, language: str, *, trusts: str | None = None, unsigned: bool = False) -> int:
    """Install a package file on this machine."""
    _as_root()
    return Updating(Debian(), language).to(file.resolve(), trusts=trusts, unsigned=unsigned)


@quoted()
def kiosk(*, on: bool, language: str, agreed: bool = False, typed: Callable[[str], str] = input) -> int:
    """Show the table on the machine's own screen from now on, or no more.

    :param agreed: install what is missing without asking
    """
    _as_root()
    if not _has("digside"):
        raise Malformed("cli.kiosk_no_package")
    if not on:
        ran("systemctl", "disable", "--now", "digside-kiosk.service")
        print(say(language, "cli.kiosk_off", {}))
        return 0
    missing = [name for name in KIOSK if not _has(name)]
    if missing:
        print(say(language, "cli.kiosk_fetches", {"names": tuple(map(AsTyped, missing))}), flush=True)
        if not (agreed or _agrees(say(language, "cli.kiosk_sure", {}), typed)):
            print(say(language, "cli.kiosk_nothing", {}))
            return 1
        ran("apt-get", "install", "--yes", "--no-install-recommends", *missing)
    ran(
        "adduser",
        "--system",
        "--group",
        "--quiet",
        "--home",
        "/var/lib/digside-kiosk",
        "--no-create-home",
        "digside-kiosk",
    )
    for group in ("video", "render", "input"):
        if f"\n{group}:" in f"\n{Path('/etc/group').read_text(encoding='utf-8')}":
            ran("adduser", "--quiet", "digside-kiosk", group)
    ran("systemctl", "enable", "digside-kiosk.service")
    ran("systemctl", "restart", "--no-block", "digside-kiosk.service")
    print(say(language, "cli.kiosk_on", {}))
    return 0


@quoted()
def hotspot(*, on: bool, language: str, show: Callable[[str], str]) -> int:
    """Make the machine a network of its own from now on, or no more.

    :param show: draws a code for a phone to scan
    """
    _as_root()
    if missing := [name for name in HOTSPOT if not _has(name)]:
        raise Malformed("cli.hotspot_lacks", names=tuple(map(AsTyped, missing)), typed=AsTyped(" ".join(missing)))
    if not on:
        if NETWORK.exists():
            ran("nmcli", "connection", "modify", "digside", "connection.autoconnect", "no")
            with suppress(Failed):  # it was not up
                ran("nmcli", "connection", "down", "digside")
        print(say(language, "cli.hotspot_off", {}))
        return 0
    name, password = network(NETWORK)
    ran("nmcli", "connection", "load", str(NETWORK))
    ran("nmcli", "connection", "modify", "digside", "connection.autoconnect", "yes")
    ran("nmcli", "connection", "up", "digside")
    print(say(language, "cli.hotspot_on", {"name": AsTyped(name), "password": AsTyped(password)}))
    print(show(f"WIFI:T:WPA;S:{name};P:{password};;"))
    return 0


def network(file: Path) -> tuple[str, str]:
    """Name and password of the machine's own network; made the first time, and kept where only root reads them."""
    if not file.exists():
        made = {"name": f"Digside-{random_code(4)}", "password": random_code(10)}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:  # a card that is only read
            raise Storage("cli.cannot_write", file=str(file), reason=error.strerror or str(error)) from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(PROFILE.format(**made))
    lines = dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines() if "=" in line)
    return lines["ssid"], lines["psk"]


def _agrees(question: str, typed: Callable[[str], str]) -> bool:
    """Whether a person says yes; whoever says nothing says no."""
    try:
        return typed(question).strip()[:1].lower() in {"y", "j", "o", "s"}
    except EOFError:
        print()
        return False


def _has(package: str) -> bool:
    try:
        return ran("dpkg-query", "--show", "--showformat=${db:Status-Status}", package) == "installed"
    except Failed:
        return False


def _as_root() -> None:
    if os.geteuid() != 0:
        raise Malformed("cli.as_root")


@contextmanager
def _as_owner_of(folder: Path) -> Iterator[None]:
    """With no more rights than the service itself, so that nothing it has laid there leads elsewhere."""
    owner, before = folder.stat(), (os.geteuid(), os.getegid())
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(before[0])
        os.setegid(before[1])


def _without(fields: Sequence[str], names: tuple[str, ...]) -> Iterator[str]:
    """The fields of a package but for these, with the lines that belong to them."""
    left_out = False
    for line in fields:
        if not line.startswith(" "):
            left_out = line.startswith(names)
        if not left_out:
            yield line


def _last_words() -> str:
    said = ran("journalctl", "--unit=digside.service", "--lines=3", "--output=cat", "--no-pager")
    return " ".join(said.split())[-300:]


def ran(*command: str) -> str:
    """What a program of the system says.

    :raises Failed: when it does not end well
    """
    env = os.environ | {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        raise Failed(
            " ".join((done.stderr or done.stdout).split())[-300:] or f"{command[0]} ended with {done.returncode}"
        )
    return done.stdout
