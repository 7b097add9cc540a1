"""The rules of a box as a booklet to print: how it is set up, every rule in our own words, and the owner's figures."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from companion import games
from companion.boxes import Box
from companion.boxes.box import Figure
from companion.game import Seat, Setup
from companion.play.teaching import settings_up
from companion.refusals import Fact
from companion.rulebook import Heading, rulebook
from companion.words import known, say, spoken

HOUSE = "house"


def booklet(box: Box, setup: Setup, language: str) -> str:
    """The booklet as HTML.

    :param setup: for how many it is set up.
    """
    headings = rulebook(box.name, setup.mode, language, None, box.rulings)
    players = say(language, "ui.start.players", {"least": box.seats.min, "most": box.seats.max})
    parts = [
        f"<p>{escape(players)}</p>",
        *_setting_up(box, setup, language),
        *map(_heading, headings),
        *_figures(box, language),
    ]
    return "\n".join([f"<h1>{escape(say(language, f'{box.name}.title', {}))}</h1>", *parts])


def _setting_up(box: Box, setup: Setup, language: str) -> Iterator[str]:
    steps, _ = settings_up(setup, box, language)
    if steps:
        yield f"<h2>{escape(say(language, 'evening.teach.setting_up', {}))}</h2>"
        yield "<ol>" + "".join(f"<li>{escape(step.said)}</li>" for step in steps) + "</ol>"


def _heading(heading: Heading) -> str:
    rules = "".join(
        f"<li>{escape(rule.said)} <small>{rule.id}</small>"
        + (f"<br><em>{escape(rule.ruling)}</em>" if rule.ruling else "")
        + "</li>"
        for rule in heading.rules
    )
    return f"<section><h2>{escape(heading.title)}</h2><ul>{rules}</ul></section>"


def _figures(box: Box, language: str) -> Iterator[str]:
    """What is printed on the pieces, or stands in its owner's file; a star is a figure of ours."""
    yield f"<h2>{escape(say(language, 'evening.teach.figures', {}))}</h2>"
    shown = (figure for figure in box.figures() if not figure.key.startswith("seats."))
    for part, figures in groupby(shown, lambda figure: figure.key.partition(".")[0]):
        rows = "".join(_row(box, figure, language) for figure in figures)
        yield f"<h3>{escape(_named(box, part, language))}</h3><table class='figures'>{rows}</table>"
    yield f"<p>{escape(say(language, 'ui.house_sign', {}))}</p>"


def _row(box: Box, figure: Figure, language: str) -> str:
    below = figure.key.partition(".")[2].split(".")
    name = ", ".join(_named(box, part, language) for part in below if part)
    star = " *" if figure.origin == HOUSE else ""
    return f"<tr><th>{escape(name)}</th><td>{escape(_value(box, figure.value, language))}{star}</td></tr>"


def _value(box: Box, value: object, language: str) -> str:
    match value:
        case dict():
            told = ((_named(box, str(key), language), _value(box, part, language)) for key, part in value.items())
            return ", ".join(f"{key}: {part}" for key, part in told)
        case list() | tuple():
            return ", ".join(_value(box, part, language) for part in value)
        case str():
            return _named(box, value, language)
        case bool():
            return say(language, "ui.yes" if value else "ui.no", {})
    return str(value)


def _named(box: Box, part: str, language: str) -> str:
    """What a part of a figure's key is called."""
    for key in (f"{box.name}.figure.{part}", f"figure.{part}"):
        if known(language, key):
            return say(language, key, {})
    told: Fact = part
    return spoken(language, told, (box.name,)).replace("_", " ")


def plain_setup(box: Box, seats: int) -> Setup:
    """A table for so many with all that the box has, played by its rules."""
    mode = games.modes(box.name)[0]
    kind = games.kind(box, mode)
    people = tuple(Seat(str(seat + 1)) for seat in range(min(max(seats, box.seats.min), box.seats.max)))
    options = {option.name: option.default for option in kind.options}
    return Setup(box.name, mode, people, dict.fromkeys(("default", *kind.randomizers), "table"), options=options)
