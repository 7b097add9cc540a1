"""The journal: one writer, nothing half kept, a clear word when the disk does not want to."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.play.entries import Departure, JournalLine, TableClosed
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST
from companion.play.view import view
from companion.refusals import CommitOutcomeUnknown, Elsewhere, LostRace, Missing, Refusal, Storage
from tests.core.coins import KEYS, SECRET, coin_table, laid, reopened

TOSS = {"type": "toss", "count": 3}


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.lay(laid(), SECRET, KEYS, [JournalLine(1, 5, TableClosed(), "tap", "digest")])
    journal.close()
    again = SqliteJournal(tmp_path)
    assert again.laying_of("coins") == (laid(), SECRET, KEYS)
    assert again.knows("coins")
    assert not again.knows("other")
    assert again.entries("coins") == [JournalLine(1, 5, TableClosed(), "tap", "digest")]
    assert [(each[0].table, each[1], each[2], each[3]) for each in again.summaries()] == [("coins", 1, 5, False)]
    with pytest.raises(Missing):
        again.laying_of("other")


def test_entries_are_kept_all_or_none(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.lay(laid(), SECRET, KEYS)
    with pytest.raises(LostRace):
        journal.append("coins", [JournalLine(1, 1, TableClosed()), JournalLine(1, 1, TableClosed())])
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
    with pytest.raises(Missing, match="no Digside data"):
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
        SqliteJournal(tmp_path / "data")


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


def test_damage_in_the_very_words_that_tell_of_it_is_damage(tmp_path: Path) -> None:
    """SQLite names the broken table in its message, and Python cannot read that name."""
    journal = SqliteJournal(tmp_path)
    coin_table(journal)
    journal.close()
    file = tmp_path / "digside.sqlite"
    schema = (
        file.read_bytes()
        .replace(b"tableentries", b"tableentri\xc5s")
        .replace(b"CREATE TABLE entries", b"CREATE FABLE entries")
    )
    file.write_bytes(schema)
    with pytest.raises(Storage, match="damaged"):
        SqliteJournal(tmp_path)


@pytest.mark.parametrize("content", [b"", b"this is no database at all, whatever its name is" * 100])
def test_looking_at_what_cannot_be_read_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "digside.sqlite").write_bytes(content)
    journal = SqliteJournal(tmp_path, reading=True)
    for look in (journal.summaries, lambda: journal.laying_of("coins"), lambda: journal.entries("coins")):
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


def test_which_table_follows_is_found_without_reading_all_others(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.lay(laid(), SECRET, KEYS)
    journal.lay(replace(laid(), table="next", after="coins"), SECRET, KEYS)
    asked: list[str] = []
    journal._read_db.set_trace_callback(asked.append)
    assert journal.following("coins") == "next"
    (query,) = asked
    (plan,) = journal._read_db.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
    assert "USING INDEX following" in plan[3]


def test_each_step_is_synced_to_the_disk(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


class Slow(SqliteJournal):
    """Its disk takes a while: until so many others wait, the first commit is under way.

    :ivar commits: how many steps were acknowledged before each commit that had something to write.
    """

    def __init__(self, folder: Path, others: int, *, fails: bool = False) -> None:
        super().__init__(folder)
        self.others, self.fails = others, fails
        self.commits, self.made, self.refused = list[int](), list[str](), dict[str, Exception]()
        self.slow = False

    def _commit(self) -> None:
        if self.slow:
            self.commits.append(len(self.made))
            for _ in range(10_000):
                if len(self.commits) > 1 or len(self._steps._waiting) == self.others:
                    break
                threading.Event().wait(0.002)
            if len(self.commits) == 2 and self.fails:
                raise CommitOutcomeUnknown("core.perhaps", folder=str(self.folder), reason="disk I/O error")
        super()._commit()

    def play(self, steps: dict[str, list[JournalLine]]) -> None:
        """The first is under way when all others come."""
        self.slow = True

        def press(table: str) -> None:
            try:
                self.append(table, steps[table])
            except Refusal as refused:
                self.refused[table] = refused
            else:
                self.made.append(table)

        threads = [threading.Thread(target=press, args=(table,)) for table in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        self.slow = False


TAP = [JournalLine(1, 1, TableClosed(), "tap", "-")]


@pytest.fixture
def slow(tmp_path: Path) -> Callable[..., Slow]:
    """A journal with tables that are called 0, 1, 2 and so on."""

    def opened(tables: int, **wishes: bool) -> Slow:
        journal = Slow(tmp_path, tables - 1, **wishes)
        for table in range(tables):
            journal.lay(replace(laid(), table=str(table)), SECRET, KEYS)
        return journal

    return opened


def test_what_comes_while_the_disk_is_busy_is_kept_with_one_sync(slow: Callable[..., Slow], tmp_path: Path) -> None:
    journal = slow(12)
    journal.play({str(table): TAP for table in range(12)})
    assert sorted(journal.made) == sorted(str(table) for table in range(12))
    assert len(journal.commits) == 2, "the first, and then all others"
    assert journal.commits[1] <= 1, "none of them was acknowledged before its commit"
    journal.close()
    again = SqliteJournal(tmp_path)
    assert all(again.entries(str(table)) == TAP for table in range(12))


def test_one_that_is_refused_keeps_nobody_else_from_being_kept(slow: Callable[..., Slow]) -> None:
    journal = slow(7)
    journal.append("2", TAP)
    journal.delete("4")
    journal.send("6", Departure("a ticket", "http://there:8765", "a house"))
    taps = {str(table): TAP for table in range(7)}
    journal.play({**taps, "3": [*TAP, JournalLine(1, 1, TableClosed())]})
    assert sorted(journal.made) == ["0", "1", "5"]
    assert {table: type(refused) for table, refused in journal.refused.items()} == {
        "2": LostRace,
        "3": LostRace,
        "4": Missing,
        "6": Elsewhere,
    }
    assert [len(journal.entries(str(table))) for table in range(7)] == [1, 1, 1, 0, 0, 1, 0]


def test_a_sync_that_fails_is_told_to_all_whose_steps_it_held(slow: Callable[..., Slow]) -> None:
    journal = slow(6, fails=True)
    journal.play({str(table): TAP for table in range(6)})
    first = journal.made[0]
    assert journal.made == [first]
    assert {type(refused) for refused in journal.refused.values()} == {CommitOutcomeUnknown}
    assert len(journal.refused) == 5
    for table in journal.refused:
        journal.append(table, TAP)  # and each is settled by asking again
    assert all(journal.entries(str(table)) == TAP for table in range(6))
