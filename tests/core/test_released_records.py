"""Records that every released version wrote of every box hold, and come back as they were.

Each was written by that version's own code: its lines are records with a stir, draws, moves, steps back and an end.
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

FOLDER = Path(__file__).parent / "records"


def kept() -> Iterator[tuple[str, bytes]]:
    """The records by version, box and mode."""
    for file in sorted(FOLDER.glob("*.jsonl.gz")):
        for line in gzip.decompress(file.read_bytes()).splitlines():
            setup = json.loads(line)["laid"]["setup"]
            yield f"{file.name.removesuffix('.jsonl.gz')}-{setup['box']}-{setup['mode']}", line


@pytest.mark.parametrize("line", [pytest.param(line, id=name) for name, line in kept()])
def test_a_record_of_a_released_version_holds_and_comes_back(line: bytes, tmp_path: Path) -> None:
    record = decode(line)
    proof = verify(record)
    assert proof.fault is None, proof
    hall = Hall(tmp_path)
    again = export(hall.take_in(record))
    hall.close()
    assert (again.laid.rules, again.laid.luck) == (record.laid.rules, 1)
    assert again.over
    assert msgspec.json.encode(again.entries) == msgspec.json.encode(record.entries)
