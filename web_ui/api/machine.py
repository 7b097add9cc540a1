"""The calls about the computer Digside runs on: how it is, what ails it, and what its owner may do with it."""

from __future__ import annotations

import io
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from companion import __version__
from companion.play import backups, restoring
from companion.play.backups import SavedBackup
from companion.play.folder import copied
from companion.play.restoring import RestoreMarker
from companion.refusals import Illegal, Malformed, Missing, Storage
from companion.terminal.appliance import UpdateReport, last_update
from companion.terminal.doctor import MARKS, Finding, computer, findings
from companion.words import say
from hardware.machine import MachineState, look_at_machine
from web_ui.api import bodies
from web_ui.api.calls import Asking, CallTable, Reply
from web_ui.broker import Broker, TablesTold, keep
from web_ui.copies import CopiesHere
from web_ui.hub_client import look_at_hub
from web_ui.mqtt import LinkTold

calls = CallTable()
LASTS = "attachment; filename="
WARNS = frozenset({"room_ill", "card_read_only", "card_errors", "card_worn", "power_weak", "hot", "went_back"})
"""What everybody at the table is told, as they are the ones who see it."""


class Notice(msgspec.Struct, frozen=True):
    """Something that ails the computer, in the caller's language."""

    key: str
    message: str


class Notices(msgspec.Struct, frozen=True):
    """What ails the computer; nothing, if all is well."""

    notices: tuple[Notice, ...]


class MachineTold(msgspec.Struct, frozen=True):
    """The computer, as its owner sees it.

    :ivar backups: null where the tables are in a database, which is copied by its own means
    :ivar hub: how it stands with the hub that is sent copies, in a sentence; null where there is none
    :ivar copies: the copies of other Digsides' tables that are kept here; null where this is no hub
    :ivar can: what may be asked of it: to start Digside anew, to start itself anew, to switch itself off
    """

    version: str
    now: int
    address: str
    tables: int
    machine: MachineState
    update: UpdateReport | None
    backups: tuple[SavedBackup, ...] | None
    put_back: RestoreMarker | None
    can: tuple[Literal["restart", "reboot", "off"], ...]
    notices: tuple[Notice, ...]
    mqtt: LinkTold
    hub: str | None
    copies: CopiesHere | None


class Done(msgspec.Struct, frozen=True):
    """It was asked, and will be done in a moment."""

    do: str


class Backups(msgspec.Struct, frozen=True):
    """The backups there are, the newest first."""

    backups: tuple[SavedBackup, ...]


class Piece(bodies.Body, frozen=True):
    """A piece of a file with tables that is brought from elsewhere, in base64; after the last, one that is empty."""

    at: Annotated[int, msgspec.Meta(ge=0, le=backups.LARGEST)]
    piece: bytes


class Here(msgspec.Struct, frozen=True):
    """How many bytes of a file are here; once all are and it is sound, how many tables are in it."""

    bytes: int
    tables: int | None = None


class Chosen(bodies.Body, frozen=True):
    """Which backup."""

    backup: bodies.Key


class Coming(msgspec.Struct, frozen=True):
    """A backup is put back at the next start: whether that is now."""

    put_back: RestoreMarker
    restarting: bool


class PowerRequest(bodies.Body, frozen=True):
    """What the computer is to do."""

    do: Literal["restart", "reboot", "off"]


class Removing(bodies.Body, frozen=True):
    """The tables whose copies are to be removed."""

    remove: Annotated[tuple[bodies.Key, ...], msgspec.Meta(max_length=1000)]


class Brokering(bodies.Body, frozen=True):
    """The broker that is told of the tables; none where the address is empty.

    A password that is left out is the one that is kept; so are the authority's file, and of which tables it is told.
    """

    url: Annotated[str, msgspec.Meta(max_length=300)]
    user: Annotated[str, msgspec.Meta(max_length=200)] = ""
    password: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    ca: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    tables: TablesTold | None = None


@calls.get("/api/notices", gives=Notices)
def show_notices(asking: Asking, _: bodies.Nothing) -> Notices:
    """What ails the computer, and what to do about it: weak power, heat, a card that is full or at its end."""
    return Notices(_notices(asking, look_at_machine(asking.service.hall.folder)))


@calls.get("/api/machine", gives=MachineTold, who="owner")
def show_machine(asking: Asking, _: bodies.Nothing) -> MachineTold:
    """Version, address, room on the card, heat, power, clock, and the last update."""
    service = asking.service
    machine = look_at_machine(service.hall.folder)
    return MachineTold(
        version=__version__,
        now=time.time_ns() // 1_000_000,
        address=service.address or "",
        tables=service.hall.journal.count(),
        machine=machine,
        update=last_update(service.hall.folder),
        backups=None if service.hall.journal.shared else tuple(backups.list_backups(service.hall.folder)),
        put_back=restoring.wished_back(service.hall.folder),
        can=service.power.can,
        notices=_notices(asking, machine),
        mqtt=service.mqtt.status(asking.language),
        hub=service.copier.status(asking.language) if service.copier is not None else None,
        copies=service.copies.here() if service.copies is not None else None,
    )


@calls.post("/api/machine/power", gives=Done, who="owner", refuses=(Illegal, Storage))
def switch(asking: Asking, body: PowerRequest) -> Done:
    """Start Digside anew, or the computer, or switch it off. The shovel lets go before."""
    asking.service.power.do(body.do)
    return Done(body.do)


