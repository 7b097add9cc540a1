"""Looks at everything Digside needs on this machine, and says what is not well and what to do about it."""

from __future__ import annotations

import errno
import os
import pwd
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import msgspec

from companion import games
from companion.boxes import BoxProblem
from companion.play.backups import FOLDER, ROOM, left_out, made
from companion.play.folder import FILE
from companion.play.hall import Hall
from companion.play.journal import Journal
from companion.play.sqlite_journal import SqliteJournal
from companion.refusals import AsTyped, Fact, Missing, Refusal
from companion.small_files import SmallFiles
from companion.terminal.appliance import DATA, last_update
from companion.words import say

HOT_C = 80.0
PORT = 8765
LOOKS_S = 1.5
"""Seconds for reading all that is kept, and as many for playing tables again; with `--whole` as long as it takes."""
WORN = 9
CLOCKS_APART_MS = 5000
"""So far the clocks of a hall may be apart; asking takes time, and what is signed is good for minutes."""
HOUSE = "house.json"
LINKS: Mapping[str, Literal["well", "note", "ill"]] = {
    "online": "well",
    "away": "note",
    "refused": "ill",
    "missing": "ill",
}
Opens = Callable[[], Journal]
MARKS = {"well": "✓", "note": "·", "ill": "✗"}


class Finding(NamedTuple):
    """One thing that was looked at."""

    state: Literal["well", "note", "ill"]
    key: str
    facts: dict[str, Fact]


HubState = Literal["trying", "online", "away", "refused", "otherwise", "busy", "full", "untaken", "unread"]
HubNoted = Literal["trying", "online", "away", "refused", "otherwise"]
"""What 0.3.0 reads: it would lose the id of the house over any other."""
Hindrance = Literal["", "busy", "full", "untaken", "unread"]


class HubLook(NamedTuple):
    """How it is at this moment with the hub that is sent copies of the tables.

    :ivar lacks: tables of which it lacks something, while it answers
    :ivar since: since when it is so, as far as it was noted: milliseconds since 1970
    :ivar token: the file with its token
    """

    hub: str
    state: HubState
    reason: str
    lacks: int
    since: int | None
    token: Path


class HallLook(NamedTuple):
    """How a hall answers through its router.

    :ivar processes: that answered
    :ivar astray: tables that went to one process now and to another then
    :ivar apart_ms: how far the clocks of the processes and of the database are apart
    :ivar reason: why nobody answers, if so
    """

    router: str
    processes: int
    astray: int
    apart_ms: int
    reason: str


LooksAtHall = Callable[[], HallLook | None]
"""Asks the router that stands before a hall's processes."""
LooksAtHub = Callable[[Path], HubLook | None]
"""Asks the hub that the tables of a folder are copied to."""


class HouseFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a service keeps of its house.

    :ivar id: by which its house tells it from others; it opens nothing
    :ivar broker: where it tells of its tables, without the password
    :ivar link: how that went when it was last tried, and why not
    :ivar hub: where copies of its tables are sent, and the file with that hub's token, if one was named
    :ivar hub_state: how that goes, and since when: milliseconds since 1970
    :ivar hub_hindered: why the hub has not all though it answers
    """

    id: str
    broker: str = ""
    link: str = ""
    reason: str = ""
    hub: str = ""
    hub_token: str = ""
    hub_state: HubNoted = "trying"
    hub_since: int = 0
    hub_hindered: Hindrance = ""


def house_of(folder: Path) -> HouseFile | None:
    """What is kept of a house in a data folder, if anything that can be read."""
    with suppress(OSError, ValueError):
        return msgspec.json.decode((folder / HOUSE).read_bytes(), type=HouseFile)
    return None


class DataCard(Protocol):
    """Where the tables lie."""

    @property
    def free(self) -> int:
        """Bytes that are free."""

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written any more."""

    @property
    def errors(self) -> int:
        """Faults that were found in what is kept on it."""

    @property
    def worn(self) -> int | None:
        """How much of its life is over, in tenths; eleven is more than all."""


class ComputerHealth(Protocol):
    """What the computer says of itself."""

    @property
    def temperature_c(self) -> float | None:
        """Its heat."""

    @property
    def strains(self) -> Sequence[str]:
        """What strains it now."""

    @property
    def strained(self) -> Sequence[str]:
        """What has strained it since its start."""

    @property
    def clock(self) -> str:
        """Whether its clock was set."""

    @property
    def card(self) -> DataCard:
        """Where the tables lie."""


