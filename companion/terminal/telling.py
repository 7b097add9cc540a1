"""Tells a table in words, for the terminal: what happened, and how the pieces lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.drawing.paper import Paper
from companion.game import Json
from companion.play.view import View
from companion.refusals import Fact
from companion.terminal.board import drawn
from companion.words import catalogue, say, spoken

TYPED = 6
"""So many outcomes are named with a question."""


def told(language: str, view: View, line: Mapping[str, Json]) -> str:
    """One line of the log as a sentence."""
    what = line["what"]
    facts = {key: _fact(view, key, value) for key, value in _mapping(what).items()}
    facts["who"] = _who(language, view, line)
    words = catalogue(language)
    kind = str(facts.get("type", line["kind"]))
    for key in (f"log.{_area(view)}.{kind}", f"log.{kind}"):
        if key in words:
            return say(language, key, facts)
    rest = " ".join(f"{key} {spoken(words, value)}" for key, value in facts.items() if key not in {"who", "type"})
    return f"{facts['who']}: {kind} {rest}".rstrip()


def asked(language: str, view: View) -> str:
    """What the table waits for, as a sentence."""
    ask = _mapping(view["ask"])
    if ask["kind"] == "over":
        scores = [_mapping(score) for score in _sequence(ask["scores"])]
        told_scores = [f"{_name(view, score['seat'])} {score['total']}" for score in scores]
        winners = [_name(view, seat) for seat in _sequence(ask["winners"])]
        return say(language, "cli.over", {"scores": told_scores, "winners": winners or ["–"]})
    if ask["kind"] == "chance":
        by = "cli.report" if ask["source"] == "table" else "cli.press"
        outcomes = [_text(odd) for odd in _sequence(ask["odds"])]
        some = " | ".join([*outcomes[:TYPED], *(["…"] if len(outcomes) > TYPED else [])])
        return say(language, by, {"question": _question(language, view, ask), "odds": f"report {some}"})
    seats = _sequence(ask["seats"])
    if len(seats) > 1:
        return say(language, "cli.anybody", {})
    return say(language, "cli.turn", {"who": _name(view, seats[0])})


def reports(language: str, view: View, names: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Everything that can be reported of a draw at the table, as it is typed, and what it is.

    :param names: of what is not called by its own name, the names that tell it.
    """
    ask, words = _mapping(view["ask"]), catalogue(language)
    if ask["kind"] != "chance" or ask["source"] != "table":
        return
    typed = [odd[0] for odd in map(_sequence, _sequence(ask["odds"]))]
    width = max((len(str(outcome)) for outcome in typed), default=0)
    for outcome in typed:
        by_name = spoken(words, tuple(names.get(str(outcome), (str(outcome),))))
        told = _name(view, outcome) if ask["randomizer"] == "start" else by_name
        yield f"report {outcome!s:{width}}  {told}".rstrip() if told != str(outcome) else f"report {outcome}"


def board(language: str, view: View, width: int) -> Iterator[str]:
    """The pieces, drawn in characters, no wider than the terminal."""
    paper = Paper(language, [str(_mapping(seat)["name"]) for seat in _sequence(view["seats"])], width)
    for line in drawn(paper, _mapping(view["board"]), _area(view)):
        yield line if len(line) <= width else line[: width - 1] + "…"


def _question(language: str, view: View, ask: Mapping[str, Json]) -> str:
    """What chance is asked: by the box's own sentence for this question, or for its kind of draw, or by anybody's."""
    facts = {key: _fact(view, key, value) for key, value in _mapping(ask["facts"]).items()}
    facts["what"] = next((facts[key] for key in ("site", "square") if key in facts), "")
    words = catalogue(language)
    own = (f"ask.{_area(view)}.{asked}" for asked in (ask["question"], ask["randomizer"]))
    for key in (*own, f"ui.ask.{ask['randomizer']}"):
        if key in words:
            return say(language, key, facts)
    return say(language, "ui.ask.draw", {})


def _area(view: View) -> str:
    return "toolbox" if view["mode"] == "toolbox" else str(view["box"])


def _who(language: str, view: View, line: Mapping[str, Json]) -> str:
    if line["seat"] is not None:
        return _name(view, line["seat"])
    return spoken(catalogue(language), str(line["by"]))


def _name(view: View, seat: Json) -> str:
    seats = _sequence(view["seats"])
    return str(_mapping(seats[seat])["name"]) if isinstance(seat, int) else "?"


def _fact(view: View, key: str, value: Json) -> Fact:
    if key == "seat":
        return _name(view, value)
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