@calls.post("/api/machine/mqtt", gives=LinkTold, who="owner", refuses=(Illegal, Malformed, Storage))
def choose_broker(asking: Asking, body: Brokering) -> LinkTold:
    """Choose the broker that is told of the tables, as devices that Home Assistant discovers by itself."""
    link, folder = asking.service.mqtt, asking.service.hall.folder
    if link.fixed:
        raise Illegal("web.mqtt_fixed")
    broker = None
    if body.url:
        before = link.broker or Broker("")
        password = before.password if body.password is None else body.password
        ca = before.ca if body.ca is None else body.ca.strip()
        tables = body.tables or before.tables
        broker = Broker.of(body.url, user=body.user, password=password, ca=ca, tables=tables)
    link.use(broker)
    keep(folder, broker)
    return link.status(asking.language)


@calls.post("/api/machine/copies", gives=CopiesHere, who="owner", refuses=(Missing, Illegal, Storage))
def remove_copies(asking: Asking, body: Removing) -> CopiesHere:
    """Remove the copies of tables that were deleted where they were played, for good: what this hub keeps then."""
    copies = asking.service.copies
    if copies is None:
        raise Missing("web.no_hub")
    copies.remove(body.remove)
    return copies.here()


@calls.get(
    "/api/machine/tables.zip", gives=bytes, media="application/zip", who="owner", refuses=(Illegal, Storage), long=True
)
def take_tables(asking: Asking, _: bodies.Nothing) -> Reply:
    """All tables and choices as a file to keep elsewhere; whoever has it can play at every table in it."""
    asking.service.hall.check_on_file()
    folder = asking.service.hall.folder
    with tempfile.TemporaryDirectory() as short:
        copy = Path(short) / "digside.sqlite"
        copied(folder / "digside.sqlite", copy)
        beside = {str(file.relative_to(folder)): file for place in ("*", "boxes/*") for file in folder.glob(place)}
        chosen = {name: file for name, file in beside.items() if backups.CHOICES.fullmatch(name) and file.is_file()}
        files = {"digside.sqlite": copy, **chosen}
        packed = _packed({name: file.read_bytes() for name, file in files.items()})
    return _file(f"digside-{time.strftime('%Y-%m-%d')}.zip", packed)


@calls.post("/api/machine/backups", gives=Backups, who="owner", refuses=(Illegal, Storage), long=True)
def make_backup(asking: Asking, _: bodies.Nothing) -> Backups:
    """Make a backup now, and open every table in it."""
    asking.service.hall.check_on_file()
    backups.back_up(asking.service.hall.folder)
    return Backups(tuple(backups.list_backups(asking.service.hall.folder)))


@calls.get(
    "/api/machine/backups/<backup>", gives=bytes, media="application/zip", who="owner", refuses=(Missing,), long=True
)
def take_backup(asking: Asking, _: bodies.Nothing) -> Reply:
    """A backup as a file; whoever has it can play at every table in it."""
    file = backups.named(asking.service.hall.folder, asking.where["backup"])
    return _file(f"digside-{asking.where['backup']}.zip", _packed({"digside.sqlite": file.read_bytes()}))


@calls.post("/api/machine/bring", gives=Here, who="owner", refuses=(Illegal, Malformed, Missing, Storage), long=True)
def bring_backup(asking: Asking, body: Piece) -> Here:
    """Bring a file with tables, piece by piece; after the last it is looked at whole, and is a backup like others."""
    asking.service.hall.check_on_file()
    folder = asking.service.hall.folder
    if body.piece:
        return Here(backups.bring(folder, body.at, body.piece))
    return Here(body.at, backups.take_in(folder))


@calls.post("/api/machine/put_back", gives=Coming, who="owner", refuses=(Illegal, Missing, Storage), long=True)
def put_back(asking: Asking, body: Chosen) -> Coming:
    """Put a backup in the place of all tables here as Digside starts next: at once, where it starts itself anew."""
    service = asking.service
    service.hall.check_on_file()
    restoring.wish_back(service.hall.folder, body.backup)
    restarts = "restart" in service.power.can
    if restarts:
        service.power.do("restart")
    return Coming(RestoreMarker(body.backup), restarts)


@calls.get("/api/machine/help.zip", gives=bytes, media="application/zip", who="owner", long=True)
def take_help(asking: Asking, _: bodies.Nothing) -> Reply:
    """What whoever helps needs to know: how all is, in words and figures, without a name or a key of anybody."""
    service, folder = asking.service, asking.service.hall.folder
    from hardware import rig  # with all that can stand beside a table: large, and seldom wanted here

    opens = (lambda: service.hall.journal) if service.hall.journal.shared else None
    hub = partial(look_at_hub, opens=opens)
    told = "\n".join(_line(finding) for finding in findings(folder, None, rig, hub=hub, opens=opens))
    state = service.rig.state()
    files = {
        "doctor.txt": f"Digside {__version__}\n{told}\n".encode(),
        "machine.json": msgspec.json.format(msgspec.json.encode(look_at_machine(folder))),
        "rig.json": msgspec.json.format(msgspec.json.encode(state)),
        "metrics.txt": service.metrics.text().encode(),
    }
    return _file("digside-help.zip", _packed(files))


def _line(finding: Finding) -> str:
    return f"{MARKS[finding.state]} {say('en', f'doctor.{finding.key}', finding.facts)}"


def _notices(asking: Asking, machine: MachineState) -> tuple[Notice, ...]:
    found = [each for each in computer(machine, asking.service.hall.folder) if each.key in WARNS]
    return tuple(Notice(each.key, say(asking.language, f"doctor.{each.key}", each.facts)) for each in found)


def _packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def _file(name: str, content: bytes) -> Reply:
    return Reply(content, (("Content-Disposition", f'{LASTS}"{name}"'),))