class RigHealth(Protocol):
    """All that is known here of hardware: where it is found, and what is wrong with it."""

    def boards(self) -> Mapping[str, bool]:
        """The serial ports of boards that are plugged in, and whether each may be opened."""

    def pins(self) -> Mapping[str, bool]:
        """The chips whose pins this machine has, and whether each may be opened."""

    def is_chosen(self, data: Path, /) -> bool:
        """Whether somebody has chosen what stands beside the tables of a folder."""

    def look_at_rig(self, name_or_path: str | None, data: Path, /) -> str | None:
        """Open the rig for a moment, and say what is wrong with it, if anything."""

    def busy_pins(self, name_or_path: str | None, data: Path, /) -> Mapping[int, str]:
        """The pins of the rig that another program has."""

    def missing_buses(self, name_or_path: str | None, data: Path, /) -> Sequence[str]:
        """What the rig needs that is switched off in this machine: i2c, spi."""

    def look_at_machine(self, data: Path, /) -> ComputerHealth:
        """What the computer says of itself."""


def examine(
    folder: Path,
    rig: str | None,
    language: str,
    hardware: RigHealth,
    *,
    hub: LooksAtHub = lambda _: None,
    hall: LooksAtHall = lambda: None,
    whole: bool = False,
    opens: Opens | None = None,
) -> int:
    """Print every finding; 1 if something is ill."""
    ill = False
    for finding in findings(folder, rig, hardware, language, hub=hub, hall=hall, whole=whole, opens=opens):
        ill = ill or finding.state == "ill"
        print(MARKS[finding.state], say(language, f"doctor.{finding.key}", finding.facts))
    return int(ill)


def findings(
    folder: Path,
    rig: str | None,
    hardware: RigHealth,
    language: str = "en",
    *,
    hub: LooksAtHub = lambda _: None,
    hall: LooksAtHall = lambda: None,
    whole: bool = False,
    opens: Opens | None = None,
) -> Iterator[Finding]:
    """What is well and what is not, the ground first.

    :param whole: look at everything that is kept, however long that takes.
    :param opens: the database that the tables are in, where they are in one.
    """
    yield _python()
    machine = hardware.look_at_machine(folder)
    within, running = float("inf") if whole else LOOKS_S, False
    if opens is not None:
        yield from _card(machine.card)
        yield from _database(opens, folder, language, within)
    else:
        disk = list(_disk(folder, language, machine.card))
        running = any(finding.key == "data_in_use" for finding in disk)
        yield from disk
        yield from _tables(lambda: Hall(folder, reading=True), language, within)
        yield from _backups(folder)
    yield from _small_files(folder)
    yield from _boxes(folder)
    yield from _computer(machine)
    if not running:
        yield _door()
    if folder != DATA and os.path.exists(DATA):
        yield Finding("note", "service_elsewhere", {"folder": str(DATA)})
    yield from _ports(hardware.boards())
    yield _pins(hardware.pins())
    yield from _update(folder)
    yield from _house(folder)
    yield from _hub(hub(folder), folder)
    yield from _hall(hall())
    yield from [Finding("note", "rig_in_use", {})] if running else _rig(folder, rig, hardware)


def _rig(folder: Path, rig: str | None, hardware: RigHealth) -> Iterator[Finding]:
    """The rig that was named, else the one that was chosen."""
    if rig is None and not hardware.is_chosen(folder):
        yield Finding("note", "rig_not_chosen", {})
        return
    for bus in hardware.missing_buses(rig, folder):
        yield Finding("ill", "bus_off", {"bus": AsTyped(bus)})
    for pin, program in hardware.busy_pins(rig, folder).items():
        yield Finding("ill", "pin_busy", {"pin": pin, "program": AsTyped(program)})
    wrong = hardware.look_at_rig(rig, folder)
    if wrong:
        yield Finding("ill", "rig_ill", {"reason": wrong})
    else:
        yield Finding("well", "rig", {"rig": rig}) if rig else Finding("well", "rig_found", {})


def computer(machine: ComputerHealth, folder: Path) -> Iterator[Finding]:
    """What the computer itself says, without a look at any table: card, power, heat, clock, the last update."""
    yield from _card(machine.card)
    yield from _computer(machine)
    yield from _update(folder)


