"""A history of a few machines, all of it from one seed: people play, and everything goes wrong that can.

Its laws: what was acknowledged is there once and in order; a table is open in one place; its chain and heads fit;
whatever else has become of it is said.
"""

from __future__ import annotations

import base64
import random
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.game import Chance, Seat, Setup
from companion.play import backups, restoring
from companion.play.actors import Bot
from companion.play.backups import back_up, checked, made
from companion.play.bot_seats import BotSeats
from companion.play.entries import JournalLine, Keys, TableRestored
from companion.play.folder import FILE
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.proof import verify
from companion.play.record import export
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST, Table
from companion.refusals import CommitOutcomeUnknown, Elsewhere, Illegal, Missing, Over, Refusal, Stale, Storage
from tests.core.crew import Crew
from tests.core.devices import Device
from tests.world.disk import FAILURES, SURVIVES, Disks, Harm
from tests.world.machines import Clock, Machine, Network
from web_ui import others

MOVES: tuple[dict[str, Any], ...] = (
    {"type": "roll", "count": 2},
    {"type": "block"},
    {"type": "award", "seat": 0, "points": 1},
)
WITH_BOTS = Setup("tutankhamun", "referee", (Seat("Ada", kind="away"), Seat("Ben", kind="away")))
ACTIONS = 34
Known = list[tuple[str, int]]


class Broken(AssertionError):
    """A law was broken."""


class Guest:
    """A table, and whoever plays at it: asks again for what was not acknowledged, and follows it where it goes."""

    def __init__(self, name: str, at: Machine) -> None:
        self.name = name
        self.at = at
        self.safe: Known = []
        self.keys: Keys | None = None
        self.left: Machine | None = None  # from where it was known to have gone for good
        self.waits: tuple[str, int, dict[str, Any]] | None = None
        self.doubts: set[str] = set()
        self.over = False
        self.bots = False  # whether nobody but bots plays there


class Watched(Crew):
    """The bots of a guest's table, on a disk that may fail."""

    def __init__(self, world: World, guest: Guest) -> None:
        super().__init__()
        self.world, self.guest = world, guest

    def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
        """Make a move, and note whether that was acknowledged."""
        disks, guest = self.world.disks, self.guest
        guest.doubts.add(request)
        try:
            made = table.play(actor, seq, request, move)
        except Storage as storage:
            if not isinstance(storage, CommitOutcomeUnknown) and not disks.is_dead(guest.at.folder):
                guest.doubts.discard(request)
            raise
        if not disks.is_dead(guest.at.folder):
            guest.safe.append((request, made))
        return made


