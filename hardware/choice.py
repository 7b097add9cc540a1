"""What stands beside the table is chosen once, by a person, and kept with the tables. Nothing is taken by guess."""

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from hardware.faults import RigProblem
from hardware.protocol_found import OWN_NAME
from hardware.rig import OWN_FILE, boards, is_pi, read_rig
from hardware.rig_file import parse_rig

FORMER = "rig-before.toml"


class Offer(NamedTuple):
    """One rig that may be chosen; *port* is that of a board which is plugged in."""

    name: str
    port: str | None = None


class Kept(NamedTuple):
    """Where a choice is kept, and where the one before it."""

    file: Path
    former: Path | None


def ports() -> tuple[str, ...]:
    """Where a board might be: the name a udev rule gave it, else whatever is plugged in."""
    return (OWN_NAME,) if os.path.exists(OWN_NAME) else tuple(boards())


def offers() -> tuple[Offer, ...]:
    """What may be chosen on this machine; a Pi's pins only on a Pi."""
    on_pins = (Offer("gpio"),) if is_pi() else ()
    return Offer("none"), Offer("sim"), *(Offer("nano", port) for port in ports()), *on_pins


def chosen(data: Path) -> Path | None:
    """The rig file that was chosen; ``None`` before anybody has."""
    file = data / OWN_FILE
    return file if os.path.exists(file) else None


def keep(data: Path, name_or_path: str, port: str | None = None) -> Kept:
    """
    Keep a preset or a file as the data folder's own rig file.

    :param port: where the board is, for a rig on a serial port
    :raises RigProblem: when it could not be opened like this
    """
    sheet = read_rig(name_or_path)
    text = sheet.text if port is None else _at_port(sheet.text, port, name_or_path)
    parse_rig(text, name_or_path)
    file = data / OWN_FILE
    former = _put_by(file, text)
    data.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".new")
    half.write_text(text, encoding="utf-8")
    os.replace(half, file)
    return Kept(file, former)


def _at_port(text: str, port: str, name: str) -> str:
    placed, count = re.subn(r"(?m)^port = .*$", lambda _: f"port = {json.dumps(port)}", text, count=1)
    if not count:
        raise RigProblem(name, None, "has no line that begins with port =, to write the port there")
    return placed


def _put_by(file: Path, text: str) -> Path | None:
    """Somebody may have written the former file by hand: it stays."""
    try:
        if file.read_text(encoding="utf-8") == text:
            return None
    except FileNotFoundError:
        return None
    former = file.with_name(FORMER)
    os.replace(file, former)
    return former
