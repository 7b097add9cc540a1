"""What the shovel says is in every language, and in English as the list has it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.words import LANGUAGES, catalogue
from tests.hardware.test_words import sentences

WORDS = Path(__file__).parents[2] / "companion" / "words"


def of_the_shovel(language: str) -> dict[str, object]:
    return {key: sentence for key, sentence in catalogue(language).items() if key.startswith("shovel.")}


def test_english_is_said_as_the_list_has_it() -> None:
    assert of_the_shovel("en") == sentences()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_of_it_in_sentences_of_its_own(language: str) -> None:
    said = of_the_shovel(language)
    assert said.keys() == sentences().keys()
    assert [key for key, sentence in said.items() if not str(sentence).endswith(".")] == []
    assert language == "en" or [key for key, sentence in said.items() if sentence == sentences()[key]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_languages_file_is_about_the_shovel_alone(language: str) -> None:
    text = (WORDS / language / "hardware.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text).keys() == {"shovel"}