def _computer(machine: ComputerHealth) -> Iterator[Finding]:
    """Power, heat and clock."""
    if "weak_power" in machine.strains:
        yield Finding("ill", "power_weak", {})
    elif "weak_power" in machine.strained:
        yield Finding("note", "power_was_weak", {})
    if machine.temperature_c is not None:
        hot = machine.temperature_c >= HOT_C
        yield Finding("ill" if hot else "well", "hot" if hot else "warm", {"n": round(machine.temperature_c)})
    if machine.clock == "unsure":
        yield Finding("note", "clock_unsure", {})


def _door() -> Finding:
    """Whether the service could listen where people look for it."""
    try:
        socket.create_server(("", PORT)).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return Finding("note", "port_taken", {"port": PORT})
        return Finding("ill", "port_closed", {"port": PORT, "reason": error.strerror or str(error)})
    return Finding("well", "port_free", {"port": PORT})


def _update(folder: Path) -> Iterator[Finding]:
    """An update that did not come up."""
    told = last_update(folder)
    if told and told.outcome != "done":
        facts: dict[str, Fact] = {"before": AsTyped(told.before), "after": AsTyped(told.after)}
        yield Finding("note", "went_back", {**facts, "reason": AsTyped(told.reason)})


def _house(folder: Path) -> Iterator[Finding]:
    """Whether the broker that is told of the tables took it when it was last tried."""
    house = house_of(folder)
    if house is not None and house.link in LINKS:
        facts: dict[str, Fact] = {"broker": AsTyped(house.broker), "reason": AsTyped(house.reason)}
        yield Finding(LINKS[house.link], f"mqtt_{house.link}", facts)


def _hub(look: HubLook | None, folder: Path) -> Iterator[Finding]:
    """Whether the hub answers, what it lacks, and since when."""
    if look is None:
        return
    facts: dict[str, Fact] = {"hub": AsTyped(look.hub), "reason": AsTyped(look.reason), "n": look.lacks}
    match look.state:
        case "away" if look.since is not None:
            since = time.strftime("%Y-%m-%d %H:%M", time.localtime(look.since / 1000))
            facts |= {"since": AsTyped(since), "n": _played_since(folder, look.since)}
            yield Finding("note", "hub_away_since", facts)
        case "away":
            yield Finding("note", "hub_away", facts)
        case "refused":
            yield Finding("ill", "hub_refused", {**facts, "file": AsTyped(look.token)})
        case "otherwise" | "full" | "untaken" | "unread":
            yield Finding("ill", f"hub_{look.state}", facts)
        case "busy":
            yield Finding("note", "hub_busy", facts)
        case _:
            yield Finding("note", "hub_lacks", facts) if look.lacks else Finding("well", "hub_online", facts)


