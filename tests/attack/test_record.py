"""A record that was doctored: whatever was done to it, it does not pass for the game that was played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.play import record as records
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import JournalLine, MovePlayed, OutcomeRecorded, PinchCommitted, PinchOpened, SealRenewed
from companion.play.hall import Hall
from companion.play.opening import box_of, history_of
from companion.play.proof import SeenHeads, verify
from companion.play.record import Record, RecordLine, export
from companion.play.stirring import promise
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Malformed
from companion.terminal import commands

SECRET = bytes(range(32))
OTHER = bytes(range(100, 132))


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def played(hall: Hall, box: str = "horus") -> Table:
    """A table at which tools were used, something was taken back, and somebody stirred."""
    table = hall.lay(Setup(box, "toolbox", (Seat("Ada"), Seat("Ben"))), secret=SECRET)
    for move in ({"type": "roll", "count": 5}, {"type": "award", "seat": 0, "points": 3}, {"type": "block"}):
        table.play(HOST, table.seq, str(table.seq), move)
    table.take_back(HOST, table.seq, "back")
    table.stir(HOST, table.seq, "stir", "a pinch")
    table.play(HOST, table.seq, "block", {"type": "block"})
    table.end(HOST, table.seq, "the end")
    return table


def noted(table: Table) -> SeenHeads:
    """What a phone that looked on remembers: the seal, and the heads it saw."""
    heads = [(seq, str(view(table, seq=seq)["head"])) for seq in (0, 3, table.seq)]
    return SeenHeads(table.laid.seal, tuple(heads))


def lines_of(record: Record, entries: list[Any]) -> list[RecordLine]:
    """Entries with numbers as if none had ever been missing."""
    return [RecordLine(seq, record.laid.at + seq, entry) for seq, entry in enumerate(entries, 1)]


def dealt_anew(record: Record, secret: bytes) -> Record:
    """By who has the program: every outcome of the companion as this secret gives it, and the chain made to fit."""
    history, dealer, entries = history_of(record.laid), SealedDealer(secret), []
    for line in record.entries:
        entry = line.entry
        if isinstance(entry, OutcomeRecorded) and entry.by == "companion":
            entry = msgspec.structs.replace(entry, outcome=dealer.deal(entry.draw, history.ask(), history.stirs))  # type: ignore[arg-type]
        history.follow(JournalLine(line.seq, line.at, entry))  # type: ignore[arg-type]
        entries.append(RecordLine(line.seq, line.at, entry))
    return fitting(msgspec.structs.replace(record, entries=entries, secret=secret.hex()), secret)


def fitting(record: Record, secret: bytes = SECRET) -> Record:
    """A record whose chain was made anew, so that it agrees with itself."""
    return msgspec.structs.replace(record, head=records.head_of(record, secret))


def another_seal(record: Record) -> Record:
    entries = [SealRenewed(SealedDealer(OTHER).seal), *(line.entry for line in record.entries)]
    back = next(n for n, entry in enumerate(entries) if getattr(entry, "to", None) is not None)
    entries[back] = msgspec.structs.replace(entries[back], to=entries[back].to + 1)  # type: ignore[union-attr]
    return dealt_anew(msgspec.structs.replace(record, entries=lines_of(record, entries)), OTHER)


def all_sixes(record: Record) -> Record:
    """The dice are said to have been the table's own."""
    setup = msgspec.structs.replace(record.laid.setup, sources={"default": "table"})
    laid = msgspec.structs.replace(record.laid, setup=setup)
    entries = [
        msgspec.structs.replace(e, by="table", outcome=6) if isinstance(e := line.entry, OutcomeRecorded) else e
        for line in record.entries
    ]
    return fitting(msgspec.structs.replace(record, laid=laid, entries=lines_of(record, entries)))


def other_figures(record: Record) -> Record:
    plan = {**record.laid.box["plan"], "mummies": record.laid.box["plan"]["alternative"]}
    laid = msgspec.structs.replace(record.laid, box={**record.laid.box, "plan": plan})
    laid = msgspec.structs.replace(laid, box_digest=box_of(laid).digest)
    return dealt_anew(msgspec.structs.replace(record, laid=laid), SECRET)