class World:
    """Two Pis and a hub."""

    def __init__(self, root: Path, seed: int) -> None:
        self.luck = random.Random(seed)
        self.disks = Disks(root)
        self.clock = Clock()
        self.pis = [Machine(self.disks, name, self.clock) for name in ("one", "two")]
        self.hub = Machine(self.disks, "hub", self.clock, hub=True)
        self.network = Network([*self.pis, self.hub], self.luck)
        self.guests: list[Guest] = []
        self.kept: dict[tuple[str, str], dict[str, Known]] = {}  # by machine and backup, what had been acknowledged
        self.brought: dict[tuple[str, str], int] = {}  # by machine and backup, how many tables came with it
        self.known: dict[tuple[str, str], str] = {}  # by machine, what it is known by to others
        self.told: list[str] = []
        self.presses = 0

    def must(self, holds: object, law: str) -> None:
        """Break off where a law does not hold."""
        if not holds:
            raise Broken(f"{law}\n  " + "\n  ".join(self.told[-12:]))

    def say(self, what: str) -> None:
        self.told.append(what)

    # What happens.

    def live(self) -> None:
        """Let a history happen, and look at the end whether all is there."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(others, "opened", self.network.open)
            draw_from(random.Random(self.luck.random()), patched)
            for machine in (*self.pis, self.hub):
                self.must(machine.start() is None, f"{machine.name} starts")
            for _ in range(2):
                self.lay()
            for _ in range(ACTIONS):
                self.one_thing()
            self.settle()

    def one_thing(self) -> None:
        """Something happens, perhaps on a disk that fails or dies in the middle of it."""
        kinds: dict[Callable[[], None], int] = {
            self.press: 14,
            self.lay: 2,
            self.end: 1,
            self.stir: 1,
            self.back_up: 3,
            self.restore: 3,
            self.move: 6,
            self.copy: 3,
            self.cut: 3,
            self.restart: 2,
            self.comes_late: 2,
            self.set_clock: 1,
            self.bring: 1,
            self.meet: 2,
        }
        what = self.luck.choices([*kinds], [*kinds.values()])[0]
        victim = self.luck.choice([*self.pis, *self.pis, self.hub])
        harm = self.harm()
        self.network.loses = self.luck.choice((0.0, 0.0, 0.2, 0.6))
        self.say(f"{what.__name__}, {victim.name} {harm}, {self.network.loses} lost")
        self.disks.watch(victim.folder, harm)
        what()
        self.disks.watch(victim.folder, Harm())
        if self.disks.is_dead(victim.folder):
            self.say(f"{victim.name} died")
            self.power_cut(victim)

    def harm(self) -> Harm:
        """What is done to a disk meanwhile: mostly nothing."""
        match self.luck.randrange(6):
            case 0 | 1:
                return Harm(dies_at=self.luck.choice((1, 2, 3, 5, 8, 13, 21, 34, 55, 89)) + self.luck.randrange(8))
            case 2:
                first, count = self.luck.randrange(1, 40), self.luck.choice((1, 1, 2, 1000))
                return Harm(first, first + count - 1, self.luck.choice(FAILURES), self.luck.random() < 0.5)
            case _:
                return Harm()

    def power_cut(self, machine: Machine) -> None:
        """A machine loses its power, and starts again; a copy of its disk may be spoilt before."""
        survives = self.luck.choice(SURVIVES)
        machine.cut(self.luck, survives)
        self.say(f"{machine.name} starts with {survives} of what was not synced")
        found = {name: (machine.folder / name).read_bytes() for name in FILES if (machine.folder / name).exists()}
        self.starts(machine)
        if machine is not self.hub and survives == "all":  # as after a kill: then nothing is lost that was noted
            self.spoilt(machine, found, self.flipped)
            self.spoilt(machine, found, self.alone)

    def spoilt(self, machine: Machine, found: dict[str, bytes], spoil: Callable[[Path], str]) -> None:
        """What becomes of a copy of a disk that somebody spoils: a table is as it was, or it is said that it is not."""
        copy = machine.folder.with_name(f"{machine.name} spoilt")
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for name, content in found.items():
            (copy / name).write_bytes(content)
        how = spoil(copy)
        try:
            hall = Hall(copy, clock=self.clock)
        except Storage:
            return
        try:
            listed = {each.table for each in hall.tables()}
            for guest in self.guests:
                if guest.at is machine and self.is_open(machine, guest.name):
                    with suppress(Storage):
                        self.is_whole_or_said(hall, guest, listed, how)
        finally:
            hall.close()

    def flipped(self, copy: Path) -> str:
        """A bit turns."""
        files = [copy / name for name in FILES if (copy / name).exists() and (copy / name).stat().st_size]
        file = self.luck.choice(files)
        content = bytearray(file.read_bytes())
        at, bit = self.luck.randrange(len(content)), self.luck.randrange(8)
        content[at] ^= 1 << bit
        file.write_bytes(content)
        return f"where bit {bit} of byte {at} turned in {file.name}"

    def alone(self, copy: Path) -> str:
        """Somebody copied the tables and not what lies beside."""
        for name in FILES[1:]:
            (copy / name).unlink(missing_ok=True)
        return "where the file alone was copied"

    def is_whole_or_said(self, hall: Hall, guest: Guest, listed: set[str], how: str) -> None:
        """A table has all it had, or whoever looks is told."""
        if isinstance(hall.journal, SqliteJournal) and hall.journal.copied_alone:
            return
        try:
            table = hall.table(guest.name)
        except Missing:
            raise Broken(f"{guest.name} is gone and nobody says so, {how}") from None
        self.must(guest.name in listed, f"{guest.name} is in the list, {how}")
        self.has_all(table, guest, how)

    def starts(self, machine: Machine) -> None:
        """Start a machine whose disk is well; then all is there."""
        refused = machine.start()
        self.must(refused is None, f"{machine.name} starts: {refused}")
        self.look_at(machine)

    @property
    def some_guest(self) -> Guest | None:
        """One that can still be played with."""
        return self.luck.choice(self.guests) if self.guests else None

    def lay(self) -> None:
        """A new table."""
        self.lay_at(self.luck.choice(self.pis))

    def lay_at(self, machine: Machine) -> None:
        """A new table at a machine."""
        if machine.hall is None:
            return
        bots = self.luck.random() < 0.4
        setup = WITH_BOTS if bots else Setup("horus", "toolbox", (Seat("Ada"), Seat("Ben")))
        with suppress(Storage):
            table = machine.hall.lay(setup)
            if not self.disks.is_dead(machine.folder):
                self.guests.append(Guest(table.id, machine))
                self.guests[-1].bots = bots

    def press(self) -> None:
        """Somebody makes some moves, one after the other."""
        guest = self.some_guest
        for _ in range(self.luck.randrange(1, 6)):
            if guest is not None:
                self.pressed(guest)

    def pressed(self, guest: Guest) -> bool:
        """One move, or the last once more: whether it was acknowledged."""
        if guest.over:
            return False
        if guest.bots:
            return self.bot_moved(guest)

        def press(table: Table) -> None:
            if guest.waits is None:
                self.presses += 1
                guest.waits = (f"press {self.presses}", table.seq, self.luck.choice(MOVES))
            request, seq, move = guest.waits
            guest.doubts.add(request)
            made = table.play(HOST, seq, request, move)
            if not self.disks.is_dead(guest.at.folder):
                guest.safe.append((request, made))
                guest.waits = None

        before = len(guest.safe)
        self.at_table(guest, press)
        return len(guest.safe) > before

    def bot_moved(self, guest: Guest) -> bool:
        """A bot moves, which knows nothing of what was before: whether that was acknowledged."""

        def step(table: Table) -> None:
            table.check_here()
            if table.over():
                raise Over("core.over")
            if isinstance(table.ask(), Chance):
                guest.doubts.add(f"bot {table.id} {table.played()} 0")
            BotSeats(table, Watched(self, guest), least_s=0).step()

        before = len(guest.safe)
        self.at_table(guest, step)
        return len(guest.safe) > before

    def at_table(self, guest: Guest, press: Callable[[Table], None]) -> None:
        """Do something at the table of a guest, where it is now, if anybody can get at it."""
        machine = guest.at
        there = next(pi for pi in self.pis if pi is not machine)
        try:
            if machine.hall is not None:
                press(machine.hall.table(guest.name))
        except Stale:
            guest.waits = None  # it was meant for another past
        except Elsewhere:
            guest.at = there
        except Over:
            guest.over = True
        except Missing as missing:
            self.must(there.hall is None or there.hall.journal.knows(guest.name), f"{guest.name} is nowhere: {missing}")
            guest.at = there
        except CommitOutcomeUnknown:
            pass
        except Storage as storage:
            if not self.disks.is_dead(machine.folder) and guest.waits is not None:
                guest.doubts.discard(guest.waits[0])  # it was refused, and has not happened
            self.must(self.is_harmed(machine) or storage.key != "core.table_damaged", f"{guest.name}: {storage}")

    def meet(self) -> None:
        """Others know a machine by what it said of itself: that stays so."""
        for machine in (*self.pis, self.hub):
            if machine.hall is None:
                continue
            try:
                said = {"house": machine.service.mover.house, "owner": machine.service.owner.key}
                if machine.service.copies is not None:
                    said["token"] = machine.service.copies.token
            except (Refusal, OSError):
                continue
            if self.disks.is_dead(machine.folder) or self.is_harmed(machine):
                continue
            for what, is_now in said.items():
                was = self.known.setdefault((machine.name, what), is_now)
                self.must(was == is_now, f"the {what} of {machine.name} was {was}, and is {is_now}")

    def bring(self) -> None:
        """A backup is brought from the other Pi."""
        machine = self.luck.choice(self.pis)
        found = [file for pi in self.pis for file in made(pi.folder / backups.FOLDER, self.clock.now / 1000 + 1e9)]
        if machine.hall is None or not found:
            return
        self.clock.now += 1000
        before = {key: self.brought.pop(key) for key in [*self.brought] if key[0] == machine.name}
        there = {each.name for each in backups.list_backups(machine.folder)}
        try:
            backups.bring(machine.folder, 0, self.luck.choice(found).read_bytes())
            count = backups.take_in(machine.folder, now=self.clock.now / 1000)
        except (Storage, Missing) as refused:
            self.must(self.is_harmed(machine), f"a backup is brought to {machine.name}: {refused}")
            if not self.disks.is_dead(machine.folder):
                self.brought |= before
            return
        (name,) = {each.name for each in backups.list_backups(machine.folder)} - there
        if not self.disks.is_dead(machine.folder):
            self.brought[machine.name, name] = count

    def is_harmed(self, machine: Machine) -> bool:
        """Whether the disk of a machine has failed just now."""
        return self.disks.has_failed(machine.folder) or self.disks.is_dead(machine.folder)

    def end(self) -> None:
        """A host ends a table."""
        guest = self.some_guest
        if guest is None or guest.waits is not None:
            return

        def close(table: Table) -> None:
            if not table.over():
                guest.doubts.add("the end")
                made = table.end(HOST, table.seq, "the end")
                if not self.disks.is_dead(guest.at.folder):
                    guest.safe.append(("the end", made))
                    guest.over = True

        self.at_table(guest, close)

    def stir(self) -> None:
        """A device joins."""
        guest = self.some_guest
        if guest is not None:
            with suppress(Illegal):
                self.at_table(guest, lambda table: Device("host").join(table, instead=True))

    def back_up(self) -> None:
        """A backup of a Pi."""
        machine = self.luck.choice(self.pis)
        if machine.hall is None:
            return
        self.clock.now += 1000
        known = {guest.name: [*guest.safe] for guest in self.guests if guest.at is machine}
        try:
            file, _ = back_up(machine.folder, now=self.clock.now / 1000)
        except Storage as storage:
            self.must(self.is_harmed(machine), f"a backup of {machine.name}: {storage}")
            return
        if not self.disks.is_dead(machine.folder):
            self.kept[machine.name, file.name] = known

    def restore(self) -> None:
        """A backup is put back, by hand or at the next start."""
        machine = self.luck.choice(self.pis)
        folder = machine.folder / backups.FOLDER
        mine = [name for owner, name in self.kept if owner == machine.name and (folder / name).exists()]
        if machine.hall is None or not mine or self.is_entangled(machine):
            return
        known = self.kept[machine.name, self.luck.choice(mine)]
        name = next(name for (owner, name), each in self.kept.items() if each is known and owner == machine.name)
        already = self.restored(machine, known)
        self.clock.now += 1000
        machine.stop()
        file = machine.folder / backups.FOLDER / name
        before = {guest.name: [*guest.safe] for guest in self.guests if guest.at is machine}
        try:
            if self.luck.random() < 0.5:
                restoring.restore(file, machine.folder, now=self.clock.now / 1000)
            else:
                restoring.wish_back(machine.folder, name.removesuffix(".sqlite"))
                restoring.put_back_as_wished(machine.folder, now=self.clock.now / 1000)
        except (Storage, Missing) as refused:
            self.must(self.is_harmed(machine), f"{machine.name} is restored: {refused}")
        if self.disks.is_dead(machine.folder):
            survives = self.luck.choice(SURVIVES)
            machine.cut(self.luck, survives)
            self.say(f"{machine.name} died while it was restored, and has {survives} of what was not synced")
        else:
            self.disks.watch(machine.folder, Harm())
        failed = machine.start()
        self.must(failed is None, f"{machine.name} starts after a backup was put back: {failed}")
        self.all_or_nothing(machine, known, before, already)
        self.look_at(machine)

    def is_entangled(self, machine: Machine) -> bool:
        """Whether a table of a machine is on its way, or was not there when a backup was made: those are not risked."""
        for pi in self.pis:
            if pi.hall is None or any(pi.hall.journal.going(guest.name) for guest in self.guests):
                return True
            for guest in self.guests:
                with suppress(Refusal):
                    if pi.hall.table(guest.name).going is not None:
                        return True
        return False

    def restored(self, machine: Machine, known: dict[str, Known]) -> set[str]:
        """The tables that are as a backup has them, and say that they were restored."""
        assert machine.hall is not None
        hall = machine.hall
        return {name for name in known if hall.journal.knows(name) and was_restored(hall.table(name), known[name])}

    def all_or_nothing(
        self, machine: Machine, known: dict[str, Known], before: dict[str, Known], already: set[str]
    ) -> None:
        """A machine has what it had before, or what the backup had, each table that goes on saying so.

        :param already: at these nothing was done since they were restored once: they look the same in both.
        """
        assert machine.hall is not None
        restored = self.restored(machine, known) - already
        there = {each.table for each in machine.hall.tables()}
        gone = before.keys() - there
        if not restored and not gone:
            return
        ended = {name for name in known if machine.hall.table(name).settled()}
        self.must(
            restored | ended | already == known.keys(),
            f"{machine.name} was restored by half: {restored} of {known.keys()}",
        )
        self.must(gone <= before.keys() - known.keys(), f"{gone - known.keys()} were in the backup, and are not there")
        self.guests = [guest for guest in self.guests if guest.name not in gone]
        for guest in self.guests:
            if guest.name in known and guest.at is machine:
                guest.safe, guest.waits, guest.over = [*known[guest.name]], None, guest.name in ended
        self.kept = {key: each for key, each in self.kept.items() if each is known or key[0] != machine.name}

    def move(self) -> None:
        """A table goes to the other Pi, or is taken back."""
        guest = self.some_guest
        if guest is None:
            return
        source = guest.at
        target = next(pi for pi in self.pis if pi is not source)
        guest.left = None  # it may come back there
        try:
            if self.luck.random() < 0.2:
                source.service.mover.back(guest.name, target.address, target.service.owner.key, "en")
            else:
                source.service.mover.move(guest.name, target.address, target.service.owner.key, "en")
                guest.left = None if self.disks.is_dead(source.folder) else source
        except Elsewhere:
            guest.at = target
        except (Refusal, OSError) as refused:
            self.say(f"{guest.name} is not moved: {refused}")
        self.one_place(guest)

    def one_place(self, guest: Guest) -> None:
        """A table is not open in two places."""
        open_at = [pi.name for pi in self.pis if self.is_open(pi, guest.name)]
        self.must(len(open_at) < 2, f"{guest.name} is open at {open_at}")

    def is_open(self, machine: Machine, name: str) -> bool:
        """Whether a table can be played at here."""
        if machine.hall is None or self.disks.is_dead(machine.folder):
            return False
        try:
            machine.hall.table(name).check_here()
        except Refusal:
            return False
        return True

    def copy(self) -> None:
        """A Pi sends its hub what that lacks."""
        machine = self.luck.choice(self.pis)
        with suppress(OSError, Refusal):
            machine.copier(self.hub)._goes_round()

    def cut(self) -> None:
        """A machine loses its power."""
        self.power_cut(self.luck.choice([*self.pis, self.hub]))

    def restart(self) -> None:
        """A machine is stopped in order, and started."""
        machine = self.luck.choice([*self.pis, self.hub])
        if self.disks.is_dead(machine.folder):
            return
        machine.stop()
        if self.disks.is_dead(machine.folder):
            return
        refused = machine.start()
        if refused is not None:
            self.must(self.is_harmed(machine), f"{machine.name} starts: {refused}")
            self.disks.watch(machine.folder, Harm())
            if not self.disks.is_dead(machine.folder):
                self.starts(machine)
            return
        if not self.disks.is_dead(machine.folder):
            self.look_at(machine)

    def comes_late(self) -> None:
        """What was once sent comes once more."""
        if self.network.heard:
            with suppress(OSError):
                self.network.deliver(self.luck.choice(self.network.heard))
            for guest in self.guests:
                self.one_place(guest)

    def set_clock(self) -> None:
        """Somebody sets the clock."""
        self.clock.now += self.luck.choice((-86_400_000, 3_600_000, 86_400_000))

    # What has to be so.

    def look_at(self, machine: Machine) -> None:
        """All that was acknowledged at a machine is there, and nothing that was not asked for."""
        assert machine.hall is not None
        listed = {each.table for each in machine.hall.tables()} if machine is not self.hub else set()
        for guest in self.guests:
            if guest.at is machine and guest.name not in listed:
                self.must(self.is_on_its_way(guest), f"{guest.name} is in the list of {machine.name}")
            elif guest.at is machine:
                self.has_all(self.newest_of(guest, machine.hall), guest)
            self.one_place(guest)
            if guest.left is machine and guest.at is not machine:
                going = machine.hall.journal.going(guest.name)
                self.must(going is not None and going.there, f"{machine.name} knows that {guest.name} is elsewhere")
        for owner, name in self.kept:
            if owner == machine.name:
                file, there = machine.folder / backups.FOLDER / name, machine.folder.glob(f"{backups.FOLDER}/2*.sqlite")
                thinned_out = len([*there]) >= backups.NEWEST
                self.must(file.exists() or thinned_out, f"the backup {name} of {owner} is there")
        for (owner, name), count in self.brought.items():
            if owner == machine.name:
                self.must(checked(backups.named(machine.folder, name)) == count, f"{name} of {owner} is as it came")

    def newest_of(self, guest: Guest, hall: Hall) -> Table:
        """A table where its guest looks for it; of one that is on its way and closed in both places, what has more."""
        table = hall.table(guest.name)
        there = next(pi for pi in self.pis if pi is not guest.at)
        if self.is_open(guest.at, guest.name) or there.hall is None or not self.is_on_its_way(guest):
            return table
        return max(table, there.hall.table(guest.name), key=lambda each: each.seq)

    def is_on_its_way(self, guest: Guest) -> bool:
        """Whether a table that a guest looks for where it is not is still where it was, closed."""
        there = next(pi for pi in self.pis if pi is not guest.at)
        return there.hall is None or (there.hall.journal.knows(guest.name) and not self.is_open(there, guest.name))

    def has_all(self, table: Table, guest: Guest, how: str = "") -> None:
        """What was acknowledged is there once, in its place, for whoever has a key."""
        guest.keys = guest.keys or table.keys
        self.must(table.keys == guest.keys, f"the keys of {guest.name} are what they were{how}")
        there = {line.request: line.seq for line in table.written if line.request is not None}
        for request, seq in guest.safe:
            self.must(there.get(request) == seq, f"{guest.name}: {request} was {seq}, and is {there.get(request)}{how}")
        waiting = {guest.waits[0]} if guest.waits else set()
        asked = {request for request in there if request.startswith(("press", "bot", "the end"))}
        more = asked - {request for request, _ in guest.safe} - waiting - guest.doubts
        self.must(not more, f"{guest.name}: nobody was promised {more}")

    def settle(self) -> None:
        """Everything is mended, and everybody looks what became of it."""
        self.network.loses = 0.0
        for machine in (*self.pis, self.hub):
            if not machine.is_up:
                self.starts(machine)
        for guest in self.guests:
            self.comes_to_rest(guest)
        for guest in self.guests:
            open_at = [pi for pi in self.pis if self.is_open(pi, guest.name)]
            self.must(len(open_at) == 1, f"{guest.name} is open at {[pi.name for pi in open_at]}")
            guest.at = open_at[0]
            assert guest.at.hall is not None
            table = guest.at.hall.table(guest.name)
            self.has_all(table, guest)
            if not table.over():
                self.must(any(self.pressed(guest) for _ in range(3)), f"{guest.name} can be played at")
            self.proves(guest)
        for pi in self.pis:
            copier = pi.copier(self.hub)
            copier._goes_round()
            self.must(copier.state in {"online", "otherwise"}, f"{pi.name} has copied: {copier.status('en')}")
        for machine in self.pis:
            for file in made(machine.folder / backups.FOLDER, self.clock.now / 1000 + 1e9):
                checked(file)

    def comes_to_rest(self, guest: Guest) -> None:
        """A table that is on its way arrives, or stays."""
        for source, target in (self.pis, self.pis[::-1]):
            with suppress(Elsewhere):
                assert source.hall is not None
                if source.hall.journal.knows(guest.name):
                    table = source.hall.table(guest.name)
                    if table.going is not None and not table.going.there:
                        source.service.mover.back(guest.name, target.address, target.service.owner.key, "en")

    def proves(self, guest: Guest) -> None:
        """Its record holds once it is over."""
        assert guest.at.hall is not None
        table = guest.at.hall.table(guest.name)
        if not table.over():
            table.end(HOST, table.seq, "the very end")
        proof = verify(export(table))
        self.must(proof.why is None, f"{guest.name}: {proof}")

    def close(self) -> None:
        """Let go of all machines."""
        for machine in (*self.pis, self.hub):
            machine.stop()


def draw_from(luck: random.Random, patched: pytest.MonkeyPatch) -> None:
    """Have all that is drawn come from a seed, too: names, secrets, keys and tickets."""
    patched.setattr(secrets, "token_bytes", lambda count=32: luck.randbytes(count))
    patched.setattr(secrets, "token_hex", lambda count=32: luck.randbytes(count).hex())
    patched.setattr(
        secrets, "token_urlsafe", lambda count=32: base64.urlsafe_b64encode(luck.randbytes(count)).decode().rstrip("=")
    )
    patched.setattr(secrets, "choice", luck.choice)


def was_restored(table: Table, known: Known) -> bool:
    """Whether a table is as it was when a backup was made, and says so."""
    requests = {line.request for line in table.written if line.request}
    return isinstance(_last(table), TableRestored) and {request for request, _ in known} <= requests


def _last(table: Table) -> object:
    lines: list[JournalLine] = [*table.written]
    return lines[-1].entry if lines else None


FILES = (FILE, f"{FILE}-wal", HEADS)
