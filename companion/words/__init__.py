"""Every sentence Digside says, in four languages, one catalogue for all who speak.

A sentence is bent by the fact ``n``, as a whole or in a word; any other count of it bends words of its own:
``{research} research {research:card|cards}``. Where several are
told in a sentence, the language's "and" stands before the last; behind a colon or a bracket they are a plain list.

Shared sentences lie in ``words/<language>/<area>.toml``. A game's own lie in its folder, in one file a language, and
its name goes before their keys: ``<game>.not_open``. That name is their *scope*. What things are called is looked up
in the scopes of a table, the nearest first, and then among the names that all share.

>>> say("en", "core.stale", {})
'The table has changed. Check it and choose again.'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from companion.refusals import AsTyped, Fact

LANGUAGES = ("en", "fr", "it", "de")
PEOPLE = frozenset({"name", "names", "who", "whose", "seat", "player"})
"""Facts that are players: somebody called "star" is called so in every language."""
UNTYPED = ("ui.seats.nameless", "ui.seats.bot_name")
"""What a seat is called until somebody types a name. It is kept in the language of whoever laid the table."""

Sentence = str | dict[str, str]
"""A sentence, or its ``one`` and ``other`` form, chosen by the fact ``n``."""

Scope = tuple[str, ...]
"""Whose words come first, the nearest at the front: at a table, its `companion.game.Setup.scope`."""

SHARED = ""
"""The scope of what all games share."""

_SLOT = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
_NEVER_PARTED = re.compile(r"(?<=«) | (?=[:;!?»])")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that a terminal obeys instead of showing them: a fact may come from a stranger's file."""
_shelves: dict[str, Path] = {}


class SaidTwice(ValueError):
    """A key stands twice in one scope, or a game calls a thing just as everybody does."""


def shelve(scope: str, folder: Path) -> None:
    """Have a game's words at hand: ``folder/<language>.toml`` is read when somebody first asks for them."""
    if _shelves.get(scope) != folder:
        _shelves[scope] = folder
        sentences.cache_clear()
        said_of.cache_clear()


def unshelve(scope: str) -> None:
    """Forget a game's words."""
    if _shelves.pop(scope, None) is not None:
        sentences.cache_clear()
        said_of.cache_clear()


def shelved() -> Scope:
    """The scopes there are beside the shared one."""
    return tuple(_shelves)


def catalogue(language: str, scopes: Iterable[str] | None = None) -> dict[str, Sentence]:
    """The shared sentences of a language and those of some scopes, or of all there are, by their dotted keys."""
    found = dict(sentences(language))
    for scope in shelved() if scopes is None else scopes:
        found |= sentences(language, scope)
    return found


def say(language: str, key: str, facts: Mapping[str, Fact], scope: Scope = ()) -> str:
    """The sentence of a key in a language, filled with facts; a key nobody has translated is said as it is.

    :param scope: whose names things go by; those of the key's own scope come after it. The nearest may have the whole
        sentence in its own words: ``<box>.ui.dial.title``, say.
    """
    sentence = _sentence(language, f"{scope[0]}.{key}") if scope else None
    sentence = sentence or _sentence(language, key)
    if sentence is None:
        return key
    if isinstance(sentence, dict):
        sentence = sentence[plural(language, facts.get("n", 0))]
    scope = (*scope, _scope_of(key))

    def filled(slot: re.Match[str]) -> str:
        name = slot[1]
        if name not in facts:
            return slot[0]
        if slot[2] is not None:
            return slot[2] if plural(language, facts[name]) == "one" else slot[3]
        return _UNSEEN.sub("\ufffd", told(name, facts[name], slot))

    def told(name: str, fact: Fact, slot: re.Match[str]) -> str:
        if isinstance(fact, str) or not isinstance(fact, Sequence):
            return person(language, str(fact)) if name in PEOPLE else spoken(language, fact, scope)
        each = [person(language, str(one)) if name in PEOPLE else spoken(language, one, scope) for one in fact]
        listed = len(each) < 2 or sentence[: slot.start()].rstrip().endswith((":", "("))
        return ", ".join(each) if listed else _joined(language, each)

    return _SLOT.sub(filled, sentence)  # once: a player may be called {n}


def spoken(language: str, fact: Fact, scope: Scope = ()) -> str:
    """A fact in words: a thing by its name, where it has one.

    >>> spoken("en", "egypt"), spoken("en", AsTyped("egypt"))
    ('Egypt', 'egypt')
    """
    if isinstance(fact, str) and not isinstance(fact, AsTyped):
        return _named(language, fact, scope) or _in_parts(language, fact, scope)
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(spoken(language, each, scope) for each in fact)
    return str(fact)


def person(language: str, name: str) -> str:
    """What a player is called: as they typed it, and a name that nobody typed in this language.

    >>> person("de", "Joueur 2"), person("de", "Ada")
    ('Person 2', 'Ada')
    """
    for key, made in _untyped().items():
        if found := made.fullmatch(name):
            return say(language, key, {"n": int(next(filter(None, found.groups())))})
    return name


def is_typed(name: str) -> bool:
    """Whether somebody has typed a player's name."""
    return not any(made.fullmatch(name) for made in _untyped().values())


def untyped() -> dict[str, list[str]]:
    """The names that nobody typed, as every language makes them, by their keys."""
    return {key: list(dict.fromkeys(str(_sentence(each, key)) for each in LANGUAGES)) for key in UNTYPED}


