"""What keeps a step, taken out one by one: each fsync, each rename and each mark, as if somebody had forgotten it.

A mutant is a copy of the program in which one of them is not made; `make soak` lists which history, or which death of
a machine, misses each. What only one kind of death notices names it here, and so does what only a test can forge.
"""

# ruff: noqa: E501 what stands in a file is told as it stands there

from __future__ import annotations

import ast
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PLAY = "companion/play"
SMALL_FILES = "tests/core/test_small_files.py"
UPDATE = f"{SMALL_FILES}::test_an_update_leaves_its_mark_and_the_tables_on_disk_before_it_begins"
WRITERS = "tests/core/test_small_files.py::test_a_file_is_on_disk_before_it_takes_its_place_and_its_place_is_on_disk"


class Mutant(NamedTuple):
    """One thing taken out: in which file, what stands there, and what stands there instead.

    :ivar by: what notices that it is not there: a kind of death, or a test; histories where there is none
    """

    name: str
    file: str
    old: str
    new: str
    by: str = ""


MUTANTS = (
    # Whatever is written to a small file.
    Mutant(
        "whole file: its bytes are not synced", "companion/whole_file.py", "            os.fsync(out.fileno())\n", ""
    ),
    Mutant(
        "whole file: it is written over the one before",
        "companion/whole_file.py",
        "        fresh.replace(file)\n    except",
        "        file.write_bytes(content)\n        fresh.unlink()\n    except",
    ),
    Mutant(
        "whole file: its name is not synced",
        "companion/whole_file.py",
        "        raise\n    sync_folder(file.parent)\n",
        "        raise\n",
    ),
    Mutant(
        "all of a folder: its bytes are not synced",
        "companion/whole_file.py",
        "            os.fsync(opened)\n        finally",
        "            pass\n        finally",
    ),
    Mutant(
        "all of a folder: its names are not synced",
        "companion/whole_file.py",
        "            os.close(opened)\n    sync_folder(folder)\n",
        "            os.close(opened)\n",
    ),
    Mutant(
        "all of a folder: what is in folders within is not synced",
        "companion/whole_file.py",
        "            sync_all(each)\n",
        "            pass\n",
        by="bring and restore",
    ),
    Mutant(
        "all files: no folder is synced",
        "companion/whole_file.py",
        "        os.fsync(opened)\n    finally:\n        os.close(opened)\n\n\ndef sync_all",
        "        pass\n    finally:\n        os.close(opened)\n\n\ndef sync_all",
        by="first start",
    ),
    # The same below the service, for what is known of pins and motors.
    Mutant(
        "whole file of a rig: its bytes are not synced",
        "hardware/whole_file.py",
        "            os.fsync(out.fileno())\n",
        "",
        by=WRITERS,
    ),
    Mutant(
        "whole file of a rig: it is written over the one before",
        "hardware/whole_file.py",
        "        os.replace(fresh, file)\n",
        "        file.write_bytes(content)\n        fresh.unlink()\n",
        by=WRITERS,
    ),
    Mutant(
        "whole file of a rig: its name is not synced",
        "hardware/whole_file.py",
        "        os.fsync(folder)\n",
        "        pass\n",
        by=WRITERS,
    ),
    # The data folder and its file.
    Mutant("folder: its name is not synced", f"{PLAY}/folder.py", "        sync_folder(folder.parent)\n", ""),
    Mutant("copy: its bytes are not synced", f"{PLAY}/folder.py", "        os.fsync(written)\n", ""),
    Mutant(
        "journal: steps are not synced",
        f"{PLAY}/sqlite_journal.py",
        "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=NORMAL",
    ),
    Mutant(
        "journal: the copy before a new format is not synced",
        f"{PLAY}/sqlite_journal.py",
        "                sync_folder(path.parent)\n",
        "",
        by="new format",
    ),
    Mutant(
        "journal: no mark that somebody writes",
        f"{PLAY}/sqlite_journal.py",
        "                    self._note_open(OPEN)\n",
        "                    pass\n",
    ),
    Mutant(
        "journal: rows have no marks", f"{PLAY}/marks.py", "    return (*row, mark(row))\n", "    return (*row, None)\n"
    ),
    Mutant(
        "heads: none is noted",
        f"{PLAY}/heads.py",
        "            os.pwrite(self._file, _slot(table.encode(), head), at)\n",
        "            pass\n",
    ),
    # A backup.
    Mutant(
        "backup: it is written in its place", f"{PLAY}/backups.py", 'half = file.with_suffix(".half")', "half = file"
    ),
    Mutant(
        "backup: its name is not synced",
        f"{PLAY}/backups.py",
        "        half.rename(file)\n        sync_folder(folder)\n",
        "        half.rename(file)\n",
    ),
    Mutant("brought backup: its bytes are not synced", f"{PLAY}/backups.py", "        sync_all(half)\n", ""),
    Mutant("brought backup: its name is not synced", f"{PLAY}/backups.py", "        sync_folder(data / FOLDER)\n", ""),
    Mutant(
        "brought backup: it is written in its place",
        f"{PLAY}/backups.py",
        "        half.rename(there)\n",
        "        shutil.copytree(half, there)\n",
        by="bring and restore",
    ),
    # What is put in place.
    Mutant(
        "replacing: no marker",
        f"{PLAY}/replacing.py",
        "    write_whole(data / MARKER, marked_lines(msgspec.json.encode(replacing)))\n    go_on(data)\n",
        (
            "    _put_in_place(data)\n"
            '    if replacing.aside is not None and (data / f"{replacing.aside}{HALF}").exists():\n'
            '        (data / f"{replacing.aside}{HALF}").rename(data / replacing.aside)\n'
            "    for name, note in replacing.notes.items():\n"
            "        write_whole(data / name, note.encode())\n"
        ),
    ),
    Mutant(
        "replacing: the names of what comes are not synced before the marker",
        f"{PLAY}/replacing.py",
        "        sync_folder(data)  # their names, too",
        "        pass  # their names, too",
        by="restore",
    ),
    Mutant("replacing: the next start does not obey", f"{PLAY}/sqlite_journal.py", "            go_on(folder)\n", ""),
    Mutant(
        "replacing: the log of what goes stays",
        f"{PLAY}/replacing.py",
        '        (data / f"{FILE}{end}").unlink(missing_ok=True)\n',
        "        pass\n",
        by="restore over damage",
    ),
    Mutant(
        "replacing: the heads of what goes stay",
        f"{PLAY}/replacing.py",
        '        (data / f"{HEADS}{COMING}").replace(data / HEADS)\n',
        "        pass\n",
        by="restore",
    ),
    Mutant(
        "replacing: that the log is gone is not synced",
        f"{PLAY}/replacing.py",
        "(data / HEADS)\n    sync_folder(data)\n",
        "(data / HEADS)\n",
        by="restore over damage",
    ),
    Mutant(
        "replacing: the tables are written over those before",
        f"{PLAY}/replacing.py",
        '    (data / f"{FILE}{COMING}").replace(data / FILE)\n',
        '    (data / FILE).write_bytes((data / f"{FILE}{COMING}").read_bytes())\n    (data / f"{FILE}{COMING}").unlink()\n',
    ),
    Mutant(
        "replacing: that the tables are there is not synced",
        f"{PLAY}/replacing.py",
        "(data / FILE)\n    sync_folder(data)\n",
        "(data / FILE)\n",
        by="restore as wished",
    ),
    Mutant(
        "replacing: that the marker is gone is not synced",
        f"{PLAY}/replacing.py",
        "    (data / MARKER).unlink()\n        sync_folder(data)",
        "    (data / MARKER).unlink()\n        pass",
        by="restore once more",
    ),
    Mutant(
        "replacing: what was there is not named",
        f"{PLAY}/replacing.py",
        "                half.rename(aside)\n",
        "                pass\n",
        by="restore",
    ),
    Mutant(
        "replacing: the name of what was there is not synced",
        f"{PLAY}/replacing.py",
        "                sync_folder(half.parent)\n",
        "",
        by="restore",
    ),
    Mutant(
        "replacing: the names in what was there are not synced",
        f"{PLAY}/replacing.py",
        "    sync_folder(half)\n",
        "",
        by="restore once more",
    ),
    Mutant(
        "replacing: the half of what was there has no name on the disk",
        f"{PLAY}/replacing.py",
        "    sync_folder(half.parent)  #",
        "    #",
        by="restore",
    ),
    Mutant(
        "replacing: what was there is not closed",
        f"{PLAY}/replacing.py",
        'db.execute("PRAGMA wal_checkpoint(TRUNCATE)")',
        "pass",
        by="restore as wished",
    ),
    Mutant(
        "replacing: what was done is not noted",
        f"{PLAY}/replacing.py",
        "            write_whole(data / name, note.encode())\n",
        "            pass\n",
        by="bring and restore",
    ),
    Mutant(
        "replacing: what goes with the tables is not kept aside",
        f"{PLAY}/replacing.py",
        "        write_whole(aside, file.read_bytes())\n",
        "        pass\n",
        by="bring and restore",
    ),
    Mutant(
        "replacing: what goes with the tables stays as it was",
        f"{PLAY}/replacing.py",
        "        write_whole(file, content)\n",
        "        pass\n",
        by="bring and restore",
    ),
    Mutant(
        "restoring: the heads of what comes are not synced",
        f"{PLAY}/restoring.py",
        "        sync_all(built)  #",
        "        #",
        by="restore once more",
    ),
    Mutant(
        "restoring: a table does not say so",
        f"{PLAY}/restoring.py",
        "                table.note(TableRestored(), _keeper(hall, table))\n",
        "                pass\n",
    ),
    Mutant(
        "restoring: what has left comes back",
        f"{PLAY}/restoring.py",
        "        _leave_away(hall, data)\n",
        "",
        by="restore",
    ),
    Mutant(
        "replacing: the copy where a disk knows no links is not synced",
        f"{PLAY}/replacing.py",
        "            os.fsync(copy.fileno())\n",
        "",
        by=f"{SMALL_FILES}::test_what_is_copied_where_a_disk_knows_no_links_is_on_disk",
    ),
    Mutant(
        "restoring: what comes is not put beside what is there",
        f"{PLAY}/restoring.py",
        "        for name in (HEADS, FILE):\n            (built / name).replace(",
        "        for name in (FILE,):\n            (built / name).replace(",
        by="restore",
    ),
    # An update.
    Mutant(
        "update: its mark is not synced",
        "companion/terminal/appliance.py",
        "        os.fsync(self._mark.fileno())\n",
        "",
        by=UPDATE,
    ),
    Mutant(
        "update: the name of its mark is not synced",
        "companion/terminal/appliance.py",
        '        sync_folder(self._home / "before")\n',
        "",
        by=UPDATE,
    ),
    Mutant(
        "update: the name of the tables from before is not synced",
        "companion/terminal/appliance.py",
        "                    sync_folder(self._data)\n",
        "",
        by=UPDATE,
    ),
    # A table that moves.
    Mutant(
        "moving: it is not marked as leaving",
        f"{PLAY}/hall.py",
        "                entry = TableLeft(going.ticket, going.house)\n",
        "                return\n",
        by="move from",
    ),
    Mutant(
        "moving: it is not kept where it went",
        f"{PLAY}/moving.py",
        '            db.execute("INSERT OR REPLACE INTO goings',
        '            db.execute("SELECT ?, ?, ?" or "INSERT OR REPLACE INTO goings',
    ),
    Mutant(
        "moving: that it stays is not an entry",
        f"{PLAY}/hall.py",
        "                entry = TableStayed(table.left.ticket)\n",
        "                pass\n",
    ),
    Mutant("moving: a turn is not over with a question", "web_ui/reception.py", "            self._count += 1\n", ""),
    Mutant(
        "moving: what comes is not held against what was sent",
        f"{PLAY}/record.py",
        " or table.left != left",
        "",
        by="tests/web/test_moving.py::test_what_was_altered_on_the_way_is_not_taken_in",
    ),
    # Whose a machine is.
    Mutant("owner: the key is not synced", "web_ui/owner.py", "                os.fsync(file.fileno())\n", ""),
    Mutant(
        "owner: its name is not synced",
        "web_ui/owner.py",
        "            os.link(fresh, self._file)\n            sync_folder(self._file.parent)\n",
        "            os.link(fresh, self._file)\n",
        by="first start",
    ),
    Mutant(
        "owner: the first key is written in its place",
        "web_ui/owner.py",
        "            os.link(fresh, self._file)\n",
        "            self._file.write_bytes(fresh.read_bytes())\n",
        by="first start",
    ),
    Mutant(
        "owner: another key is written over the one before",
        "web_ui/owner.py",
        "            fresh.replace(self._file)\n",
        "            self._file.write_bytes(fresh.read_bytes())\n",
        by="first start",
    ),
    Mutant(
        "owner: the name of another key is not synced",
        "web_ui/owner.py",
        "            fresh.replace(self._file)\n            sync_folder(self._file.parent)\n",
        "            fresh.replace(self._file)\n",
        by="first start",
    ),
    Mutant(
        "house: an id is told whose name was not synced",
        "web_ui/house.py",
        "        sync_folder(folder)  # whoever wrote the file may have failed at this\n",
        "",
        by="tests/web/test_moving.py::test_a_house_tells_no_id_that_a_power_cut_could_take_away",
    ),
)
"""What has to be missed once it is taken out."""
NOTHING_RESTS_ON = {
    f"{PLAY}/backups.py": 2,  # what is damaged is put aside
    f"{PLAY}/replacing.py": 1,  # a link, where a copy does as well
    f"{PLAY}/snapshots.py": 1,  # they can be made anew
    "companion/whole_file.py": 1,  # what is damaged is put aside
    "hardware/whole_file.py": 1,
    "hardware/choice.py": 1,  # the choice before is put aside
    "hardware/display.py": 1,  # a picture of a simulated display
    "hardware/package/build.py": 1,  # on the machine of whoever builds
    "firmware_bridge/build.py": 1,
    "web_ui/power.py": 1,  # a wish, in memory
}
"""How often something is synced or renamed in a file on which no step rests."""


