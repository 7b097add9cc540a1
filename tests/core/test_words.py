"""One catalogue, four languages: nothing missing, nothing left over, the same facts in each."""

from __future__ import annotations

import re

import pytest

from companion.words import LANGUAGES, Sentence, catalogue, say

SLOT = re.compile(r"\{(\w+)\}")
ENGLISH = catalogue("en")
OTHERS = [language for language in LANGUAGES if language != "en"]


def forms(sentence: Sentence) -> list[str]:
    return list(sentence.values()) if isinstance(sentence, dict) else [sentence]


def slots(sentence: Sentence) -> set[str]:
    return {slot for form in forms(sentence) for slot in SLOT.findall(form)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(language: str) -> None:
    words = catalogue(language)
    assert set(words) == set(ENGLISH)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_uses_the_same_facts(language: str) -> None:
    words = catalogue(language)
    assert {key: slots(words[key]) for key in ENGLISH} == {key: slots(sentence) for key, sentence in ENGLISH.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_empty_or_untidy(language: str) -> None:
    for key, sentence in catalogue(language).items():
        for form in forms(sentence):
            assert form.strip(), key
            assert not re.search(r"[^\W\d]'\w", form), f"{key}: a typewriter's apostrophe"
            assert "  " not in form.replace("\n  ", "").strip() or "\n" in form, key


@pytest.mark.parametrize(
    ("language", "n", "said"),
    [
        ("en", 0, "All holds: 0 draws recomputed."),
        ("en", 1, "All holds: 1 draw recomputed."),
        ("fr", 0, "Tout concorde\u00a0: 0 tirage recalculé."),
        ("fr", 2, "Tout concorde\u00a0: 2 tirages recalculés."),
        ("it", 1, "Tutto torna: 1 estrazione ricalcolata."),
        ("de", 2, "Alles stimmt: 2 Ziehungen nachgerechnet."),
    ],
)
def test_counts_are_said_right(language: str, n: int, said: str) -> None:
    assert say(language, "proof.holds", {"n": n}) == said


def test_things_are_said_by_their_names() -> None:
    assert say("de", "core.bad_shape", {"known": ("star", "circle")}) == "Diese Formen gibt es: Stern, Kreis."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_called_like_a_thing_is_called_so_in_every_language(language: str) -> None:
    assert "star" in say(language, "core.same_name", {"name": "star"})
    assert "red, egypt" in say(language, "ui.over.won", {"n": 2, "names": ("red", "egypt")})


def test_an_unknown_language_is_answered_in_english() -> None:
    assert say("xx", "core.over", {}) == "This game is over."


OTHER_NAMES = {
    "fr": r"cadran|\b[Pp]iste|\bpions?\b|\bbac\b|artes ouvertes|\btuile|Rectifi|ntrée {|{n} pas\b",
    "it": r"palett|vassoio|ritrovament|conoscenza va|[Mm]eno sapere|segnalin|pescat|\bospite\b|[Vv]oce {|Rettific",
    "de": r"Sandkasten|Grabungsfeld|\b(Zeit|Dreh)?[Ss]cheibe\b(?<!Drehscheibe)|\bStein auf der Zeitleiste",
}


@pytest.mark.parametrize("language", OTHER_NAMES)
def test_a_piece_has_one_name(language: str) -> None:
    """The rulebook's where it has one: the dial is a chronotemps, the ring of weeks an échelle du temps."""
    wrong = re.compile(OTHER_NAMES[language])
    for key, sentence in catalogue(language).items():
        for form in forms(sentence):
            assert not wrong.search(form), f"{key}: {form}"


def test_french_puts_nothing_before_a_player_that_a_vowel_would_shorten() -> None:
    """It is "d’Ada" and "de Carlo", and a sentence cannot know who sits there: so it says neither."""
    shortened = re.compile(r"\b(?:de|que|le|la|ne|se) \{(?:name|names|who|whose|seat|player)\}", re.IGNORECASE)
    assert [key for key, each in catalogue("fr").items() if any(shortened.search(form) for form in forms(each))] == []
