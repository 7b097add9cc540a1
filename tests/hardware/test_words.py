"""Every code has a sentence, and every sentence a code."""

import re
from pathlib import Path

from hardware.faults import FAULTS, OUTCOMES, REFUSALS, ShovelRefused, Trouble

WORDS = Path(__file__).parents[2] / "hardware" / "WORDS.md"


def sentences() -> dict[str, str]:
    rows = re.findall(r"^\| `(shovel\.[a-z_.]+)` \| (.+) \|$", WORDS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(rows) == len(dict(rows)), "a key stands twice"
    return dict(rows)


def test_the_list_of_sentences_is_complete_and_has_no_others() -> None:
    wanted = {key for code in (*FAULTS, *OUTCOMES) for key in (Trouble.of(code).sentence, Trouble.of(code).remedy)}
    wanted |= {f"shovel.refused.{code}" for code in REFUSALS}
    assert set(sentences()) == wanted


def test_a_sentence_is_a_sentence() -> None:
    assert not [each for each in sentences().values() if not each[0].isupper() or not each.endswith(".")]


def test_a_refusal_carries_the_key_of_its_sentence() -> None:
    assert ShovelRefused("resting").key in sentences()