def not_taken_out() -> dict[str, int]:
    """How often each file syncs, renames or links something that no mutant takes out."""
    found = Counter[str]()
    for folder in ("companion", "web_ui", "hardware", "firmware_bridge"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name, text = str(file.relative_to(ROOT)), file.read_text("utf-8")
            starts = [(text.count("\n", 0, text.index(each.old)), each.old) for each in MUTANTS if each.file == name]
            lines = {start + 1 + more for start, old in starts for more in range(len(old.splitlines()))}
            calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and _keeps(node))
            found.update(name for call in calls if call.lineno not in lines)
    return dict(found)


def _keeps(call: ast.Call) -> bool:
    """Whether a call has something on disk, or gives it its place there."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in {"fsync", "fdatasync", "sync_folder", "sync_all"}:
            return True
        case ast.Attribute(value=ast.Name(id="os"), attr="replace" | "rename" | "link"):
            return True
        case ast.Attribute(attr="replace" | "rename"):
            return len(call.args) == 1 and not call.keywords
        case _:
            return False


def tree(mutant: Mutant | None, place: Path) -> Path:
    """The program with one thing taken out, in a folder: all other files are those of this one."""
    place.mkdir()
    parts = Path(mutant.file).parts if mutant else ()
    source, target = ROOT, place
    for depth in range(len(parts) + 1 if parts else 1):
        for each in source.iterdir():
            if depth < len(parts) and each.name == parts[depth]:
                continue
            if each.name != "__pycache__" and not (each.name.startswith(".") and depth == 0):
                (target / each.name).symlink_to(each)
        if depth >= len(parts) - 1:
            break
        source, target = source / parts[depth], target / parts[depth]
        target.mkdir()
    if mutant is not None:
        text = (ROOT / mutant.file).read_text("utf-8")
        if text.count(mutant.old) != 1:
            raise LookupError(f"{mutant.name}: stands {text.count(mutant.old)} times in {mutant.file}")
        (place / mutant.file).write_text(text.replace(mutant.old, mutant.new), "utf-8")
    return place


def forget(place: Path) -> None:
    """Remove a program that was made for this."""
    shutil.rmtree(place)
