"""Looks at everything Digside needs on this machine, and says what is not well and what to do about it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from companion import games
from companion.boxes import BoxProblem
from companion.play.hall import Hall
from companion.play.journal import SqliteJournal
from companion.refusals import AsTyped, Fact, Missing, Refusal
from companion.words import say

ROOM = 200 * 1024 * 1024
MARKS = {"well": "✓", "note": "·", "ill": "✗"}


class Finding(NamedTuple):
    """One thing that was looked at."""

    state: Literal["well", "note", "ill"]
    key: str
    facts: dict[str, Fact]


class Hardware(Protocol):
    """All that is known here of hardware: where it is found, and what is wrong with it."""

    def boards(self) -> Mapping[str, bool]:
        """The serial ports of boards that are plugged in, and whether each may be opened."""

    def pins(self) -> Mapping[str, bool]:
        """The chips whose pins this machine has, and whether each may be opened."""

    def is_chosen(self, data: Path, /) -> bool:
        """Whether somebody has chosen what stands beside the tables of a folder."""

    def look_at_rig(self, name_or_path: str | None, data: Path, /) -> str | None:
        """Open the rig for a moment, and say what is wrong with it, if anything."""


def examine(folder: Path, rig: str | None, language: str, hardware: Hardware) -> int:
    """Print every finding; 1 if something is ill."""
    ill = False
    for finding in findings(folder, rig, hardware, language):
        ill = ill or finding.state == "ill"
        print(MARKS[finding.state], say(language, f"doctor.{finding.key}", finding.facts))
    return int(ill)


def findings(folder: Path, rig: str | None, hardware: Hardware, language: str = "en") -> Iterator[Finding]:
    """What is well and what is not, the ground first."""
    yield _python()
    yield from _disk(folder, language)
    yield from _tables(folder, language)
    yield from _boxes(folder)
    yield from _ports(hardware.boards())
    yield _pins(hardware.pins())
    yield _rig(folder, rig, hardware)


def _rig(folder: Path, rig: str | None, hardware: Hardware) -> Finding:
    """The rig that was named, else the one that was chosen."""
    if rig is None and not hardware.is_chosen(folder):
        return Finding("note", "rig_not_chosen", {})
    wrong = hardware.look_at_rig(rig, folder)
    if wrong:
        return Finding("ill", "rig_ill", {"reason": wrong})
    return Finding("well", "rig", {"rig": rig}) if rig else Finding("well", "rig_found", {})


def _python() -> Finding:
    version = sys.version.split()[0]
    return Finding("well" if sys.version_info >= (3, 11) else "ill", "python", {"version": version})


def _disk(folder: Path, language: str) -> Iterator[Finding]:
    try:
        journal = SqliteJournal(folder)
        journal.writable()
        journal.close()
        yield Finding("well", "data", {"folder": str(folder)})
    except Refusal as refusal:
        in_use = refusal.key == "core.folder_in_use"
        yield Finding("note" if in_use else "ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    room = shutil.disk_usage(place).free
    yield (
        Finding("well", "room", {"n": room // 1_000_000})
        if room > ROOM
        else Finding("ill", "room_ill", {"n": room // 1_000_000})
    )


def _tables(folder: Path, language: str) -> Iterator[Finding]:
    """Reads all that is kept, and plays again every table that somebody may want to go on with."""
    try:
        hall = Hall(folder, reading=True)
        hall.journal.sound()
        kept = hall.tables()
    except Missing:
        return
    except Refusal as refusal:
        yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
        return
    ill = 0
    for table in kept:
        try:
            hall.table(table.table)
        except Refusal as refusal:
            ill += 1
            yield Finding("ill", "data_ill", {"reason": AsTyped(refusal.said(language))})
    if kept and not ill:
        yield Finding("well", "tables", {"n": len(kept)})


def _boxes(folder: Path) -> Iterator[Finding]:
    for name in games.names():
        own = (folder / "boxes" / f"{name}.toml").exists()
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
        yield Finding("well" if usable else "ill", "port" if usable else "port_ill", {"port": port})


def _pins(chips: Mapping[str, bool]) -> Finding:
    """Of several chips the first stands for all."""
    chip = next(iter(chips), None)
    if chip is None:
        return Finding("note", "no_pins", {})
    return Finding("well", "pins", {"chip": chip}) if chips[chip] else Finding("ill", "pins_ill", {"chip": chip})
