"""A machine dies at each call of a restore, or either of two at each call of a move, in turn.

`LD_PRELOAD=disk.so python -m tests.world.crashes restore nothing 1 1` for each call from the first on.
"""

from __future__ import annotations

import io
import logging
import os
import shutil
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from companion.play import backups, restoring
from companion.play.backups import back_up, checked
from companion.play.entries import JournalLine
from companion.play.folder import FILE
from companion.play.heads import NAME as HEADS
from companion.play.sqlite_journal import FORMAT, SqliteJournal
from companion.refusals import Refusal
from companion.whole_file import write_whole
from tests.core.test_hall import FORMAT_1
from tests.world.disk import EACH, Harm, Survives
from tests.world.history import Guest, World, draw_from, was_restored
from tests.world.machines import Machine
from web_ui import others
from web_ui.copies import token_in
from web_ui.house import keep_house
from web_ui.owner import Owner

FOLDERS = Path("/dev/shm")
CHOICES = ("rig.toml", "boxes/own.toml")
Restore = Literal["by hand", "once more", "as wished"]


def restored(world: World, dies_at: int, survives: Survives, *, how: Restore = "by hand") -> bool:
    """One restore that dies at a call, and the start after that: all is as before, or all as in the backup.

    :param how: by hand; once more, right after another and over a file without heads; or at the start after a kill.
    :returns: whether it came as far as that call.
    """
    machine, other = world.pis
    for each in world.pis:
        each.start()
    while len(world.guests) < 2:
        world.lay_at(machine)
    for guest in world.guests:
        world.pressed(guest)
    world.clock.now += 1000
    machine.stop()
    restoring.restore(back_up(machine.folder, now=world.clock.now / 1000)[0], machine.folder, now=0)
    machine.start()  # what is left of one that was finished is no part of the next
    world.clock.now += 1000
    file, _ = back_up(machine.folder, now=world.clock.now / 1000)
    known = world.kept[machine.name, file.name] = {guest.name: [*guest.safe] for guest in world.guests}
    for guest in world.guests:
        for _ in range(3):
            world.pressed(guest)
    moves = world.guests.pop()
    known.pop(moves.name)
    _move(moves, machine, other)
    world.lay_at(machine)
    world.pressed(world.guests[-1])
    before = {guest.name: [*guest.safe] for guest in world.guests}
    if how == "as wished":
        machine.cut(world.luck, "all")
        restoring.wish_back(machine.folder, file.stem)
    else:
        machine.stop()
    file = machine.folder / backups.FOLDER / file.name
    if how == "once more":
        restoring.restore(file, machine.folder, now=world.clock.now / 1000)
        (machine.folder / HEADS).unlink()
    newest = _newest(machine.folder)
    world.clock.now += 1000
    world.say(f"{survives} is left of a restore {how} that dies at {dies_at}")
    world.disks.watch(machine.folder, Harm(dies_at=dies_at))
    with suppress(Refusal):
        _put_back(world, machine, None if how == "as wished" else file)
    died = world.disks.is_dead(machine.folder)
    world.disks.watch(machine.folder, Harm())
    machine.cut(world.luck, survives)
    refused = machine.start()
    world.must(refused is None, f"it starts: {refused}")
    guests = [*world.guests]
    world.all_or_nothing(machine, known, before, already=set())
    world.look_at(machine)
    world.must(not world.is_open(machine, moves.name), f"{moves.name} has left")
    world.must(how != "as wished" or world.guests != guests, "what was wished for was put back")
    _is_kept(world, machine, newest)
    for guest in world.guests:
        world.must(any(world.pressed(guest) for _ in range(3)), f"{guest.name} can be played at")
    world.must((machine.folder / backups.FOLDER / file.name).exists(), "the backup is there")
    return died


def _put_back(world: World, machine: Machine, file: Path | None) -> None:
    """Put a backup back, or the one that was wished for."""
    if file is None:
        restoring.put_back_as_wished(machine.folder, now=world.clock.now / 1000)
    else:
        restoring.restore(file, machine.folder, now=world.clock.now / 1000)


