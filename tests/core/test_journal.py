"""The journal: one writer, nothing half kept, a clear word when the disk does not want to."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.play.entries import Closed, JournalLine
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST
from companion.play.view import view
from companion.refusals import Missing, Overtaken, Storage
from tests.core.coins import KEYS, SECRET, coin_table, laid, reopened

TOSS = {"type": "toss", "count": 3}


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.lay(laid(), SECRET, KEYS, [JournalLine(1, 5, Closed(), "tap", "digest")])
    journal.close()
    again = SqliteJournal(tmp_path)
    assert again.opened("coins") == (laid(), SECRET, KEYS)
    assert again.knows("coins")
    assert not again.knows("other")
    assert again.entries("coins") == [JournalLine(1, 5, Closed(), "tap", "digest")]
    assert [(each[0].table, each[1], each[2], each[3]) for each in again.summaries()] == [("coins", 1, 5, False)]
    with pytest.raises(Missing):
        again.opened("other")


def test_entries_are_kept_all_or_none(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.lay(laid(), SECRET, KEYS)
    with pytest.raises(Overtaken):
        journal.append("coins", [JournalLine(1, 1, Closed()), JournalLine(1, 1, Closed())])
    assert journal.entries("coins") == []


def test_a_second_process_is_refused_and_told_who_has_the_folder(tmp_path: Path) -> None:
    held = SqliteJournal(tmp_path)
    path = str(tmp_path)
    other = f"import pathlib; from companion.play.sqlite_journal import SqliteJournal as S; S(pathlib.Path({path!r}))"
    ran = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert f"in use by another Digside (process {os.getpid()})" in ran.stderr
    held.close()


def test_a_folder_is_free_again_when_its_process_is_gone(tmp_path: Path) -> None:
    SqliteJournal(tmp_path).close()
    SqliteJournal(tmp_path).close()


def test_looking_needs_no_lock(tmp_path: Path) -> None:
    table = coin_table(SqliteJournal(tmp_path))
    table.play(HOST, 0, "tap", TOSS)
    assert len(SqliteJournal(tmp_path, reading=True).entries("coins")) == 4
    with pytest.raises(Missing, match="no data"):
        SqliteJournal(tmp_path / "none", reading=True)


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    table = coin_table(journal)
    table.play(HOST, 0, "first", TOSS)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    press = 0
    refused: Storage | None = None
    while refused is None and press < 1000:
        press, seen = press + 1, view(table)
        try:
            table.play(HOST, table.seq, f"press {press}", TOSS)
        except Storage as storage:
            refused = storage
    assert refused is not None
    assert "disk is full" in str(refused)
    assert view(table) == seen
    kept = table.seq
    journal._db.execute("PRAGMA max_page_count=1000000")
    table.play(HOST, table.seq, f"press {press}", TOSS)
    journal.close()
    assert reopened(tmp_path).seq == kept + 4


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    table = coin_table(journal)
    journal._db.execute("PRAGMA query_only=ON")
    seen = view(table)
    with pytest.raises(Storage, match="Nothing can be written"):
        table.play(HOST, 0, "tap", TOSS)
    assert view(table) == seen


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("not a folder")
    with pytest.raises(Storage):
        SqliteJournal(place)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(errno.ENOSPC, "disk is full"), (errno.EROFS, "Nothing can be written"), (errno.EIO, "Input/output error")],
)
def test_a_disk_that_takes_no_file_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: int, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(wrong, os.strerror(wrong))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(Storage, match=said):
        SqliteJournal(tmp_path)


def test_a_read_only_folder_is_refused_at_the_start(tmp_path: Path) -> None:
    """As a user who is not root, where there is one to become: root may write everywhere."""
    tmp_path.chmod(0o555)
    os.chmod(tmp_path.parent, 0o755)
    code = (
        "import os; os.getuid() or os.setuid(65534)\n"
        "from companion.play.sqlite_journal import SqliteJournal; from pathlib import Path\n"
        f"SqliteJournal(Path({str(tmp_path)!r}))"
    )
    loaded = "import companion.play.sqlite_journal, companion.words; companion.words.catalogue('en');\n"
    for folder in tmp_path.parents:
        if folder.stat().st_uid == os.getuid() and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
        if folder == Path("/tmp"):
            break
    ran = subprocess.run([sys.executable, "-c", loaded + code], capture_output=True, text=True, check=False)
    tmp_path.chmod(0o755)
    assert "Nothing can be written" in ran.stderr


def test_damaged_data_are_said_to_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "digside.sqlite").write_bytes(b"this is no database at all, whatever its name is" * 100)
    with pytest.raises(Storage, match="damaged"):
        SqliteJournal(tmp_path)


@pytest.mark.parametrize("content", [b"", b"this is no database at all, whatever its name is" * 100])
def test_looking_at_what_cannot_be_read_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "digside.sqlite").write_bytes(content)
    journal = SqliteJournal(tmp_path, reading=True)
    for look in (journal.summaries, lambda: journal.opened("coins"), lambda: journal.entries("coins")):
        with pytest.raises(Storage, match=r"damaged|no such table"):
            look()


def test_looking_at_what_is_shut_says_so(tmp_path: Path) -> None:
    (tmp_path / "digside.sqlite").mkdir()
    with pytest.raises(Storage, match="cannot be read"):
        SqliteJournal(tmp_path, reading=True).summaries()


def test_a_table_that_was_written_over_is_said_to_be_damaged(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    coin_table(journal).play(HOST, 0, "tap", TOSS)
    journal._db.execute("UPDATE entries SET body = 'nonsense' WHERE seq = 2")
    with pytest.raises(Storage, match="damaged"):
        journal.entries("coins")


def test_data_of_a_newer_digside_are_left_alone(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal._db.execute("PRAGMA user_version=99")
    journal.close()
    with pytest.raises(Storage, match="newer Digside") as refused:
        SqliteJournal(tmp_path)
    assert refused.value.__traceback__ is not None  # it keeps alive what was not closed
    held = [os.readlink(each) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    assert not [name for name in held if name.startswith(str(tmp_path))]


def test_nobody_else_on_the_machine_reads_the_secrets(tmp_path: Path) -> None:
    SqliteJournal(tmp_path)
    assert stat.S_IMODE((tmp_path / "digside.sqlite").stat().st_mode) == 0o600


def test_each_step_is_synced_to_the_disk(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
