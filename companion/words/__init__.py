"""Every sentence Digside says, in four languages: ``words/<language>/<area>.toml``, one catalogue for all who speak.

>>> say("en", "core.stale", {})
'The table has moved on: have a look, then choose again.'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from companion.refusals import AsTyped, Fact

LANGUAGES = ("en", "fr", "it", "de")
PEOPLE = frozenset({"name", "names", "who", "whose", "seat"})
"""Facts that are players: somebody called "star" is called so in every language."""

Sentence = str | dict[str, str]
"""A sentence, or its ``one`` and ``other`` form, chosen by the fact ``n``."""


_SLOT = re.compile(r"\{(\w+)\}")
_NEVER_PARTED = re.compile(r"(?<=«) | (?=[:;!?»])")


def held_together(sentence: str) -> str:
    """A French sentence whose signs stay with their words at the end of a line.

    >>> held_together("C’est « toi » ?").replace("\u00a0", "~")
    'C’est «~toi~»~?'
    """
    return _NEVER_PARTED.sub("\u00a0", sentence)


@cache
def catalogue(language: str) -> Mapping[str, Sentence]:
    """All sentences of a language by their dotted keys."""
    found: dict[str, Sentence] = {}
    for file in sorted(resources.files(__name__).joinpath(language).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            _gather(tomllib.loads(file.read_text(encoding="utf-8")), "", found)
    return {key: _printed(sentence) for key, sentence in found.items()} if language == "fr" else found


def _printed(sentence: Sentence) -> Sentence:
    if isinstance(sentence, str):
        return held_together(sentence)
    return {form: held_together(each) for form, each in sentence.items()}


@cache
def said_of(language: str, key: str) -> frozenset[str]:
    """The names of the facts that a sentence says; the count it is bent by is one of them."""
    sentence = catalogue(language).get(key, "")
    if isinstance(sentence, str):
        return frozenset(_SLOT.findall(sentence))
    return frozenset(_SLOT.findall(" ".join(sentence.values()))) | {"n"}


def say(language: str, key: str, facts: Mapping[str, Fact]) -> str:
    """The sentence of a key in a language, filled with facts; a key nobody has translated is said as it is."""
    words = catalogue(language if language in LANGUAGES else "en")
    sentence = words.get(key, key)
    if isinstance(sentence, dict):
        sentence = sentence[plural(language, facts.get("n", 0))]
    for name, fact in facts.items():
        slot = "{" + name + "}"
        if slot in sentence:
            sentence = sentence.replace(slot, spoken({} if name in PEOPLE else words, fact))
    return sentence


def plural(language: str, n: Fact) -> str:
    """Which form a count takes: French says zero and one alike, the others only one."""
    if not isinstance(n, (int, float)):
        return "other"
    return "one" if abs(n) < 2 and (language == "fr" or abs(n) == 1) else "other"


def spoken(words: Mapping[str, Sentence], fact: Fact) -> str:
    """A fact in words: a thing's name where the catalogue has one.

    >>> spoken(catalogue("en"), "egypt"), spoken(catalogue("en"), AsTyped("egypt"))
    ('Egypt', 'egypt')
    """
    if isinstance(fact, AsTyped):
        return str(fact)
    if isinstance(fact, str):
        name = words.get(f"name.{fact}", fact)
        return name if isinstance(name, str) else name["one"]
    if isinstance(fact, Sequence):
        return ", ".join(spoken(words, each) for each in fact)
    return str(fact)


def _gather(tree: Mapping[str, object], prefix: str, into: dict[str, Sentence]) -> None:
    for key, value in tree.items():
        if isinstance(value, str):
            into[prefix + key] = value
        elif isinstance(value, dict):
            if value.keys() == {"one", "other"}:
                into[prefix + key] = value
            else:
                _gather(value, f"{prefix}{key}.", into)
