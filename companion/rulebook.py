"""The rules of a box for people to read, heading by heading, in the words of its game.

Where nobody referees it is told how the tools of the box are used, and what is ruled on it.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion import games
from companion.game import Mode, scope_of
from companion.lessons import lesson_by_rule
from companion.words import known, say, sentences

TITLE = "title"
PARTS = ("said", "why")
"""Of a lesson."""


class Taught(msgspec.Struct, frozen=True):
    """What is told of a rule to whoever learns the game, and why it is so."""

    said: str
    why: str


class Rule(msgspec.Struct, frozen=True):
    """A rule, what Digside has ruled where the rulebook is silent on it, and the lesson about it."""

    id: str
    said: str
    ruling: str | None = None
    lesson: Taught | None = None


class Heading(msgspec.Struct, frozen=True):
    """The rules that stand under one heading."""

    id: str
    title: str
    rules: tuple[Rule, ...]


def rulebook(
    box: str, mode: Mode, language: str, version: int | None = None, ruled: Collection[str] | None = None
) -> tuple[Heading, ...]:
    """The headings of a box as it is played so; none where its game has not written its rules down.

    :param version: of the rules that a table is played by; the newest, if none is said.
    :param ruled: the rules on which Digside has ruled, where an owner's rulebook says some of it itself; else all.
    """
    area = scope_of(box, mode)[-1]
    elsewhere = games.tools_missing(box) if mode == "toolbox" else frozenset[str]()
    written: dict[str, list[str]] = {}
    for key in sentences(language, area):
        if key.startswith(f"{area}.rules."):
            heading, rule = key.split(".")[2:]
            if heading not in elsewhere:
                written.setdefault(heading, []).append(rule)
    headings = tuple(_heading(language, area, heading, rules, version, ruled) for heading, rules in written.items())
    return headings if area == box else (*headings, *_rulings(box, language, ruled))


def matching(book: tuple[Heading, ...], wanted: str) -> tuple[Heading, ...]:
    """What a rulebook says of a word: the rule of that id, or every rule in which the word stands.

    >>> time = Heading("time", "Time", (Rule("JVT-01", "A ring of 52 weeks."), Rule("JVT-08", "The game is over.")))
    >>> [rule.id for heading in matching((time,), "RING") for rule in heading.rules]
    ['JVT-01']
    """
    sought = wanted.casefold()
    by_id = [_with(each, [rule for rule in each.rules if rule.id.casefold() == sought]) for each in book]
    by_word = [_with(each, [rule for rule in each.rules if sought in _text(each, rule)]) for each in book]
    return tuple(each for each in by_id if each.rules) or tuple(each for each in by_word if each.rules)


def _heading(
    language: str, area: str, heading: str, written: list[str], version: int | None, ruled: Collection[str] | None
) -> Heading:
    by_rule = lesson_by_rule(games.course_of(area, "referee") if area in games.names() else None)

    def taught(id_: str) -> Taught | None:
        lesson = by_rule.get(id_)
        return Taught(*(say(language, f"{area}.lesson.{lesson.id}.{part}", {}) for part in PARTS)) if lesson else None

    def rule(id_: str) -> Rule:
        before = f"{area}.rules_of_version.{version}.{id_}"
        if known(language, before):
            return Rule(id_, say(language, before, {}))
        ruling = f"{area}.rulings.{id_}"
        said = say(language, f"{area}.rules.{heading}.{id_}", {})
        ours = known(language, ruling) and (ruled is None or id_ in ruled)
        return Rule(id_, said, say(language, ruling, {}) if ours else None, taught(id_))

    title = say(language, f"{area}.rules.{heading}.{TITLE}", {})
    return Heading(heading, title, tuple(rule(each) for each in written if each != TITLE))


def _rulings(box: str, language: str, of: Collection[str] | None) -> tuple[Heading, ...]:
    """What Digside has ruled on a box: each ruling with its rule, where that is written down."""
    told = {rule.id: rule for heading in rulebook(box, "referee", language) for rule in heading.rules}
    ruled = [key.rpartition(".")[2] for key in sentences(language, box) if key.startswith(f"{box}.rulings.")]
    ours = [id_ for id_ in ruled if of is None or id_ in of]
    rules = tuple(told.get(id_) or Rule(id_, say(language, f"{box}.rulings.{id_}", {})) for id_ in ours)
    return (Heading("rulings", say(language, "core.rulings", {}), rules),) if rules else ()


def _with(heading: Heading, rules: list[Rule]) -> Heading:
    return msgspec.structs.replace(heading, rules=tuple(rules))


def _text(heading: Heading, rule: Rule) -> str:
    lesson = f"{rule.lesson.said} {rule.lesson.why}" if rule.lesson else ""
    return f"{heading.title} {rule.said} {rule.ruling or ''} {lesson}".casefold()
