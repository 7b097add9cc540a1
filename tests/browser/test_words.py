"""The pages' words: four languages say the same things, and no key is missing or idle."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.words import LANGUAGES, Sentence, catalogue, plural

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web_ui" / "static"
SCRIPTS = sorted(file for file in STATIC.rglob("*.js") if "vendor" not in file.parts)
NAMED = re.compile(r"""["'`](ui\.[a-z0-9_.]+)["'`]""")
MADE = re.compile(r"`(ui\.[a-z0-9_.]*(?:\$\{[^}]+\}[a-z0-9_.]*)+)`")
NAMES = {"ui.box.jenseits"}
WORD = re.compile(r"[^\W\d_]{2,}")
SLOT = re.compile(r"\{(\w+)\}")


def ui(language: str) -> dict[str, Sentence]:
    """The keys of the pages' own file in a language."""
    file = ROOT / "companion" / "words" / language / "ui.toml"
    assert tomllib.loads(file.read_text(encoding="utf-8")).keys() == {"ui"}
    return {key: value for key, value in catalogue(language).items() if key.startswith("ui.")}


def said() -> tuple[set[str], list[re.Pattern[str]]]:
    """The keys that scripts say by name, and the shapes of those they put together."""
    text = "\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    shapes = {re.sub(r"\\\$\\\{[^}]+\\\}", "[a-z0-9_]+", re.escape(made)) for made in MADE.findall(text)}
    return set(NAMED.findall(text)), [re.compile(f"{shape}$") for shape in shapes]


def slots(sentence: Sentence) -> set[str]:
    forms = sentence.values() if isinstance(sentence, dict) else [sentence]
    return {slot for form in forms for slot in SLOT.findall(form)}


def test_every_key_that_a_page_says_is_in_the_catalogue() -> None:
    named, _ = said()
    assert sorted(named - ui("en").keys()) == []


def test_no_key_lies_idle() -> None:
    named, shapes = said()
    idle = [key for key in ui("en") if key not in named and not any(shape.match(key) for shape in shapes)]
    assert idle == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_everything_with_the_same_facts(language: str) -> None:
    here, english = ui(language), ui("en")
    assert here.keys() == english.keys()
    assert [key for key in english if slots(here[key]) != slots(english[key])] == []
    assert [key for key in english if isinstance(here[key], dict) != isinstance(english[key], dict)] == []
    assert [
        key for key, sentence in here.items() if "" in (sentence.values() if isinstance(sentence, dict) else [sentence])
    ] == []


def is_sentence(sentence: Sentence) -> bool:
    """More than one word: a single one may well be the same in two languages."""
    forms = sentence.values() if isinstance(sentence, dict) else [sentence]
    return any(len(WORD.findall(SLOT.sub("", form))) > 1 for form in forms)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_language_is_not_english_left_standing(language: str) -> None:
    english = ui("en")
    same = {key for key, sentence in ui(language).items() if sentence == english[key] and is_sentence(sentence)}
    assert same - NAMES == set()


def test_french_counts_nothing_as_one() -> None:
    assert [plural("fr", n) for n in (0, 1, 1.5, 2)] == ["one", "one", "one", "other"]
    assert [plural("de", n) for n in (0, 1, 1.5, 2)] == ["other", "one", "other", "other"]
