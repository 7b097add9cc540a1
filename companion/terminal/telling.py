"""Tells a table in words, for the terminal: what happened, and how the pieces lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from companion.drawing.paper import LEAST, Paper, aligned
from companion.game import Json, scope_of
from companion.play.view import View
from companion.refusals import AsTyped, Fact, as_typed
from companion.rulebook import Heading
from companion.terminal.board import board_lines, held
from companion.terminal.board import news as changed
from companion.words import Scope, known, own, person, say, spoken

TYPED = 6
"""So many outcomes are named with a question."""


def log_sentence(language: str, view: View, line: Mapping[str, Json]) -> str:
    """One line of the log as a sentence."""
    what = line["what"]
    facts = {key: _fact(language, view, key, value) for key, value in _mapping(what).items()}
    facts["who"] = _who(language, view, line)
    kind, scope = str(facts.get("type", line["kind"])), _scope(view)
    sentence = own(language, f"log.{kind}", scope[-1:])
    if sentence is not None:
        return say(language, sentence, facts, scope)
    told_facts = {key: spoken(language, value, scope) for key, value in facts.items() if key not in {"who", "type"}}
    rest = " ".join(f"{key} {value}" for key, value in told_facts.items())
    return f"{facts['who']}: {kind} {rest}".rstrip()


def question_sentence(language: str, view: View, names: Mapping[str, Sequence[str]]) -> str:
    """What the table waits for, as a sentence.

    :param names: of what is not called by its own name, the names that tell it.
    """
    ask = _mapping(view["ask"])
    if ask["kind"] == "over":
        scores = [_mapping(score) for score in _sequence(ask["scores"])]
        told_scores = [f"{_name(language, view, score['seat'])} {score['total']}" for score in scores]
        winners = [_name(language, view, seat) for seat in _sequence(ask["winners"])]
        if not view["settled"]:
            return _hangs(language, view, as_typed(told_scores), names)
        facts = {"scores": as_typed(told_scores), "winners": as_typed(winners or ["–"])}
        return say(language, "cli.over", facts)
    if ask["kind"] == "chance":
        by = "cli.report" if ask["source"] == "table" else "cli.press"
        outcomes = [_text(odd) for odd in _sequence(ask["odds"])]
        some = " | ".join([*outcomes[:TYPED], *(["…"] if len(outcomes) > TYPED else [])])
        return say(language, by, {"question": _question(language, view, ask), "odds": f"report {some}"})
    seats = _sequence(ask["seats"])
    if len(seats) > 1:
        return say(language, "cli.anybody", {})
    return say(language, "cli.turn", {"who": _name(language, view, seats[0])})


def reports(language: str, view: View, names: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Everything that can be reported of a draw at the table, as it is typed, and what it is.

    :param names: of what is not called by its own name, the names that tell it.
    """
    ask = _mapping(view["ask"])
    if ask["kind"] != "chance" or ask["source"] != "table":
        return
    typed = [*(odd[0] for odd in map(_sequence, _sequence(ask["odds"]))), *_sequence(ask["besides"])]
    width = max((len(str(outcome)) for outcome in typed), default=0)
    for outcome in typed:
        told = _called(language, view, ask, outcome, names)
        yield f"report {outcome!s:{width}}  {told}".rstrip() if told != str(outcome) else f"report {outcome}"


def _hangs(language: str, view: View, scores: Fact, names: Mapping[str, Sequence[str]]) -> str:
    """Of an end that hangs on a report: who said what."""
    hinge, scope = _mapping(view["hinge"]), _scope(view)
    who = spoken(language, "host", scope) if hinge["seat"] is None else _name(language, view, hinge["seat"])
    unseen = say(language, "evening.hinge.unseen", {"who": AsTyped(who)})
    reports = [_mapping(report) for report in _sequence(hinge["reports"])]
    what = [
        unseen if report["outcome"] is None else _called(language, view, report, report["outcome"], names)
        for report in reports
    ]
    facts: dict[str, Fact] = {"scores": scores, "who": AsTyped(who), "what": as_typed(what)}
    return say(language, "cli.hangs", facts)


