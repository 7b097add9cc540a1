"""A table as a file: exported, taken in again, and proved."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.game import Chance, Json, Seat, Setup
from companion.play import record as records
from companion.play.entries import (
    Entry,
    GameEnded,
    JournalLine,
    MaskedEntry,
    OutcomeRecorded,
    SealRenewed,
    StepsUndone,
    TableArrived,
    TableLeft,
    TableStayed,
)
from companion.play.hall import Hall
from companion.play.history import History
from companion.play.journal import NoJournal
from companion.play.proof import verify
from companion.play.record import Record, RecordLine, export
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Malformed, Storage
from tests.core.coins import coin_table

SECRET = bytes(range(32))


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def lay(hall: Hall, box: str = "horus", **more: object) -> Table:
    setup = Setup(box, "toolbox", (Seat("Ada"), Seat("Ben")), **more)  # type: ignore[arg-type]
    return hall.lay(setup, secret=SECRET)


def play(table: Table, *moves: dict[str, Json]) -> None:
    for move in moves:
        table.play(HOST, table.seq, f"{table.seq}", move)


def played_out(hall: Hall) -> Table:
    table = lay(hall)
    play(table, {"type": "roll", "count": 5}, {"type": "block"})
    table.take_back(HOST, table.seq, "undo")
    table.stir(HOST, table.seq, "stir", "a pinch")
    play(table, {"type": "block"}, {"type": "block"}, {"type": "mummies"})
    return closed(table)


def closed(table: Table) -> Table:
    table.end(HOST, table.seq, "close")
    return table


def from_before_the_chain(record: Record) -> Record:
    """A record as it was written before entries formed a chain."""
    laid = msgspec.structs.replace(record.laid, chain=0, luck=1)
    return msgspec.structs.replace(record, version=1, laid=laid, head=None)


def linked(record: Record) -> Record:
    """A record whose chain was made to fit."""
    return msgspec.structs.replace(record, head=records.head_of(record, SECRET))


def with_entry(record: Record, seq: int, entry: object) -> Record:
    entries = [RecordLine(line.seq, line.at, entry) if line.seq == seq else line for line in record.entries]  # type: ignore[arg-type]
    return linked(msgspec.structs.replace(record, entries=entries))


def test_a_finished_record_proves_its_luck_undone_draws_too(hall: Hall) -> None:
    proof = verify(export(played_out(hall)))
    assert proof.holds
    assert proof.draws == 5 + 1 + 2 + 5


def test_a_record_and_back_is_equal(hall: Hall) -> None:
    record = export(played_out(hall))
    assert records.decode(records.encode(record)) == record


def test_a_move_that_never_could_have_been_is_named(hall: Hall) -> None:
    record = export(played_out(hall))
    first = record.entries[0]
    forged = with_entry(record, 1, msgspec.structs.replace(first.entry, move={"type": "roll", "count": 77}))
    proof = verify(forged)
    assert (proof.fault, proof.seq) == ("proof.against_rules", 1)


def test_outcomes_the_table_reported_are_counted_apart(hall: Hall) -> None:
    table = lay(hall, sources={"dice": "table"})
    play(table, {"type": "roll", "count": 2})
    for face in (3, 4):
        assert isinstance(table.ask(), Chance)
        table.answer(HOST, table.seq, f"die {face}", face)
    table.end(HOST, table.seq, "close")
    proof = verify(export(table))
    assert (proof.holds, proof.draws, proof.reported) == (True, 0, 2)


def test_before_the_end_the_secret_is_not_in_the_record(hall: Hall) -> None:
    table = lay(hall)
    play(table, {"type": "roll", "count": 5})
    record = export(table)
    assert record.secret is None
    assert SECRET.hex().encode() not in records.encode(record)
    assert verify(record).fault == "proof.no_secret"


def test_what_is_hidden_is_masked_until_the_end() -> None:
    table = coin_table(NoJournal())
    table.play(HOST, 0, "bury", {"type": "bury"})
    assert [line.entry for line in export(table).entries][1] == MaskedEntry()
    table.end(HOST, table.seq, "close")
    assert isinstance(export(table).entries[1].entry, OutcomeRecorded)


def test_a_record_that_is_over_is_taken_in_as_it_was(hall: Hall) -> None:
    table = played_out(hall)
    taken = hall.take_in(export(table))
    old, new = view(table, SPECTATOR), view(taken, SPECTATOR)
    assert taken.id != table.id
    assert {**old, "table": ""} == {**new, "table": ""}
    assert verify(export(taken)).holds


def test_a_record_that_is_not_over_goes_on_under_a_new_seal(hall: Hall) -> None:
    table = lay(hall)
    play(table, {"type": "roll", "count": 5})
    taken = hall.take_in(export(table))
    assert isinstance(taken.written[-1].entry, SealRenewed)
    assert view(taken)["seal"] != view(table)["seal"]
    assert view(taken)["board"] == view(table)["board"]
    play(taken, {"type": "block"})
    taken.end(HOST, taken.seq, "close")
    proof = verify(export(taken))
    assert (proof.fault, proof.draws, proof.unproved) == (None, 1, 5)
    assert not proof.holds, "what another device dealt is not proved here"


def test_a_record_with_hidden_entries_cannot_be_gone_on_with(hall: Hall) -> None:
    record = export(lay(hall))
    masked = msgspec.structs.replace(record, entries=[RecordLine(1, 0, MaskedEntry())])
    with pytest.raises(Malformed, match="hidden entries"):
        hall.take_in(masked)
    assert verify(msgspec.structs.replace(masked, secret=SECRET.hex())).fault == "proof.masked"


@pytest.mark.parametrize(
    "file", [b"", b"[]", b'{"format":"other"}', b"\xff\xfe", b'{"format":"digside-record","version":1}']
)
def test_what_is_no_record_is_refused(file: bytes) -> None:
    with pytest.raises(Malformed, match="not a record"):
        records.decode(file)


def test_a_strangers_box_is_checked(hall: Hall) -> None:
    record = export(lay(hall))
    bad = msgspec.structs.replace(record.laid, box={**record.laid.box, "dice": {"faces": -1}})
    before = len(hall.tables())
    with pytest.raises(Malformed, match="figures of the box"):
        hall.take_in(msgspec.structs.replace(record, laid=bad))
    assert len(hall.tables()) == before


def test_a_table_replays_with_the_figures_it_was_laid_with(hall: Hall) -> None:
    table = lay(hall, "jenseits")
    own = hall.own_boxes
    own.mkdir()
    (own / "jenseits.toml").write_text("[sites.egypt.objects]\n1 = 4\n2 = 2\n3 = 3\n4 = 2\n5 = 1\n7 = 1\n")
    assert lay(hall, "jenseits").laid.box_digest != table.laid.box_digest
    record = export(table)
    assert hall.take_in(record).laid.box_digest == table.laid.box_digest


def test_the_save_format_changes_only_on_purpose(hall: Hall) -> None:
    """A new field here means: decide what an older record says instead, then add it to this list."""
    assert set(msgspec.to_builtins(export(lay(hall)))) == {
        "format", "version", "digside", "over", "laid", "secret", "entries", "head",
    }  # fmt: skip
    assert set(msgspec.to_builtins(export(lay(hall)).laid)) == {
        "table", "at", "setup", "box", "box_digest", "rules", "seal", "digside", "chain",
        "confirms", "luck",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"sources": {"tokens": "table"}}, "Nothing called"),
        ({"options": {"cheat": True}}, "no option"),
    ],
)
def test_a_table_is_laid_only_with_what_its_game_knows(hall: Hall, more: dict[str, object], said: str) -> None:
    with pytest.raises(Malformed, match=said):
        lay(hall, "horus", **more)


@pytest.mark.parametrize(
    "names", [("Ada",), ("Ada",) * 2, ("Ada", ""), ("Ada", "x" * 25), ("Ada", "a\x07b"), tuple("abcdefg")]
)
def test_names_and_seats_are_checked(hall: Hall, names: tuple[str, ...]) -> None:
    with pytest.raises(Malformed):
        hall.lay(Setup("horus", "toolbox", tuple(Seat(name) for name in names)))


def test_every_table_is_in_the_list(hall: Hall) -> None:
    open_table, over = lay(hall), played_out(hall)
    assert {(each.table, each.over) for each in hall.tables()} == {(open_table.id, False), (over.id, True)}


def test_a_key_opens_one_seat(hall: Hall) -> None:
    table = lay(hall)
    assert hall.actor(table, table.keys.host) == HOST
    assert hall.actor(table, None) == SPECTATOR
    ben = hall.actor(table, table.keys.seats[1])
    assert ben is not None
    assert ben.seat == 1
    assert hall.actor(table, "wrong") is None


def test_a_draw_passed_off_as_the_tables_is_named(hall: Hall) -> None:
    record = export(played_out(hall))
    first = next(line for line in record.entries if isinstance(line.entry, OutcomeRecorded))
    forged = with_entry(record, first.seq, OutcomeRecorded("table", 6, 0))
    proof = verify(forged)
    assert (proof.fault, proof.seq) == ("proof.other_source", first.seq)


def test_a_secret_told_too_early_is_not_dealt_from(hall: Hall) -> None:
    """Cut short, the record of a finished game would be one whose luck everybody knows."""
    record = export(played_out(hall))
    cut = msgspec.structs.replace(record, entries=[*record.entries[:6]])
    taken = hall.take_in(cut)
    assert not taken.over()
    assert taken.dealer.secret != SECRET
    assert isinstance(taken.written[-1].entry, SealRenewed)


LEFT = TableLeft("the ticket", "there")


@pytest.mark.parametrize(
    ("entries", "key"),
    [
        ((TableArrived("the ticket"),), "entry.had_not_left"),
        ((TableStayed("the ticket"),), "entry.had_not_left"),
        ((LEFT, TableArrived("another")), "entry.has_left"),
        ((LEFT, LEFT), "entry.has_left"),
        ((LEFT, GameEnded()), "entry.has_left"),
    ],
)
def test_a_table_comes_only_from_where_it_was_sent(hall: Hall, entries: tuple[Entry, ...], key: str) -> None:
    table = lay(hall)
    with pytest.raises(Malformed) as refused:
        History(table.game, table.laid, [JournalLine(seq, 0, entry) for seq, entry in enumerate(entries, 1)])
    assert refused.value.key == key


@pytest.mark.parametrize("at", [-1, 10**25])
def test_a_time_that_no_calendar_knows_is_refused(hall: Hall, at: int) -> None:
    table = lay(hall)
    play(table, {"type": "roll", "count": 1})
    told = msgspec.to_builtins(export(table))
    told["entries"][0]["at"] = at
    with pytest.raises(Malformed, match="not a record"):
        records.decode(msgspec.json.encode(told))


def test_a_table_whose_last_step_is_kept_is_over_whatever_the_list_could_note(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: str, __: object) -> None:
        raise Storage("core.disk_full")

    table, heard = lay(hall), list[JournalLine]()
    table.listen(lambda _, lines: heard.extend(lines))
    monkeypatch.setattr(hall.journal, "finish", full)
    table.end(HOST, table.seq, "close")
    assert table.over()
    assert len(heard) == 1, "whoever listens hears of it"


def test_other_figures_than_those_it_was_laid_with_are_noticed(hall: Hall) -> None:
    record = export(played_out(hall))
    box = {**record.laid.box, "score": {**record.laid.box["score"], "diversity": [0, 1, 3, 6, 10, 99]}}
    laid = msgspec.structs.replace(record.laid, box=box)
    with pytest.raises(Malformed, match="figures of the box"):
        verify(linked(msgspec.structs.replace(record, laid=laid)))
    plan = {**record.laid.box["plan"], "mummies": record.laid.box["plan"]["alternative"]}
    laid = msgspec.structs.replace(record.laid, box={**record.laid.box, "plan": plan})
    assert verify(linked(msgspec.structs.replace(record, laid=laid))).fault == "proof.other_box"


@pytest.mark.parametrize(("rules", "said"), [(0, "rules of Digside 0.1.0, which differ"), (99, "newer Digside")])
def test_a_record_of_other_rules_is_not_judged_by_ours(hall: Hall, rules: int, said: str) -> None:
    """An honest game of another version would look like a dishonest one of this."""
    refereed = hall.lay(Setup("jenseits", "referee", (Seat("Ada"), Seat("Ben"))))
    for record in (export(played_out(hall)), export(closed(refereed))):
        other = msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, rules=rules, digside="0.1.0"))
        for look in (verify, hall.take_in):
            with pytest.raises(Malformed, match=said):
                look(other)


@pytest.mark.parametrize(
    "seat", [Seat("x" * 500), Seat("A\x07da"), Seat("Ada", "red;}"), Seat("Ada", "#123456", "blob"), Seat("Ben")]
)
def test_a_strangers_players_are_checked_like_ours(hall: Hall, seat: Seat) -> None:
    record = export(played_out(hall))
    setup = msgspec.structs.replace(record.laid.setup, seats=(seat, Seat("Ben")))
    strange = msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, setup=setup))
    with pytest.raises(Malformed):
        hall.take_in(strange)


def test_a_seat_that_took_back_what_was_revealed_is_named(hall: Hall) -> None:
    """Only the host can, and it shows: else a seat could have peeked and thought better of it."""
    ada = Actor("seat", 0)
    table = lay(hall)
    table.play(ada, 0, "award", {"type": "award", "seat": 0, "points": 3})
    table.take_back(ada, 1, "undo")
    table.take_back(ada, 2, "redo", 1)
    table.play(ada, 3, "roll", {"type": "roll", "count": 2})
    table.take_back(HOST, table.seq, "the host's undo")
    table.end(HOST, table.seq, "close")
    record = export(table)
    assert verify(record).holds
    back = record.entries[-2].entry
    assert isinstance(back, StepsUndone)
    proof = verify(with_entry(record, 7, msgspec.structs.replace(back, by="seat", seat=0)))
    assert (proof.fault, proof.seq) == ("proof.not_to_take_back", 7)


def rolled_on_the_table(hall: Hall) -> tuple[Table, Actor]:
    """Ada has rolled on the table, reported it, and taken the report back."""
    ada, table = Actor("seat", 0), lay(hall, sources={"dice": "table"})
    table.play(ada, 0, "roll", {"type": "roll", "count": 1})
    table.answer(ada, 1, "die", 1)
    table.take_back(ada, 2, "a slip of the finger")
    return table, ada


def test_a_record_from_when_a_seat_took_back_a_move_behind_its_report_holds(hall: Hall) -> None:
    table, ada = rolled_on_the_table(hall)
    assert table.offer(ada).why == "undo.revealed", "it is not open any more"
    table.take_back(HOST, 3, "the host's undo")
    play(table, {"type": "block"})
    table.end(HOST, table.seq, "close")
    record = from_before_the_chain(export(table))
    proof = verify(with_entry(record, 4, StepsUndone("seat", 0, 0)))
    assert (proof.fault, proof.draws, proof.reported) == (None, 1, 1)
    for other in (
        StepsUndone("seat", 0, 1),
        StepsUndone("seat", 0),
        StepsUndone("seat", 1, 0),
        StepsUndone("seat", 2, 0),
    ):
        assert verify(with_entry(record, 4, other)).fault == "proof.not_to_take_back"


def test_a_table_from_when_a_seat_took_back_a_move_behind_its_report_goes_on(hall: Hall) -> None:
    table, _ = rolled_on_the_table(hall)
    table.take_back(HOST, 3, "the host's undo")
    taken = hall.take_in(with_entry(export(table), 4, StepsUndone("seat", 0, 0)))
    play(taken, {"type": "block"})
    assert taken.written[3].entry == StepsUndone("seat", 0, 0)