def without_a_move(record: Record) -> Record:
    """The points that were given by hand are left out, and what was taken back with them."""
    gone = [
        n for n, line in enumerate(record.entries) if isinstance(line.entry, MovePlayed) and "award" in str(line.entry)
    ]
    kept = [line.entry for n, line in enumerate(record.entries) if n not in gone]
    back = next(n for n, entry in enumerate(kept) if getattr(entry, "to", None) is not None)
    kept[back] = msgspec.structs.replace(kept[back], to=kept[back].to - 1)  # type: ignore[union-attr]
    return fitting(msgspec.structs.replace(record, entries=lines_of(record, kept)))


def other_names(record: Record) -> Record:
    seats = (Seat("Eve", "#123456", "star"), *record.laid.setup.seats[1:])
    setup = msgspec.structs.replace(record.laid.setup, seats=seats)
    return fitting(msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, setup=setup)))


def other_day(record: Record) -> Record:
    return fitting(msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, at=1)))


def other_hour(record: Record) -> Record:
    lines = [*record.entries[:-1], RecordLine(record.entries[-1].seq, 5, record.entries[-1].entry)]
    return fitting(msgspec.structs.replace(record, entries=lines))


def other_table(record: Record) -> Record:
    return fitting(msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, table="xxxxx")))


def without_a_chain(record: Record) -> Record:
    laid = msgspec.structs.replace(record.laid, chain=0)
    return msgspec.structs.replace(record, version=1, laid=laid, head=None)


def another_pinch(record: Record) -> Record:
    """Who has the secret tries pinches until the next block pleases, and puts the best in the place of the real one."""
    entries: list[Any] = []
    for line in record.entries:
        match line.entry:
            case PinchCommitted() as entry:
                entries.append(msgspec.structs.replace(entry, commit=promise("host", "a better one")))
            case PinchOpened() as entry:
                entries.append(msgspec.structs.replace(entry, pinch="a better one"))
            case entry:
                entries.append(entry)
    return dealt_anew(msgspec.structs.replace(record, entries=lines_of(record, entries)), SECRET)


FORGERIES = [
    another_seal,
    all_sixes,
    other_figures,
    without_a_move,
    other_names,
    other_day,
    other_hour,
    other_table,
    without_a_chain,
    another_pinch,
]


def test_what_was_played_holds_against_all_that_was_seen(hall: Hall) -> None:
    table = played(hall)
    proof = verify(export(table), noted=noted(table))
    assert (proof.fault, proof.draws, proof.head) == (None, 7, str(view(table)["head"]))
    assert proof.holds
    assert (proof.compared, proof.own_box, len(proof.seals)) == (True, False, 1)


@pytest.mark.parametrize("forge", FORGERIES)
def test_whoever_noted_seal_or_head_sees_that_a_record_was_doctored(
    hall: Hall, forge: Callable[[Record], Record]
) -> None:
    table = played(hall)
    forged, saw = forge(export(table)), noted(table)
    assert forged != export(table)
    for heads in (saw.heads, saw.heads[-1:], ((None, saw.heads[-1][1]),)):
        proof = verify(forged, noted=SeenHeads(None, heads))
        assert proof.fault == "proof.not_the_head"
        assert not proof.holds
    assert verify(forged).fault is None, "it is a forgery that agrees with itself"