def _called(
    language: str, view: View, ask: Mapping[str, Json], outcome: Json, names: Mapping[str, Sequence[str]]
) -> str:
    """An outcome by the name of what it is; a seat by whoever sits there."""
    if ask["of"] == "seats":
        return _name(language, view, outcome)
    return spoken(language, tuple(names.get(str(outcome), (str(outcome),))), _scope(view))


def board(language: str, view: View, width: int) -> Iterator[str]:
    """The pieces, drawn in characters, no wider than the terminal."""
    scope = _scope(view)
    paper = Paper(language, [str(_mapping(seat)["name"]) for seat in _sequence(view["seats"])], width, scope)
    for line in board_lines(paper, _mapping(view["board"]), scope[-1]):
        yield line if len(line) <= width else line[: width - 1] + "…"


def hand(language: str, view: View, width: int) -> Iterator[str]:
    """What only the seat whose eyes are looking sees."""
    scope = _scope(view)
    paper = Paper(language, [str(_mapping(seat)["name"]) for seat in _sequence(view["seats"])], width, scope)
    yield from held(paper, _mapping(view["you"]), scope[-1])


def news(language: str, before: View, view: View) -> Iterator[str]:
    """What the newest steps have brought to light that no log keeps."""
    scope = _scope(view)
    paper = Paper(language, [str(_mapping(seat)["name"]) for seat in _sequence(view["seats"])], scope=scope)
    yield from changed(paper, _mapping(before["board"]), _mapping(view["board"]), scope[-1])


def headings(book: Sequence[Heading]) -> Iterator[str]:
    """The headings of a rulebook, each with the ids of its rules."""
    yield from aligned([[heading.title, " ".join(rule.id for rule in heading.rules)] for heading in book])


def rules(language: str, book: Sequence[Heading], width: int) -> Iterator[str]:
    """Every rule of a rulebook in full, and beneath it what Digside has ruled."""
    for rule in (rule for heading in book for rule in heading.rules):
        head = f"{rule.id}  "
        ruling = [] if rule.ruling is None else [say(language, "cli.ruling", {"ruling": AsTyped(rule.ruling)})]
        for sentence in (rule.said, *ruling):
            yield from wrap(sentence, max(width, LEAST), initial_indent=head, subsequent_indent=" " * len(head))
            head = " " * len(head)


def _question(language: str, view: View, ask: Mapping[str, Json]) -> str:
    """What chance is asked: by the game's own sentence for this question, or for its kind of draw; or what all say."""
    facts = {key: _fact(language, view, key, value) for key, value in _mapping(ask["facts"]).items()}
    scope = _scope(view)
    if "field" in facts:
        return say(language, f"evening.printed.{facts['field']}", facts, scope)
    for key in (f"{scope[-1]}.ask.{asked}" for asked in (ask["question"], ask["randomizer"])):
        if known(language, key):
            return say(language, key, facts, scope)
    return say(language, "ui.ask.draw", {})


def _scope(view: View) -> Scope:
    return scope_of(str(view["box"]), str(view["mode"]))


def _who(language: str, view: View, line: Mapping[str, Json]) -> str:
    if line["seat"] is not None:
        return _name(language, view, line["seat"])
    return spoken(language, str(line["by"]), _scope(view))


def _name(language: str, view: View, seat: Json) -> str:
    seats = _sequence(view["seats"])
    return person(language, str(_mapping(seats[seat])["name"])) if isinstance(seat, int) else "?"


def _fact(language: str, view: View, key: str, value: Json) -> Fact:
    if key == "seat":
        return _name(language, view, value)
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Sequence):
        return [_text(part) for part in value]
    return str(value) if value is not None else "–"


def _text(value: Json) -> str:
    return str(value[0]) if isinstance(value, Sequence) and not isinstance(value, str) and value else str(value)


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