def _hall(look: HallLook | None) -> Iterator[Finding]:
    """Whether a router sends each table to one process, and whether the clocks of the machines agree."""
    if look is None:
        return
    facts: dict[str, Fact] = {"router": AsTyped(look.router), "reason": AsTyped(look.reason)}
    if look.reason:
        yield Finding("ill", "hall_away", facts)
        return
    if look.astray:
        yield Finding("ill", "hall_astray", facts)
    else:
        yield Finding("well", "hall_routed", {**facts, "n": look.processes})
    apart = look.apart_ms > CLOCKS_APART_MS
    yield Finding(
        "ill" if apart else "well", "hall_clocks" if apart else "hall_clocks_agree", {"n": look.apart_ms // 1000}
    )


def _played_since(folder: Path, since: int) -> int:
    """How many tables have had a step since a moment."""
    with suppress(Refusal):
        return sum((each.played_at or 0) >= since for each in Hall(folder, reading=True).tables())
    return 0


def _python() -> Finding:
    version = sys.version.split()[0]
    return Finding("well" if sys.version_info >= (3, 11) else "ill", "python", {"version": version})


def _disk(folder: Path, language: str, card: DataCard) -> Iterator[Finding]:
    if not os.path.exists(folder / FILE):
        yield _before_the_first_table(folder)
        yield from _card(card)
        return
    try:
        journal = SqliteJournal(folder)
        journal.writable()
        journal.close()
        yield Finding("well", "data", {"folder": str(folder)})
        if journal.copied_alone:
            yield Finding("ill", "copied_alone", {"folder": str(folder)})
    except Refusal as refusal:
        in_use = refusal.key == "core.folder_in_use"
        key = "data_in_use" if in_use else "data_ill"
        yield Finding("note" if in_use else "ill", key, {"reason": AsTyped(refusal.said(language))})
    yield from _card(card)


def _before_the_first_table(folder: Path) -> Finding:
    """Whether tables could be kept there; nothing is made to find out."""
    made = next(each for each in (folder, *folder.absolute().parents) if os.path.exists(each))
    if made.is_dir() and os.access(made, os.W_OK | os.X_OK):
        return Finding("note", "data_new", {"folder": str(folder)})
    return Finding("ill", "data_closed", {"folder": str(folder)})


def _card(card: DataCard) -> Iterator[Finding]:
    """Room, and whether the card holds."""
    room = card.free // 1_000_000
    yield Finding("well", "room", {"n": room}) if card.free > ROOM else Finding("ill", "room_ill", {"n": room})
    if card.read_only:
        yield Finding("ill", "card_read_only", {})
    if card.errors:
        yield Finding("ill", "card_errors", {"n": card.errors})
    if card.worn is not None and card.worn >= WORN:
        yield Finding("ill", "card_worn", {})


def _database(opens: Opens, folder: Path, language: str, within: float) -> Iterator[Finding]:
    """Whether it answers and takes steps, and the tables in it; copies of it are its own affair."""
    try:
        journal = opens()
        journal.writable()
    except Refusal as refusal:
        yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
        return
    yield Finding("well", "database", {})
    yield from _tables(lambda: Hall(folder, reading=True, journal=journal), language, within)
    yield Finding("note", "backups_elsewhere", {})


def _tables(
    opened: Callable[[], Hall], language: str, within: float, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """Reads what is kept, and plays tables again, the newest in play first, as far as one waits for it."""
    try:
        hall = opened()
        kept = hall.tables()
    except Missing:
        return
    except Refusal as refusal:
        yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
        return
    ill, all_read = 0, True
    try:
        all_read = hall.journal.sound(within)
    except Refusal as refusal:
        ill += 1
        yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
    for name in hall.journal.damaged:
        ill += 1
        yield Finding("ill", "table_lost", {"table": AsTyped(name)})
    ends, played = clock() + within, 0
    for table in sorted(kept, key=lambda each: (each.over, -each.played_at)):
        if clock() > ends:
            break
        played += 1
        try:
            hall.table(table.table)
        except Refusal as refusal:
            ill += 1
            yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
    if kept and not ill:
        whole = all_read and played == len(kept)
        key = "tables" if whole else "tables_some"
        yield Finding("well" if whole else "note", key, {"n": len(kept), "played": played})


def _backups(folder: Path) -> Iterator[Finding]:
    """When the newest backup was made; nothing where there is nothing to keep."""
    if not (folder / FILE).exists():
        return
    found = made(folder / FOLDER)
    if found:
        yield Finding("well", "backup", {"n": len(found), "file": AsTyped(found[-1])})
        for table in left_out(found[-1]):
            yield Finding("note", "left_out", {"table": AsTyped(table)})
    else:
        yield Finding("note", "no_backup", {})


def _small_files(folder: Path) -> Iterator[Finding]:
    """Files beside the tables that a disk has changed."""
    for file in SmallFiles(folder).damaged():
        yield Finding("ill", "file_damaged", {"file": AsTyped(file)})


def _boxes(folder: Path) -> Iterator[Finding]:
    for name in games.names():
        own = os.path.exists(folder / "boxes" / f"{name}.toml")
        try:
            box = games.box(name, overrides=folder / "boxes")
        except BoxProblem as wrong:
            yield Finding("ill", "box_ill", {"reason": str(wrong)})
        else:
            yield Finding("well", "box_own" if own else "box", {"box": box.title})


def _ports(boards: Mapping[str, bool]) -> Iterator[Finding]:
    if not boards:
        yield Finding("note", "no_ports", {})
    for port, usable in boards.items():
        yield Finding("well" if usable else "ill", "port" if usable else "port_ill", {"port": port, "user": _user()})


def _pins(chips: Mapping[str, bool]) -> Finding:
    """Of several chips the first stands for all."""
    chip = next(iter(chips), None)
    if chip is None:
        return Finding("note", "no_pins", {})
    if chips[chip]:
        return Finding("well", "pins", {"chip": chip})
    return Finding("ill", "pins_ill", {"chip": chip, "user": _user()})


def _user() -> AsTyped:
    """Who looks: by the package's command that is the service's user, whoever has typed it."""
    with suppress(KeyError):
        return AsTyped(pwd.getpwuid(os.geteuid()).pw_name)
    return AsTyped(os.geteuid())
