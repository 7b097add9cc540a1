"""Sealed luck: fair, repeatable, and nobody's to bend."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import Chance
from companion.play.dealer import WORD, SealedDealer, Stir

DIE = Chance("dice", "die", tuple((face, 1) for face in range(1, 7)))
DEALER = SealedDealer(hashlib.sha256(b"a fixed secret").digest())


def chi_squared(seen: Counter[int], expected: dict[int, float]) -> float:
    return sum((seen[n] - mean) ** 2 / mean for n, mean in expected.items())


def test_dice_are_fair() -> None:
    """5 degrees of freedom: 20.5 is passed once in a thousand fair runs; this run is always the same one."""
    seen = Counter(DEALER.deal(draw, DIE, ()) for draw in range(12_000))
    assert chi_squared(seen, dict.fromkeys(range(1, 7), 2000.0)) < 20.5  # type: ignore[arg-type]


def test_weights_count() -> None:
    bag = Chance("tokens", "token egypt", (("blank", 16), ("object:1", 12), ("book", 2)))
    seen = Counter(DEALER.deal(draw, bag, ()) for draw in range(15_000))
    expected = {"blank": 8000.0, "object:1": 6000.0, "book": 1000.0}
    assert sum((seen[name] - mean) ** 2 / mean for name, mean in expected.items()) < 13.8


def test_a_fault_in_fairness_would_be_seen() -> None:
    """The same measure on dice of which one face is a tenth too heavy."""
    loaded = Chance("dice", "die", tuple((face, 11 if face == 6 else 10) for face in range(1, 7)))
    seen = Counter(DEALER.deal(draw, loaded, ()) for draw in range(12_000))
    assert chi_squared(seen, dict.fromkeys(range(1, 7), 2000.0)) > 20.5  # type: ignore[arg-type]


@given(st.integers(1, WORD), st.integers(0, 1000))
def test_a_number_lies_below_the_total(total: int, draw: int) -> None:
    assert 0 <= DEALER.below(total, draw, "any") < total


def test_words_that_would_favour_some_are_rejected() -> None:
    """With two thirds of 2^64 every third word is rejected. Were it not, the lower half would come twice as often."""
    total = WORD // 3 * 2
    mean = sum(DEALER.below(total, draw, "thirds") for draw in range(4000)) / 4000
    assert abs(mean / total - 0.5) < 0.02


@pytest.mark.parametrize("total", [0, -1, WORD + 1])
def test_nothing_to_choose_from_is_an_error(total: int) -> None:
    with pytest.raises(ValueError, match="a draw is among"):
        DEALER.below(total, 0, "none")


def test_other_questions_other_draws_and_other_pinches_are_other_luck() -> None:
    base = DEALER.below(WORD, 3, "die")
    assert base == DEALER.below(WORD, 3, "die")
    assert base != DEALER.below(WORD, 4, "die")
    assert base != DEALER.below(WORD, 3, "coin")
    assert base != DEALER.below(WORD, 3, "die", [Stir(0, "pinch")])
    assert base == DEALER.below(WORD, 3, "die", [Stir(4, "pinch")])
    assert base != SealedDealer(bytes(32)).below(WORD, 3, "die")


def test_the_seal_is_the_hash_of_the_secret() -> None:
    assert DEALER.seal == hashlib.sha256(DEALER.secret).hexdigest()
    with pytest.raises(ValueError, match="32 bytes"):
        SealedDealer(b"short")


def test_a_stir_counts_from_the_very_next_draw_and_for_none_before() -> None:
    stir = (Stir(3, "a pinch"),)
    unseen = [DEALER.below(WORD, draw, "die", stir) != DEALER.below(WORD, draw, "die") for draw in range(6)]
    assert unseen == [False, False, False, True, True, True]


def test_the_luck_of_a_secret_is_the_same_for_ever() -> None:
    """Else an older record would look dishonest: raise the rules' versions with the first word of the message."""
    stirs = (Stir(0, "a pinch"), Stir(2, "another"))
    assert [DEALER.deal(draw, DIE, stirs) for draw in range(12)] == [1, 2, 4, 5, 2, 2, 2, 5, 4, 6, 1, 1]
