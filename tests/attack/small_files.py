"""One bit turns in a small file: at the next start all is as it was, or somebody is told; no table is touched."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.boxes import owners
from companion.game import Seat
from companion.play import replacing, restoring
from companion.play.backups import FOLDER, back_up
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.small_files import NOTES, SmallFiles
from companion.terminal.doctor import findings
from hardware import choice
from hardware.calibration import Calibration, CalibrationFile
from tests.attack.flips import lay
from tests.core.test_hall import Found
from web_ui import broker, serve
from web_ui.copies import token_in
from web_ui.groups import Groups
from web_ui.house import keep_house
from web_ui.owner import Owner

SENSOR = "a sensor"
BEFORE, LATER = 1_800_000_000.0, 1_800_003_600.0


class Folder(NamedTuple):
    """A data folder with all its small files, and what a start makes of it."""

    folder: Path
    known: dict[str, Any]


def _settled(folder: Path) -> None:
    """Nothing is under way."""


def _wished_back(folder: Path) -> None:
    """A backup is to be put back at the next start."""
    file, _ = back_up(folder, now=BEFORE)
    _one_more(folder)
    restoring.wish_back(folder, file.stem)


def _half_replaced(folder: Path) -> None:
    """The plug was pulled while a backup came in the place of the tables."""
    file, _ = back_up(folder, now=BEFORE)
    _one_more(folder)

    class PluggedOut(BaseException):
        pass

    def cut(_: Path) -> None:
        raise PluggedOut

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(replacing, "go_on", cut)
        with pytest.raises(PluggedOut):
            restoring.restore(file, folder, now=LATER)


def _one_more(folder: Path) -> None:
    hall = Hall(folder)
    lay(hall)
    hall.close()


STATES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "house.json": ("house.json", _settled),
    "owner.json": ("owner.json", _settled),
    "groups.json": ("groups.json", _settled),
    "rig.toml": ("rig.toml", _settled),
    "calibration.json": ("calibration.json", _settled),
    "mqtt.toml": ("mqtt.toml", _settled),
    "hub_token": ("hub_token", _settled),
    "a box": ("boxes/horus.toml", _settled),
    "what is noted of these": (NOTES, _settled),
    "heads": (HEADS, _settled),
    "a wish": (f"{FOLDER}/{restoring.WISH}", _wished_back),
    "a marker": (replacing.MARKER, _half_replaced),
}
"""Small files, and in which state of the folder."""


def made(place: Path, name: str) -> Folder:
    """A data folder with all small files, one of them in the state that it is for."""
    folder = place / name
    hall = Hall(folder)
    lay(hall)
    hall.close()
    keep_house(folder, hub="http://hub.lan")
    Owner(folder).choose(guests_lay=False)
    Groups(folder).note([Seat("Ada", "red"), Seat("Ben", "blue")])
    choice.save_choice(folder, "sim")
    CalibrationFile(folder / "calibration.json", SENSOR).save(Calibration(ambient=0.2, open=1.5, sealed=12.0))
    broker.keep(folder, broker.Broker.of("mqtt://broker.lan", user="ada", password="amenemhet"))
    token_in(folder)
    owners.write_figures(folder / "boxes", "horus", {"level.steps.3.up_to": 8})
    STATES[name][1](folder)
    SmallFiles(folder).remember()
    return Folder(folder, started(copied(folder, place / f"{name} whole")))


def copied(folder: Path, to: Path) -> Path:
    """A copy whose files are as old as these."""
    return Path(shutil.copytree(folder, to, copy_function=shutil.copy2))


def started(folder: Path) -> dict[str, Any]:
    """What a start makes of a folder."""
    with ExitStack() as undo, redirect_stderr(StringIO()):
        hall, rig = serve._opened(undo, folder, None, None)
        tables = [hall.table(each.table) for each in hall.tables()]
        named = broker.kept(folder)
        return {
            "tables": {table.id: (table.seq, table.keys, table.dealer.secret) for table in tables},
            "house": keep_house(folder),
            "owner": Owner(folder).house,
            "groups": Groups(folder).all(),
            "rig": (type(rig).__name__, (folder / "rig.toml").read_text()),
            "calibration": CalibrationFile(folder / "calibration.json", SENSOR).load(),
            "broker": named,
            "token": token_in(folder),
            "box": hall.box("horus").digest,
            "aside": len([*folder.glob("*/replaced-*[0-9]/*.sqlite")]),
        }


def flip(there: Folder, name: str, count: int, place: Path, luck: random.Random) -> int:
    """Turn so many bits of a file, each in a copy of its own; how many were found. All of them are harmless."""
    found, file = 0, STATES[name][0]
    for n in range(count):
        copy = copied(there.folder, place / f"{name} {n}")
        told, content = (copy / file).stat(), bytearray((copy / file).read_bytes())
        bit = luck.randrange(8 * len(content))
        content[bit // 8] ^= 1 << bit % 8
        (copy / file).write_bytes(content)
        os.utime(copy / file, ns=(told.st_atime_ns, told.st_mtime_ns))  # a disk that fails tells no other time
        doctor_says = [each for each in findings(copy, None, Found()) if each.key == "file_damaged"] if n < 2 else None
        try:
            now = started(copy)
        except BaseException as wrong:
            raise AssertionError(f"bit {bit} of {file} stops the start: {wrong}") from wrong
        other = {key for key in now if now[key] != there.known[key]}
        assert not other, f"{other} are not what they were, bit {bit} of {file}"
        aside = [*(copy / file).parent.glob("*.damaged-*")]
        assert doctor_says is None or len(doctor_says) == len(aside)
        found += bool(aside)
        shutil.rmtree(copy)
    return found