@cache
def _untyped() -> dict[str, re.Pattern[str]]:
    return {key: re.compile("|".join(made).replace("{n}", "([1-9][0-9]?)")) for key, made in untyped().items()}


def _named(language: str, thing: str, scope: Scope) -> str | None:
    key = own(language, f"name.{thing}", scope)
    name = key and _sentence(language, key)
    return name["one"] if isinstance(name, dict) else name


def _in_parts(language: str, thing: str, scope: Scope) -> str:
    """A thing nobody has named as a whole, in the names of its parts, if its kind has one: a card that an owner has.

    What is no thing is somebody: something lies before a seat.
    """
    kind, *parts = re.split("[-:]", thing)
    if not parts or (said := _named(language, kind, scope)) is None:
        return person(language, thing)
    return " ".join([said, *(_named(language, part, scope) or part.replace("_", " ") for part in parts)])


def own(language: str, key: str, scope: Scope = ()) -> str | None:
    """A key as the nearest scope has it that says something for it, or as all share it; None where nobody does.

    >>> own("en", "log.undo", ("toolbox",)), own("en", "log.nothing")
    ('log.undo', None)
    """
    whole = (f"{each}.{key}" if each else key for each in (*scope, SHARED))
    return next((each for each in whole if known(language, each)), None)


def known(language: str, key: str) -> bool:
    """Whether a key has a sentence."""
    return _sentence(language, key) is not None


def plural(language: str, n: Fact) -> str:
    """Which form a count takes: French says zero and one alike, the others only one."""
    if not isinstance(n, (int, float)):
        return "other"
    return "one" if abs(n) < 2 and (language == "fr" or abs(n) == 1) else "other"


def held_together(sentence: str) -> str:
    """A French sentence whose signs stay with their words at the end of a line.

    >>> held_together("C’est « toi » ?").replace("\u00a0", "~")
    'C’est «~toi~»~?'
    """
    return _NEVER_PARTED.sub("\u00a0", sentence)


@cache
def sentences(language: str, scope: str = SHARED) -> Mapping[str, Sentence]:
    """The sentences of one scope by their whole keys, in the order of their files.

    :raises SaidTwice: if one stands there twice.
    """
    found: dict[str, Sentence] = {}
    for file in _files(language, scope):
        _gather(tomllib.loads(file.read_text(encoding="utf-8")), f"{scope}." if scope else "", found)
    return {key: _printed(sentence) for key, sentence in found.items()} if language == "fr" else found


def examine() -> None:
    """Read everything in every language.

    :raises SaidTwice: if a key stands twice, or a game has a name that in each language is the one all share.
    """
    areas = {key.partition(".")[0] for key in sentences("en")}
    for scope in shelved():
        if scope in areas:
            raise SaidTwice(f"{scope} is a game, and an area of what all share")
        for key in (each for each in sentences("en", scope) if each.startswith(f"{scope}.name.")):
            shared = key.removeprefix(f"{scope}.")
            said = [(sentences(each, scope).get(key), sentences(each).get(shared)) for each in LANGUAGES]
            if all(its_own == everybodys for its_own, everybodys in said):
                raise SaidTwice(f"{key} is what everybody calls it: {said[0][0]}")


def _sentence(language: str, key: str) -> Sentence | None:
    return sentences(language if language in LANGUAGES else "en", _scope_of(key)).get(key)


def _scope_of(key: str) -> str:
    first = key.partition(".")[0]
    return first if first in _shelves else SHARED


def _files(language: str, scope: str) -> Sequence[Traversable]:
    """The files of a scope. A game without one for a language speaks English in it."""
    if scope == SHARED:
        folder = resources.files(__name__).joinpath(language)
        return sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    files = (_shelves[scope] / f"{each}.toml" for each in (language, "en"))
    return [file for file in files if file.is_file()][:1]


def _printed(sentence: Sentence) -> Sentence:
    if isinstance(sentence, str):
        return held_together(sentence)
    return {form: held_together(each) for form, each in sentence.items()}


def _joined(language: str, told: Sequence[str]) -> str:
    """Several, as a part of a sentence.

    >>> _joined("de", ["Ada", "Ben", "{all}"])
    'Ada, Ben und {all}'
    """
    parts = {"all": ", ".join(told[:-1]), "last": told[-1]}
    return _SLOT.sub(lambda slot: parts[slot[1]], str(_sentence(language, "list.and")))


@cache
def said_of(language: str, key: str) -> frozenset[str]:
    """The names of the facts that a sentence says; the count it is bent by is one of them."""
    sentence = _sentence(language, key) or ""
    if isinstance(sentence, str):
        return frozenset(slot[1] for slot in _SLOT.finditer(sentence))
    return frozenset(slot[1] for slot in _SLOT.finditer(" ".join(sentence.values()))) | {"n"}


def _gather(tree: Mapping[str, object], prefix: str, into: dict[str, Sentence]) -> None:
    for key, value in tree.items():
        if isinstance(value, dict) and value.keys() != {"one", "other"}:
            _gather(value, f"{prefix}{key}.", into)
        elif isinstance(value, str | dict):
            if prefix + key in into:
                raise SaidTwice(f"{prefix}{key} stands twice")
            into[prefix + key] = value
