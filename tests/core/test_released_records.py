"""Records that every released version wrote, and those of games by older rules, hold and come back as they were.

Each was written by the code of its time: its lines are records with a stir, draws, moves, steps back and an end.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import decode, export
from companion.refusals import Refusal

FOLDER = Path(__file__).parent / "records"
BY_OLDER_RULES = {
    f"{file.parents[1].name}-{file.stem}": file.read_bytes()
    for file in sorted(FOLDER.parents[1].glob("games/*/records/*.json"))
}


def of_releases() -> Iterator[tuple[str, bytes]]:
    """The records by version, box and mode."""
    for file in sorted(FOLDER.glob("*.jsonl.gz")):
        for line in gzip.decompress(file.read_bytes()).splitlines():
            setup = json.loads(line)["laid"]["setup"]
            yield f"{file.name.removesuffix('.jsonl.gz')}-{setup['box']}-{setup['mode']}", line


KEPT = [*of_releases(), *BY_OLDER_RULES.items()]


@pytest.mark.parametrize("content", [pytest.param(content, id=name) for name, content in KEPT])
def test_a_record_holds_and_comes_back(content: bytes, tmp_path: Path) -> None:
    record = decode(content)
    proof = verify(record)
    assert proof.fault is None, proof
    assert proof.holds
    assert proof.draws + proof.reported > 0
    hall = Hall(tmp_path)
    again = export(hall.take_in(record))
    hall.close()
    assert (again.laid.rules, again.laid.luck) == (record.laid.rules, 1)
    assert again.over
    again = msgspec.structs.replace(again, laid=record.laid, digside=record.digside, version=record.version)
    assert msgspec.json.encode(again) == msgspec.json.encode(record)


@pytest.mark.parametrize("content", BY_OLDER_RULES.values(), ids=BY_OLDER_RULES)
def test_by_the_next_rules_it_would_not_have_been(content: bytes) -> None:
    record = decode(content)
    laid = msgspec.structs.replace(record.laid, rules=record.laid.rules + 1, chain=0)
    proof = verify(msgspec.structs.replace(record, laid=laid, head=None))
    assert proof.fault in {"proof.against_rules", "proof.other_draw"}
    assert not isinstance(proof.reason, Refusal) or proof.reason.rule
