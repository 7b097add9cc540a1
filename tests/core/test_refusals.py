"""One shape of a refusal for programs: what its sentence says, in plain JSON and the same in every language."""

from __future__ import annotations

import json

import pytest

from companion.refusals import AsTyped, Illegal, Malformed, Refusal, Storage, as_typed
from companion.words import LANGUAGES, catalogue, said_of


def test_a_refusal_is_told_by_code_key_rule_and_facts() -> None:
    refusal = Illegal("core.cannot_fall", rule="JVT-30", outcome="blank")
    told = {"code": "illegal", "key": "core.cannot_fall", "rule": "JVT-30", "facts": {"outcome": "blank"}}
    assert refusal.plain() == told


@pytest.mark.parametrize(
    ("refusal", "facts"),
    [
        (Malformed("core.same_name", name=AsTyped("red")), {"name": "red"}),
        (Malformed("core.bad_shape", known=as_typed(("star", "circle"))), {"known": ["star", "circle"]}),
        (Malformed("core.seat_count", least=2, most=4, n=7), {"least": 2, "most": 4, "n": 7}),
        (Illegal("core.no_draw"), {}),
    ],
)
def test_facts_are_plain_json(refusal: Refusal, facts: object) -> None:
    told = refusal.plain()["facts"]
    assert told == facts == json.loads(json.dumps(told))
    assert all(type(fact) in {str, int, list} for fact in told.values())


def test_a_fact_that_the_sentence_does_not_say_is_not_told() -> None:
    """The disk's own words, and where the folder lies, are for the service's log."""
    refusal = Storage("core.disk_full", folder="/home/ada/tables", reason="disk I/O error")
    assert refusal.plain()["facts"] == {}
    assert "ada" not in str(refusal)


def test_a_key_without_a_sentence_tells_nothing() -> None:
    assert Illegal("no.such_sentence", outcome="blank").plain()["facts"] == {}


def test_what_went_wrong_beneath_is_told_as_it_would_be_by_itself() -> None:
    beneath = Illegal("core.cannot_fall", rule="JVT-30", outcome="blank")
    refusal = Storage("core.table_damaged", table="k7m2p").because(beneath)
    assert refusal.plain()["facts"] == {"table": "k7m2p", "reason": beneath.plain()}
    assert Malformed("core.not_a_record").because(ValueError("torn")).plain()["facts"] == {"reason": "torn"}
    assert Malformed("core.over").because(ValueError("torn")).plain()["facts"] == {}


def test_every_language_says_the_same_facts() -> None:
    """So that a program told of them is told no more than anybody who can read."""
    for key in catalogue("en"):
        assert len({said_of(language, key) for language in LANGUAGES}) == 1, key
