"""Looks at everything Digside needs on this machine, and says what is not well and what to do about it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import Literal, NamedTuple

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


def examine(folder: Path, rig: str | None, language: str, look_at_rig: Callable[[str | None, Path], str | None]) -> int:
    """Print every finding; 1 if something is ill.

    :param look_at_rig: opens the rig and says what is wrong with it, if anything (the hardware's own business).
    """
    ill = False
    for finding in findings(folder, rig, look_at_rig, language):
        ill = ill or finding.state == "ill"
        print(MARKS[finding.state], say(language, f"doctor.{finding.key}", finding.facts))
    return int(ill)


def findings(
    folder: Path, rig: str | None, look_at_rig: Callable[[str | None, Path], str | None], language: str = "en"
) -> Iterator[Finding]:
    """What is well and what is not, the ground first."""
    yield _python()
    yield from _disk(folder, language)
    yield from _tables(folder, language)
    yield from _boxes(folder)
    yield from _ports()
    yield from _pins()
    wrong = look_at_rig(rig, folder)
    if wrong:
        yield Finding("ill", "rig_ill", {"reason": wrong})
    else:
        yield Finding("well", "rig", {"rig": rig}) if rig else Finding("well", "rig_found", {})


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


def _ports() -> Iterator[Finding]:
    found = sorted(glob("/dev/serial/by-id/*"))
    if not found:
        yield Finding("note", "no_ports", {})
    for port in found:
        usable = os.access(port, os.R_OK | os.W_OK)
        yield Finding("well" if usable else "ill", "port" if usable else "port_ill", {"port": port})


def _pins() -> Iterator[Finding]:
    chips = sorted(glob("/dev/gpiochip*"))
    if not chips:
        yield Finding("note", "no_pins", {})
    elif not os.access(chips[0], os.R_OK | os.W_OK):
        yield Finding("ill", "pins_ill", {"chip": chips[0]})
    else:
        yield Finding("well", "pins", {"chip": chips[0]})