def _newest(folder: Path) -> dict[str, JournalLine]:
    """The newest entry of each table in a data folder."""
    with closing(SqliteJournal(folder, reading=True)) as journal:
        tables = [each.brief.table for each in journal.summaries()]
        return {table: lines[-1] for table in tables if (lines := journal.entries(table))}


def _is_kept(world: World, machine: Machine, newest: dict[str, JournalLine]) -> None:
    """What was there before a restore is still there, or in a folder beside the backups, in one file."""
    assert machine.hall is not None
    kept = [{table: machine.hall.journal.entries(table) for table in newest if machine.hall.journal.knows(table)}]
    for aside in (machine.folder / backups.FOLDER).glob("replaced-*"):
        world.must(not (aside / f"{FILE}-wal").exists(), f"{aside.name} has all in one file")
        with suppress(Refusal), closing(SqliteJournal(aside, reading=True)) as journal:
            kept.append({table: journal.entries(table) for table in newest if journal.knows(table)})
    world.must(
        any(all(line in there.get(table, ()) for table, line in newest.items()) for there in kept),
        "what was there before is kept",
    )


def restored_over_damage(world: World, dies_at: int, survives: Survives) -> bool:
    """One restore in the place of tables that cannot be read, with their log; where it has not happened, once more."""
    machine = world.pis[0]
    machine.start()
    world.lay_at(machine)
    (guest,) = world.guests
    world.pressed(guest)
    file, _ = back_up(machine.folder, now=world.clock.now / 1000)
    known = [*guest.safe]
    with closing(sqlite3.connect(machine.folder / FILE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # then the log has only what is made from now on
    world.pressed(guest)
    name = file.relative_to(machine.folder)
    machine.cut(world.luck, "all")
    with (machine.folder / FILE).open("r+b") as damaged:
        damaged.write(b"nothing")
        damaged.flush()
        os.fsync(damaged.fileno())
    world.disks.watch(machine.folder, Harm(dies_at=dies_at))
    with suppress(Refusal):
        restoring.restore(machine.folder / name, machine.folder, now=world.clock.now / 1000)
    died = world.disks.is_dead(machine.folder)
    world.disks.watch(machine.folder, Harm())
    machine.cut(world.luck, survives)
    if machine.start() is not None:
        restoring.restore(machine.folder / name, machine.folder, now=world.clock.now / 1000)
        refused = machine.start()
        world.must(refused is None, f"it starts: {refused}")
    guest.safe, guest.waits = known, None
    world.look_at(machine)
    assert machine.hall is not None
    world.must(was_restored(machine.hall.table(guest.name), known), "all is as in the backup, and nothing of the log")
    world.must(any(world.pressed(guest) for _ in range(3)), f"{guest.name} can be played at")
    return died


def begun(world: World, dies_at: int, survives: Survives) -> bool:
    """The first start of a machine, and another key for its owner: what it has once said of itself stays so."""
    machine, said = world.pis[0], dict[str, str]()
    changing = ""
    machine.folder.mkdir()
    world.disks.watch(machine.folder, Harm(dies_at=dies_at))
    whats: dict[str, Callable[[Path], str]] = {
        "owner": lambda folder: Owner(folder).key,
        "house": lambda folder: keep_house(folder).id,
        "token": token_in,
    }
    with suppress(Refusal, OSError):
        machine.start()
        for what, told in whats.items():
            is_now = told(machine.folder)
            if not machine.is_dead:
                said[what] = is_now
        changing = said.pop("owner", "")
        owner = Owner(machine.folder)
        owner.change_key()
        if not machine.is_dead:
            changing, said["owner"] = "", owner.key
    died = machine.is_dead
    world.disks.watch(machine.folder, Harm())
    machine.cut(world.luck, survives)
    refused = machine.start()
    world.must(refused is None, f"it starts: {refused}")
    for what, was in said.items():
        world.must(whats[what](machine.folder) == was, f"the {what} is what was said")
    if changing:
        kept = Owner(machine.folder)
        world.must(kept.damaged is None and kept.key, "the key is whole, the one before or the other")
    return died


def brought_back(world: World, dies_at: int, survives: Survives) -> bool:
    """A backup with the choices of another machine, brought and put back: all of it goes together."""
    machine = world.pis[0]
    machine.start()
    world.lay_at(machine)
    (guest,) = world.guests
    world.pressed(guest)
    file, _ = back_up(machine.folder, now=world.clock.now / 1000)
    known = [*guest.safe]
    world.pressed(guest)
    write_whole(machine.folder / "rig.toml", b"# before\n")
    machine.stop()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(file, FILE)
        for name in CHOICES:
            archive.writestr(name, b"# of another\n")
    now = world.clock.now / 1000 + 1
    world.disks.watch(machine.folder, Harm(dies_at=dies_at))
    with suppress(Refusal, OSError):
        backups.bring(machine.folder, 0, packed.getvalue())
        backups.take_in(machine.folder, now=now)
        (name,) = (each.name for each in backups.list_backups(machine.folder) if each.brought)
        restoring.wish_back(machine.folder, name)
        restoring.put_back_as_wished(machine.folder, now=now)
    died = world.disks.is_dead(machine.folder)
    world.disks.watch(machine.folder, Harm())
    machine.cut(world.luck, survives)
    refused = machine.start()
    world.must(refused is None, f"it starts: {refused}")
    for brought in (each.name for each in backups.list_backups(machine.folder) if each.brought):
        world.must(checked(backups.named(machine.folder, brought)) == 1, f"{brought} is whole")
        folder = backups.named(machine.folder, brought).parent
        world.must(all(_is_of_another(folder / choice) for choice in CHOICES), f"{brought} has all choices")
    wish = restoring.wished_back(machine.folder)
    if wish is None:
        world.must((machine.folder / "rig.toml").read_bytes() == b"# before\n", "nothing else is chosen before")
    else:
        world.must(wish.tables == 1, f"what was wished for was put back: {wish}")
        world.must(all(_is_of_another(machine.folder / choice) for choice in CHOICES), "the choices go with the tables")
        (aside,) = (machine.folder / backups.FOLDER).glob("replaced-*")
        world.must((aside / "rig.toml").read_bytes() == b"# before\n", "what was chosen before is kept")
        assert machine.hall is not None
        world.must(was_restored(machine.hall.table(guest.name), known), "all is as in the backup")
        guest.safe, guest.waits = known, None
    world.look_at(machine)
    return died


def _is_of_another(choice: Path) -> bool:
    return choice.exists() and choice.read_bytes() == b"# of another\n"


def brought_up(world: World, dies_at: int, survives: Survives) -> bool:
    """The first start with tables of an older format: where they are of the new one, the copy from before is whole."""
    machine = world.pis[0]
    machine.start()
    world.lay_at(machine)
    (guest,) = world.guests
    world.pressed(guest)
    machine.stop()
    with closing(sqlite3.connect(machine.folder / FILE)) as db:
        db.executescript(FORMAT_1)
        (written,) = db.execute("SELECT laid FROM tables").fetchone()
        laid = {key: each for key, each in msgspec.json.decode(written).items() if key not in {"chain", "luck"}}
        db.execute("UPDATE tables SET laid = ?", (msgspec.json.encode(laid),))
        db.commit()
        # Not closed before: its log stays, as after a kill; SQLite syncs the folder when it begins a new one.
        world.disks.watch(machine.folder, Harm(dies_at=dies_at))
        machine.start()
        died = machine.is_dead
        world.disks.watch(machine.folder, Harm())
        machine.cut(world.luck, survives)
    with closing(sqlite3.connect(f"file:{machine.folder / FILE}?mode=ro", uri=True)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == FORMAT:
        copy = machine.folder / f"{FILE}.before-format-{FORMAT}"
        world.must(copy.exists() and checked(copy) == 1, "the copy from before is whole")
    refused = machine.start()
    world.must(refused is None, f"it starts: {refused}")
    world.look_at(machine)
    return died


def moved(world: World, dies_at: int, survives: Survives, *, whose: int) -> bool:
    """One move in which a machine dies at a call, and what its owner can do after that: the table is open in one place.

    :param whose: 0 for the machine that it leaves, 1 for that to which it goes.
    :returns: whether it came as far as that call.
    """
    source, target = world.pis
    for machine in world.pis:
        machine.start()
        world.known[machine.name, "house"] = machine.service.mover.house
    world.lay_at(source)
    (guest,) = world.guests
    for _ in range(3):
        world.pressed(guest)
    victim = world.pis[whose]
    world.say(f"{survives} is left of {victim.name}, which dies at {dies_at} of a move from one to two")
    world.disks.watch(victim.folder, Harm(dies_at=dies_at))
    _move(guest, source, target)
    died = world.disks.is_dead(victim.folder)
    world.disks.watch(victim.folder, Harm())
    world.one_place(guest)
    victim.cut(world.luck, survives)
    world.starts(victim)
    for kept in world.network.heard:  # whatever was sent comes once more
        world.network.deliver(kept)
        world.one_place(guest)
    _has_come_to_rest(world, guest)
    here, there = (guest.at, source if guest.at is target else target)
    _move(guest, here, there)
    world.must(world.is_open(there, guest.name), f"{guest.name} goes on to {there.name}")
    _has_come_to_rest(world, guest)
    return died


def _move(guest: Guest, source: Machine, target: Machine) -> None:
    with suppress(Refusal, OSError):
        source.service.mover.move(guest.name, target.address, target.service.owner.key, "en")


def _has_come_to_rest(world: World, guest: Guest) -> None:
    """Its owner asks for it where it left; then it is open in one place, and has all that was acknowledged."""
    world.comes_to_rest(guest)
    open_at = [pi for pi in world.pis if world.is_open(pi, guest.name)]
    world.must(len(open_at) == 1, f"{guest.name} is open at {[pi.name for pi in open_at]}")
    (guest.at,) = open_at
    assert guest.at.hall is not None
    world.has_all(guest.at.hall.table(guest.name), guest)
    world.must(any(world.pressed(guest) for _ in range(3)), f"{guest.name} can be played at")


KINDS: dict[str, Callable[[World, int, Survives], bool]] = {
    "restore": restored,
    "restore once more": partial(restored, how="once more"),
    "restore as wished": partial(restored, how="as wished"),
    "restore over damage": restored_over_damage,
    "bring and restore": brought_back,
    "first start": begun,
    "new format": brought_up,
    "move from": partial(moved, whose=0),
    "move to": partial(moved, whose=1),
}
"""What a machine dies in."""


def once(kind: str, root: Path, dies_at: int, survives: Survives, loses: int = 0) -> tuple[bool, int]:
    """In a world of its own: whether it came as far as that call, and how many there were of which one may be lost."""
    world = World(root, dies_at)
    world.disks.loses = loses
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(others, "opened", world.network.open)
        draw_from(world.luck, patched)
        try:
            died = KINDS[kind](world, dies_at, survives)
            return died, world.disks.unsynced
        finally:
            world.close()
            world.disks.close()


def main(kind: str, survives: Survives, first: int, every: int) -> None:
    """One call of so many from the first on; prints how many times a machine died."""
    logging.disable(logging.CRITICAL)
    dies_at, loses, times, more = first, 0, 0, True
    while more:
        root = Path(tempfile.mkdtemp(prefix="crash", dir=FOLDERS if FOLDERS.is_dir() else None))
        try:
            more, unsynced = once(kind, root, dies_at, survives, loses)
        finally:
            shutil.rmtree(root, ignore_errors=True)  # a thread of a machine that died may still write
        times += more
        loses += 1
        if loses >= unsynced:
            dies_at, loses = dies_at + every, 0
    print(times)


if __name__ == "__main__":
    main(sys.argv[1], next(each for each in EACH if each == sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
