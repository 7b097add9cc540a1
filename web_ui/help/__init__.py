"""The players' manual: a folder of Markdown pages for each language, shown at `/help` without a network.

Only what these pages use of Markdown is understood: headings, paragraphs, lists, code, bold, links and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path

import msgspec

from companion.words import LANGUAGES

HERE = Path(__file__).parent
TOPICS = tuple(sorted(file.stem for file in (HERE / "en").glob("*.md")))
FIRST = "start"
"""The page that leads to all others."""

_BLOCK = re.compile(r"(?P<fence>```\n.*?\n```)|(?P<plain>(?:[^\n]+\n?)+)", re.DOTALL)
_SPAN = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)"
)
_ITEM = re.compile(r"^(?:\*|\d+\.) ", re.MULTILINE)


@cache
def source(language: str, topic: str) -> str | None:
    """The Markdown of a page; None where there is no such page."""
    if language not in LANGUAGES or topic not in TOPICS:
        return None
    return (HERE / language / f"{topic}.md").read_text(encoding="utf-8")


class Passage(msgspec.Struct, frozen=True):
    """A part of the manual under its heading, without its marks, and the page that it is on."""

    page: str
    title: str
    text: str


@cache
def passages(language: str) -> tuple[Passage, ...]:
    """The whole manual, passage by passage."""
    return tuple(passage for topic in TOPICS for passage in _passages(language, topic))


def _passages(language: str, topic: str) -> Iterator[Passage]:
    title = ""
    for found in _BLOCK.finditer(source(language, topic) or ""):
        text = "" if found["fence"] else _SPAN.sub(_plain, found["plain"].strip())
        if text.startswith("#"):
            title = text.lstrip("# ")
        elif text:
            yield Passage(f"/help/{topic}", title, _ITEM.sub("", text))


def _plain(found: re.Match[str]) -> str:
    """What is read of something marked; a picture is not read."""
    if found["picture"]:
        return ""
    return found["code"] or found["bold"] or found["text"] or ""


def as_html(text: str, place: Callable[[str], str]) -> str:
    """Markdown as HTML.

    :param place: the address of what a link or a picture names

    >>> as_html("# Hi\\n\\nSee [this](luck.md), **now**.", lambda target: f"/help/{target}")
    '<h1>Hi</h1>\\n<p>See <a href="/help/luck.md">this</a>, <strong>now</strong>.</p>'
    """
    return "\n".join(_block(found, place) for found in _BLOCK.finditer(text))


def _block(found: re.Match[str], place: Callable[[str], str]) -> str:
    if found["fence"]:
        return f"<pre>{escape(found['fence'][4:-4])}</pre>"
    text = found["plain"].strip()
    if text.startswith("#"):
        marks, _, title = text.partition(" ")
        return f"<h{len(marks)}>{_spans(title, place)}</h{len(marks)}>"
    if _ITEM.match(text):
        kind = "ul" if text.startswith("*") else "ol"
        items = "".join(f"<li>{_spans(item.strip(), place)}</li>" for item in _ITEM.split(text)[1:])
        return f"<{kind}>{items}</{kind}>"
    return f"<p>{_spans(text, place)}</p>"


def _spans(text: str, place: Callable[[str], str]) -> str:
    made, end = [], 0
    for found in _SPAN.finditer(text):
        made += [escape(text[end : found.start()]), _span(found, place)]
        end = found.end()
    return "".join([*made, escape(text[end:])])


def _span(found: re.Match[str], place: Callable[[str], str]) -> str:
    if found["code"]:
        return f"<code>{escape(found['code'])}</code>"
    if found["bold"]:
        return f"<strong>{escape(found['bold'])}</strong>"
    address, text = escape(place(found["target"])), escape(found["text"])
    return (
        f'<img src="{address}" alt="{text}" loading="lazy">' if found["picture"] else f'<a href="{address}">{text}</a>'
    )