@pytest.mark.parametrize("forge", FORGERIES)
def test_without_a_note_a_forgery_is_not_told_as_more_than_it_proves(
    hall: Hall, forge: Callable[[Record], Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seal and head are printed for whoever has them on paper; what cannot be proved is said."""
    file = tmp_path / "game.json"
    forged = forge(export(played(hall)))
    file.write_bytes(records.encode(forged))
    commands.prove(file, SeenHeads(), "en")
    said = capsys.readouterr().out
    assert forged.laid.seal in said
    assert "proved by the seal and the head you saw" in said
    for forgery, doubt in (
        (another_seal, "under another seal"),
        (all_sixes, "no luck to prove"),
        (other_figures, "not those Digside comes with"),
        (without_a_chain, "before entries formed a chain"),
    ):
        assert (doubt in said) == (forge is forgery)
    assert ("Everything holds" in said) == (forge not in {another_seal, all_sixes})


def test_another_seal_than_the_layings_is_named_and_does_not_pass(hall: Hall) -> None:
    table = played(hall)
    forged = another_seal(export(table))
    proof = verify(forged)
    assert (proof.fault, proof.unproved, proof.holds) == (None, 0, False)
    assert proof.seals == ((0, table.laid.seal), (1, SealedDealer(OTHER).seal))
    assert verify(forged, noted=SeenHeads(table.laid.seal)).fault == "proof.not_the_seal"
    assert verify(forged, noted=SeenHeads(SealedDealer(OTHER).seal)).holds, "to whoever saw that one"


def test_a_record_changed_by_hand_does_not_agree_with_itself(hall: Hall) -> None:
    record = export(played(hall))
    for forge in (other_names, other_day, other_hour, other_table, without_a_move):
        clumsy = msgspec.structs.replace(forge(record), head=record.head)
        assert verify(clumsy).fault == "proof.other_chain"
        with pytest.raises(Malformed, match="has been changed"):
            hall.take_in(clumsy)
    assert verify(msgspec.structs.replace(record, head=None)).fault == "proof.other_chain"


def test_a_table_taken_in_keeps_its_head_under_another_name(hall: Hall) -> None:
    table = played(hall)
    taken = hall.take_in(export(table))
    again = hall.take_in(export(taken))
    assert len({table.id, taken.id, again.id}) == 3
    for copy in (taken, again):
        assert verify(export(copy), noted=noted(table)).holds
        assert export(copy).laid.was == table.id


def test_a_few_digits_are_no_note(hall: Hall) -> None:
    table = played(hall)
    head = str(view(table)["head"])
    assert verify(export(table), noted=SeenHeads(None, ((None, head[:32]),))).holds
    assert verify(export(table), noted=SeenHeads(None, ((None, head[:31]),))).fault == "proof.not_the_head"
    assert verify(export(table), noted=SeenHeads(None, ((99, head),))).fault == "proof.not_the_head"


def test_a_link_tells_nobody_what_is_hidden(hall: Hall) -> None:
    """Who knows all that came before could else try every card until one gives the head on the screen."""
    table = played(hall)
    record = export(table)
    before = records.links_of(record, SECRET)[-2]
    last = JournalLine(record.entries[-1].seq, record.entries[-1].at, record.entries[-1].entry)  # type: ignore[arg-type]
    assert Chain(SECRET).link(before, last) == table.head()
    assert Chain(OTHER).link(before, last) != table.head()


def test_the_first_link_needs_no_secret(hall: Hall) -> None:
    table = hall.lay(Setup("horus", "toolbox", (Seat("Ada"), Seat("Ben"))))
    assert view(table)["head"] == beginning(table.laid).hex() == export(table).head


def test_a_seal_that_is_none_is_in_no_record(hall: Hall) -> None:
    """It would be printed as it is: control characters, and with them a false word of praise."""
    told = json.loads(records.encode(export(played(hall))))
    for seal in ("\x1b[2JEverything holds", "AB" * 32, "ab" * 31, "", "ab" * 32 + "\n"):
        with pytest.raises(Malformed, match="not a record"):
            records.decode(json.dumps({**told, "laid": {**told["laid"], "seal": seal}}).encode())


def test_the_chain_is_spelled_so_for_ever() -> None:
    """The head of a game that was played when the chain was new: whatever changes this breaks every older record."""
    record = records.decode((Path(__file__).parent / "records" / "chain_1.json").read_bytes())
    proof = verify(record)
    assert (proof.fault, proof.head) == (None, record.head)
    assert record.head == "a51d5beb2d77b6b691e31659806427ae736934de9494dd49d31987f7214bfc3e"
    assert record.laid.box_digest == games.box("horus").digest or proof.own_box
