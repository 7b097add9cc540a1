"""A table begun by version 1 of the rules goes on by it, and its record holds: nobody was told of an empty pile."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games.tomb_raiders.moves import Dig
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import decode, export
from tests.games.tomb_raiders.camp import Camp

FILE = Path(__file__).parent / "records" / "version_1.json"


def test_a_record_of_version_1_holds_and_comes_back_byte_for_byte(tmp_path: Path) -> None:
    record = decode(FILE.read_bytes())
    assert record.laid.rules == 1
    proof = verify(record)
    assert proof.holds
    assert proof.draws > 200
    hall = Hall(tmp_path)
    again = msgspec.structs.replace(export(hall.take_in(record)), laid=record.laid, digside=record.digside)
    assert msgspec.json.encode(again) == msgspec.json.encode(record)
    hall.close()


def test_by_todays_rules_it_would_not_have_been() -> None:
    """The first dig in an empty pile would have been told so."""
    record = decode(FILE.read_bytes())
    proof = verify(msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, rules=2)))
    assert proof.fault is not None
    assert not proof.holds


@pytest.mark.rule("TTR-13", "TTR-43")
def test_a_dig_in_an_empty_pile_was_over_without_a_word() -> None:
    camp = Camp(rules=1)
    camp.ready_to_dig()
    camp.lie("egypt")
    camp.play(Dig("egypt", 12, "region"))
    assert camp.state.task is None
    assert camp.seat == 1
