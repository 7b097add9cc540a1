"""What stands beside the table is chosen once, by a person, and kept with the tables. Nothing is taken by guess."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.ports import is_no_port
from hardware.faults import RigProblem
from hardware.own_file import OWN_FILE
from hardware.protocol_found import OWN_NAME
from hardware.rig import boards, is_pi, read_rig
from hardware.rig_file import parse_rig, with_value
from hardware.whole_file import set_aside, write_whole

FORMER = "rig-before.toml"
PICO = "Digside_board__Pico"


class RigOffer(NamedTuple):
    """One rig that may be chosen; *port* is that of a board which is plugged in."""

    name: str
    port: str | None = None


class SavedChoice(NamedTuple):
    """Where a choice is kept, and where the one before it."""

    file: Path
    former: Path | None


def ports() -> tuple[str, ...]:
    """Where a board might be: the name a udev rule gave it, else whatever is plugged in."""
    return (OWN_NAME,) if os.path.exists(OWN_NAME) else tuple(boards())


def offers() -> tuple[RigOffer, ...]:
    """What may be chosen on this machine; a Pi's pins only on a Pi."""
    on_pins = (RigOffer("gpio"),) if is_pi() else ()
    return RigOffer("none"), RigOffer("sim"), *(RigOffer(_board_at(port), port) for port in ports()), *on_pins


def _board_at(port: str) -> str:
    """Which board is at a port: a Pico says so in its name, and all else may be a Nano."""
    return "pico" if PICO in port else "nano"


def chosen(data: Path) -> Path | None:
    """The rig file that was chosen; ``None`` before anybody has."""
    file = data / OWN_FILE
    return file if os.path.exists(file) else None


def save_choice(data: Path, name_or_path: str, port: str | None = None) -> SavedChoice:
    """
    Keep a preset or a file as the data folder's own rig file.

    :param port: where the board is, for a rig on a serial port
    :raises RigProblem: when it could not be opened like this
    """
    sheet = read_rig(name_or_path)
    text = sheet.text if port is None else _at_port(sheet.text, port, name_or_path)
    board = parse_rig(text, name_or_path).serial
    for named in board.ports if board is not None else ():
        if is_no_port(named):
            raise RigProblem(named, None, "is not a serial port")
    file = data / OWN_FILE
    former = _put_by(file, text)
    write_whole(file, text.encode())
    return SavedChoice(file, former)


def keep_values(data: Path, values: Mapping[str, float]) -> SavedChoice | None:
    """
    Set values in the data folder's own rig file, as what a bench has found out.

    :returns: ``None`` where nobody has chosen a rig
    :raises RigProblem: when it could not be opened like this
    """
    file = data / OWN_FILE
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    for path, value in values.items():
        text = with_value(text, path, value)
    parse_rig(text, str(file))
    former = _put_by(file, text)
    write_whole(file, text.encode())
    return SavedChoice(file, former)


def set_aside_damaged(data: Path) -> Path | None:
    """
    Put a choice aside that no person has written: it is empty, or holds what is no text. What is only wrong stays, and
    stops the start with its line and the reason.

    :returns: where it is now; ``None`` where nothing is damaged
    """
    file = data / OWN_FILE
    try:
        text = file.read_bytes()
        if text.strip() and b"\0" not in text:
            text.decode()
            return None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        pass
    return set_aside(file)


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
