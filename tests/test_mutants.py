"""The mistakes that a soak makes are still mistakes in the code as it is."""

import pytest

from tests.mutants import MUTANTS, ROOT, Mutant, with_it


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_can_still_be_made(mutant: Mutant) -> None:
    before = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert with_it(mutant, before) != before
