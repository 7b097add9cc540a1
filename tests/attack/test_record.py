"""What seals and heads of a record are, and what somebody who saw them can tell; forgeries are in `test_forgeries`."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.play import record as records
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import JournalLine, OutcomeRecorded, SealRenewed, StepsUndone
from companion.play.hall import Hall
from companion.play.opening import history_of
from companion.play.proof import SeenHeads, verify
from companion.play.record import Record, RecordLine, export
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Malformed

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


def another_seal(record: Record) -> Record:
    """By who has the program and the file: all dealt from a secret of their own, sealed at the beginning."""
    entries = [SealRenewed(SealedDealer(OTHER).seal), *(line.entry for line in record.entries)]
    back = next(n for n, entry in enumerate(entries) if isinstance(entry, StepsUndone))
    entries[back] = msgspec.structs.replace(entries[back], to=entries[back].to + 1)  # type: ignore[union-attr]
    history, dealer, lines = history_of(record.laid), SealedDealer(OTHER), []
    for seq, each in enumerate(entries, 1):
        entry = each
        if isinstance(entry, OutcomeRecorded):
            entry = msgspec.structs.replace(entry, outcome=dealer.deal(entry.draw, history.ask(), history.stirs))  # type: ignore[arg-type]
        history.follow(JournalLine(seq, record.laid.at, entry))  # type: ignore[arg-type]
        lines.append(RecordLine(seq, record.laid.at, entry))
    dealt = msgspec.structs.replace(record, entries=lines, secret=OTHER.hex())
    return msgspec.structs.replace(dealt, head=records.head_of(dealt, OTHER))


def test_what_was_played_holds_against_all_that_was_seen(hall: Hall) -> None:
    table = played(hall)
    proof = verify(export(table), noted=noted(table))
    assert (proof.fault, proof.draws, proof.head) == (None, 7, str(view(table)["head"]))
    assert proof.holds
    assert (proof.compared, proof.own_box, len(proof.seals)) == (True, False, 1)


def test_another_seal_than_the_layings_is_named_and_does_not_pass(hall: Hall) -> None:
    table = played(hall)
    forged = another_seal(export(table))
    proof = verify(forged)
    assert (proof.fault, proof.unproved, proof.holds) == (None, 0, False)
    assert proof.seals == ((0, table.laid.seal), (1, SealedDealer(OTHER).seal))
    assert verify(forged, noted=SeenHeads(table.laid.seal)).fault == "proof.not_the_seal"
    assert verify(forged, noted=SeenHeads(SealedDealer(OTHER).seal)).holds, "to whoever saw that one"


def test_a_table_taken_in_keeps_its_head_under_another_name(hall: Hall) -> None:
    table = played(hall)
    taken = hall.take_in(export(table))
    again = hall.take_in(export(taken))
    assert len({table.id, taken.id, again.id}) == 3
    for copy in (taken, again):
        assert verify(export(copy), noted=noted(table)).holds
        assert export(copy).laid.was == table.id


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
