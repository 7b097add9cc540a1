"""One bit turns in one row: that table is as it was or is closed and named, and all others go on."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from companion.game import Seat, Setup
from companion.play.backups import back_up, checked, left_out
from companion.play.entries import Departure, TableRestored
from companion.play.folder import FILE
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.restoring import restore
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Elsewhere, Missing, Storage
from companion.terminal.doctor import findings
from hardware.face import NoRig
from tests.attack.rows import Row, rows
from tests.core.test_hall import Found
from tests.web.people import client
from web_ui.app import create_app

SEATS = (Seat("Ada"), Seat("Ben"))
PLAYED, ENDED, LEFT, ARRIVED, RESTORED = "played", "ended", "left", "arrived", "restored"
LEFT_LONG_AGO = "left before that was an entry"
KINDS: dict[str, tuple[str, str, str | None]] = {
    "laid": ("tables", PLAYED, None),
    "laid, over": ("tables", ENDED, None),
    "laid, left": ("tables", LEFT, None),
    "step": ("entries", PLAYED, "outcome"),
    "close": ("entries", ENDED, "close"),
    "leave": ("entries", LEFT, "leave"),
    "arrive": ("entries", ARRIVED, "arrive"),
    "restore": ("entries", RESTORED, "restore"),
    "end": ("ends", ENDED, None),
    "going": ("goings", LEFT, None),
    "going, no entry": ("goings", LEFT_LONG_AGO, None),
}
"""Of each kind of row in which tree it lies, of which table it is, and of which kind the entry is."""


DEAR = 20
"""After so many flips all that is done with a folder is done, and not the cheap things only."""
NEAR = 200
"""Bits at the beginning of a row: how long it is, of which kinds its columns are, and its key."""


class Kept(NamedTuple):
    """A data folder of six tables, closed in order."""

    folder: Path
    names: dict[str, str]
    known: dict[str, Any]


def lay(hall: Hall) -> Table:
    table = hall.lay(Setup("horus", "toolbox", SEATS))
    table.play(HOST, table.seq, "roll", {"type": "roll", "count": 3})
    return table


def told(hall: Hall, table: str) -> Any:
    """All that is kept of a table, and whether it is open here."""
    opened, is_open = hall.table(table), True
    try:
        opened.check_here()
    except Elsewhere:
        is_open = False
    requests = [(line.request, line.asked, line.at) for line in opened.written]
    seen = {**view(opened, HOST), "keys": opened.keys, "requests": requests, "secret": opened.dealer.secret}
    return {**{name: each for name, each in seen.items() if name != "elsewhere"}, "open": is_open}


def kept(place: Path) -> Kept:
    """A table of each kind, in a folder whose log is empty."""
    other, hall = Hall(place / "other"), Hall(place / "data")
    tables = {name: lay(hall) for name in (PLAYED, ENDED, LEFT, LEFT_LONG_AGO, RESTORED)}
    tables[ENDED].end(HOST, tables[ENDED].seq, "the end")
    hall.send(tables[LEFT], Departure("ticket-of-a-test-1", "http://other.lan", "0123abcd", there=True))
    long_ago = Departure("ticket-of-a-test-3", "http://other.lan", "0123abcd", there=True)
    hall.journal.send(tables[LEFT_LONG_AGO].id, long_ago)
    restored = tables[RESTORED]
    restored.note(TableRestored(), lambda line: hall.journal.append(restored.id, [line]))
    comes = lay(other)
    other.send(comes, Departure("ticket-of-a-test-2", "http://this.lan", "4567cdef"))
    hall.arrive("ticket-of-a-test-2", "4567cdef", comes.laid, comes.dealer.secret, comes.keys, [*comes.written])
    other.close()
    names = {name: table.id for name, table in tables.items()} | {ARRIVED: comes.id}
    hall.close()
    again = Hall(place / "data")
    known = {table: told(again, table) for table in names.values()}
    again.close()
    return Kept(place / "data", names, known)


def row_of(there: Kept, kind: str, luck: random.Random) -> tuple[str, Row]:
    """A row of a kind, and whose it is."""
    tree, whose, of = KINDS[kind]
    table = there.names[whose]
    seqs: set[object] = set()
    if of is not None:
        hall = Hall(there.folder, reading=True)
        seqs = {line.seq for line in hall.journal.entries(table) if line.entry.__struct_config__.tag == of}
        hall.close()
    found = [
        row for row in rows(there.folder / FILE, tree) if row.key[0] == table and (of is None or row.key[1] in seqs)
    ]
    return table, luck.choice(found)


def bits(row: Row) -> int:
    """How many bits a row has."""
    return 8 * sum(end - begin for begin, end in row.places)


def turned(folder: Path, row: Row, bit: int) -> None:
    """Turn one bit of a row."""
    places = [at for begin, end in row.places for at in range(begin, end)]
    with (folder / FILE).open("r+b") as file:
        file.seek(places[bit // 8])
        byte = file.read(1)[0]
        file.seek(places[bit // 8])
        file.write(bytes([byte ^ 1 << bit % 8]))


def tasks(folder: Path, there: Kept, sick: str) -> None:
    """What is dear: the page, the doctor, a backup that is put back, and what is rescued of a folder that is gone."""
    sound = there.known.keys() - {sick}
    list(findings(folder, None, Found()))
    made = back_up(folder)[0]
    missing = left_out(made)
    assert checked(made) >= len(sound)
    other = folder.with_name(f"{folder.name} put back")
    restore(made, other)
    hall = Hall(folder)
    try:
        assert bool(missing) == is_said(hall, sick), f"a backup lacks what is damaged, and names it: {missing}"
        browser = client(create_app(hall, NoRig()))
        assert all(browser.get(path).status_code == 200 for path in ("/hall", "/api/tables", "/"))
        for again in (Hall(other), Hall(rescued(hall, folder))):
            for table in sound:
                now, was = told(again, table), there.known[table]
                assert (now["keys"], now["secret"], now["open"]) == (was["keys"], was["secret"], was["open"])
                assert now["requests"][: len(was["requests"])] == was["requests"], f"{table} is whole"
            again.close()
    finally:
        hall.close()
        shutil.rmtree(other)


def is_said(hall: Hall, table: str) -> bool:
    """Whether somebody is told that a table is damaged."""
    hall.tables()
    try:
        hall.table(table)
    except (Storage, Missing):
        return True
    return bool(hall.journal.damaged)


def rescued(hall: Hall, folder: Path) -> Path:
    """Where the tables are once somebody has deleted their folder."""
    shutil.rmtree(folder)
    saved = hall.look_after()
    assert saved is not None
    return saved


def outcome(folder: Path, there: Kept, sick: str) -> bool:
    """Whether anything is refused of the table with the bit; nothing else may be, and nothing silently another."""
    hall = Hall(folder)
    try:
        found = False
        for table, was in there.known.items():
            try:
                now = told(hall, table)
            except Storage:
                now, found = was if table == sick else "closed as well", True
            except Missing:
                now = "silently gone"
            other = now == was or {key for key in was if now[key] != was[key]} if isinstance(now, dict) else now
            assert now == was, f"{table} is not what it was: {other}"
        listed = [each.table for each in hall.tables()]
        assert len(listed) == len(set(listed))
        assert there.known.keys() - {sick} <= set(listed), "the others are in the list"
        assert sick in listed or hall.journal.damaged, "or somebody is told that something is missing"
        assert {each.table for each in hall.tables(0, 50)} == set(listed)
        hall.count_up(9)
        hall.get_ready(lambda took: True)
        hall.journal.last_step()
        return found
    finally:
        hall.close()


def flip(there: Kept, kind: str, count: int, place: Path, luck: random.Random) -> int:
    """Turn so many bits of a kind of row, each in a copy of its own; how many were found and not harmless."""
    found = 0
    sick, row = row_of(there, kind, luck)
    for n in range(count):
        copy = place / f"{kind} {n}"
        copy.mkdir()
        for name in (FILE, HEADS):
            shutil.copy(there.folder / name, copy / name)
        bit = luck.randrange(bits(row) if n % 2 else NEAR)
        turned(copy, row, bit)
        try:
            found += outcome(copy, there, sick)
            if n % DEAR == 0:
                tasks(copy, there, sick)
        except BaseException as wrong:
            raise AssertionError(f"bit {bit} of {bits(row)} of {kind}: {wrong}") from wrong
        for each in place.glob(f"{copy.name}*"):
            shutil.rmtree(each)
    return found
