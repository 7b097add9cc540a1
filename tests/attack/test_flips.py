"""A bit turns in a row: that table is as it was or closed and named; no other, no list, no start and no task breaks.

In a small file it is found and mended, or harmless.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack import flips, small_files
from tests.attack.flips import KINDS, Kept

FLIPS = 60
"""So many of each kind of row here; `make soak` turns 300 and more."""
FLIPS_OF_FILES = 4


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder whose syncs take no time, where there is such a thing."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


@pytest.fixture(scope="module")
def there(place: Path) -> Kept:
    return flips.kept(place)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bit_in_a_row_is_no_other_tables_affair(there: Kept, kind: str, place: Path) -> None:
    found = flips.flip(there, kind, FLIPS, place, random.Random(kind))
    harmless = kind in {"end", "going", "going, no entry"}  # told by the entries as well, or closed as before
    assert found == 0 if harmless else found > FLIPS * 0.9


@pytest.mark.parametrize("name", small_files.STATES)
def test_a_bit_in_a_small_file_is_mended_or_harmless(name: str, place: Path) -> None:
    there = small_files.made(place, name)
    found = small_files.flip(there, name, FLIPS_OF_FILES, place, random.Random(name))
    shows_itself = name in {"what is noted of these", "heads", "a marker"}  # each has a mark within
    assert found == (0 if shows_itself else FLIPS_OF_FILES)
