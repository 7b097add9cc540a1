"""One catalogue, four languages: nothing missing, nothing said twice, the same facts in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import games, words
from companion.refusals import Fact
from companion.words import LANGUAGES, UNTYPED, SaidTwice, Sentence, catalogue, examine, plural, say, shelve, spoken
from companion.words import __main__ as translators
from companion.words.__main__ import stale

SLOT = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
WORD = re.compile(r"[^\W\d_]{2,}")
ELSEWHERE = Path(__file__).parents[1] / "elsewhere"
ENGLISH = catalogue("en")
OTHERS = [language for language in LANGUAGES if language != "en"]


def forms(sentence: Sentence) -> list[str]:
    return list(sentence.values()) if isinstance(sentence, dict) else [sentence]


def slots(sentence: Sentence) -> set[str]:
    return {slot for form in forms(sentence) for slot in SLOT.findall(form)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(language: str) -> None:
    assert set(catalogue(language)) == set(ENGLISH)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_uses_the_same_facts(language: str) -> None:
    said = catalogue(language)
    assert {key: slots(said[key]) for key in ENGLISH} == {key: slots(sentence) for key, sentence in ENGLISH.items()}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_counts_the_same_things(language: str) -> None:
    said = catalogue(language)
    assert [key for key in ENGLISH if isinstance(said[key], dict) != isinstance(ENGLISH[key], dict)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_not_english_left_standing(language: str) -> None:
    """A single word may well be the same in two languages, and so is a title that was never translated."""
    said = catalogue(language)
    same = [key for key in ENGLISH if said[key] == ENGLISH[key]]
    long = [key for key in same if any(len(WORD.findall(SLOT.sub("", form))) > 1 for form in forms(said[key]))]
    assert long == ["jenseits.title", "tomb_raiders.title"]


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
        ("en", 0, "Everything holds: 0 draws recomputed."),
        ("en", 1, "Everything holds: 1 draw recomputed."),
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
    won = say(language, "ui.over.won", {"n": 2, "names": ("red", "egypt")})
    assert "red" in won.split()
    assert "egypt" in won.strip(".").split()
    assert say(language, "tutankhamun.has_left", {"player": "falcon"}).startswith("falcon")


@pytest.mark.parametrize("reader", LANGUAGES)
@pytest.mark.parametrize("laid_by", LANGUAGES)
def test_a_name_that_nobody_typed_is_said_in_the_language_of_whoever_reads_it(laid_by: str, reader: str) -> None:
    for key in UNTYPED:
        made, read = (say(language, key, {"n": 12}) for language in (laid_by, reader))
        assert words.person(reader, made) == read
        assert not words.is_typed(made)
        assert spoken(reader, made) == read
        assert read in say(reader, "ui.over.won", {"n": 2, "names": (made, "Ada")})
        assert say(reader, "ui.seats.act_for", {"name": made}) == say(reader, "ui.seats.act_for", {"name": read})
    for typed in ("Player", "Person 0", "Joueur 100", "Giocatori 1", "Anna Person 2", "Player 1b"):
        assert words.person(reader, typed) == typed
        assert words.is_typed(typed)


def test_an_unknown_language_is_answered_in_english() -> None:
    assert say("xx", "core.over", {}) == "This game is over."


OTHER_NAMES = {
    "fr": r"cadran|\b[Pp]iste|\bpions?\b|\bbac\b|artes ouvertes|\btuile|Rectifi|ntrée {|{n} pas\b",
    "it": r"vassoio|ritrovament|conoscenza va|[Mm]eno sapere|segnalin|pescat|\bospite\b|[Vv]oce {|Rettific",
    "de": r"Sandkasten|Grabungsfeld|\b(Zeit|Dreh)?[Ss]cheibe\b(?<!Drehscheibe)|\bStein auf der Zeitleiste",
}


CALLED_SO_IN_ITS_BOX = {("fr", "tomb_raiders"): re.compile(r"\bpions?\b")}
"""What a rulebook calls by the name that no other does."""


@pytest.mark.parametrize("language", OTHER_NAMES)
def test_a_piece_has_one_name(language: str) -> None:
    """The rulebook's where it has one: the dial is a chronotemps, the ring of weeks an échelle du temps."""
    wrong = re.compile(OTHER_NAMES[language])
    for key, sentence in catalogue(language).items():
        for form in forms(sentence):
            said = CALLED_SO_IN_ITS_BOX.get((language, key.partition(".")[0]), re.compile("$^")).sub("", form)
            assert not wrong.search(said), f"{key}: {form}"


TERMS = {
    "jenseits": {"fr": r"gravat|cartes de recherche|tuile|révél", "it": r"gravat|tessere|palett", "de": r"Geröll"},
    "tutankhamun": {
        "en": r"[Cc]ompanion|comes? to light",
        "fr": r"[Cc]ompagnon|\bpieds?\b|\bfûts?\b|Toutân|\btruelle",
        "it": r"[Cc]ompagno\b|\bpala\b|catena|pettorale|faïence|Tutankhamon|alla luce",
        "de": r"Begleiter|ans Licht",
    },
}
"""What the rulebook of a box calls otherwise."""


@pytest.mark.parametrize(("scope", "language"), [(scope, each) for scope, wrong in TERMS.items() for each in wrong])
def test_a_game_speaks_as_its_rulebook_does(scope: str, language: str) -> None:
    wrong = re.compile(TERMS[scope][language])
    said = words.sentences(language, scope)
    assert [key for key, each in said.items() if any(wrong.search(form) for form in forms(each))] == []


def test_french_counts_nothing_as_one() -> None:
    assert [plural("fr", n) for n in (0, 1, 1.5, 2)] == ["one", "one", "one", "other"]
    assert [plural("de", n) for n in (0, 1, 1.5, 2)] == ["other", "one", "other", "other"]


def test_french_puts_nothing_before_a_player_that_a_vowel_would_shorten() -> None:
    """It is "d’Ada" and "de Carlo", and a sentence cannot know who sits there: so it says neither."""
    shortened = re.compile(r"\b(?:de|que|le|la|ne|se) \{(?:name|names|who|whose|seat|player)\}", re.IGNORECASE)
    assert [key for key, each in catalogue("fr").items() if any(shortened.search(form) for form in forms(each))] == []


Shelf = Callable[..., None]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """A game whose words a test writes, language by language."""
    monkeypatch.setattr(words, "_shelves", {})

    def write(**by_language: str) -> None:
        for language, text in by_language.items():
            (tmp_path / f"{language}.toml").write_text(text, encoding="utf-8")
        shelve("quarry", tmp_path)

    yield write
    words.sentences.cache_clear()


def test_nothing_is_said_twice() -> None:
    examine()


def test_a_key_that_stands_twice_in_a_game_is_refused(shelf: Shelf) -> None:
    shelf(en='"log.dig" = "They dig."\n[log]\ndig = "Somebody digs."\n')
    with pytest.raises(SaidTwice, match=r"quarry\.log\.dig"):
        say("en", "quarry.log.dig", {})


def test_a_key_that_stands_in_two_shared_files_is_refused(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    for name in ("one", "two"):
        (tmp_path / "en" / f"{name}.toml").write_text('[core]\nover = "It is over."\n', encoding="utf-8")
    shelf()
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    with pytest.raises(SaidTwice, match=r"core\.over"):
        say("en", "core.over", {})


def test_a_name_that_everybody_uses_is_refused_in_a_game(shelf: Shelf) -> None:
    names = {"en": "Egypt", "fr": "Égypte", "it": "Egitto", "de": "Ägypten"}
    shelf(**{language: f'[name]\negypt = "{name}"\n' for language, name in names.items()})
    with pytest.raises(SaidTwice, match=r"quarry\.name\.egypt"):
        examine()


def test_a_name_that_is_another_in_one_language_is_a_games_own(shelf: Shelf) -> None:
    names = {"en": "Egypt", "fr": "Égypte", "it": "Terra d’Egitto", "de": "Ägypten"}
    shelf(**{language: f'[name]\negypt = "{name}"\n' for language, name in names.items()})
    examine()


def test_a_game_is_not_called_as_an_area_that_all_share(shelf: Shelf, tmp_path: Path) -> None:
    shelve("core", tmp_path)
    with pytest.raises(SaidTwice, match="core"):
        examine()


def test_a_game_without_a_language_speaks_english_in_it(shelf: Shelf) -> None:
    shelf(en='full = "The cart is full of {stone}."\n[name]\nslate = "slate"\n')
    assert say("it", "quarry.full", {"stone": "slate"}) == "The cart is full of slate."


def test_a_thing_is_called_as_in_its_game_then_as_in_the_toolbox_then_as_by_all() -> None:
    here = ("tutankhamun", "toolbox")
    card = ("jenseits", "toolbox")
    assert [spoken("it", "shovel", scope) for scope in (card, ("toolbox",), ())] == ["pala", "paletta", "paletta"]
    assert [spoken("en", "as_rolled", scope) for scope in (here, ())] == ["as far as the dice say", "as_rolled"]
    assert [spoken("fr", "blank", (box, "toolbox")) for box in ("jenseits", "tomb_raiders")] == [
        "jeton sans objet",
        "gravats",
    ]


def test_a_sentence_of_a_game_has_that_games_names_and_any_other_those_of_the_table() -> None:
    assert "moustique" in say("fr", "tutankhamun.none_unseen", {"n": 2, "card": "mosquito"})
    cannot_fall = [say("fr", "core.cannot_fall", {"outcome": "mosquito"}, scope) for scope in (("tutankhamun",), ())]
    assert ["moustique" in each for each in cannot_fall] == [True, False]


def test_a_game_outside_the_package_brings_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_shelves", dict(words._shelves))
    monkeypatch.setenv(games.ELSEWHERE, str(ELSEWHERE))
    games._elsewhere.cache_clear()
    try:
        assert "shaft" in games.names()
        assert say("fr", "shaft.log.stone", {"token": "agate"}) == "Voici\u00a0: agate"
        assert catalogue("de").keys() == catalogue("en").keys()
        examine()
    finally:
        monkeypatch.delenv(games.ELSEWHERE)
        games._elsewhere.cache_clear()
        words.sentences.cache_clear()


def test_a_name_that_looks_like_a_slot_is_said_as_it_is() -> None:
    assert "{player}" in say("en", "tutankhamun.barricaded", {"square": "{player}", "player": "Ben"})
    assert "{n}" in say("en", "tutankhamun.barricaded", {"square": "a1", "player": "{n}", "n": 3})


@pytest.mark.parametrize(
    ("research", "n", "said"),
    [
        (1, 1, "1 carte de développement et 1 exposition"),
        (1, 2, "1 carte de développement et 2 expositions"),
        (3, 1, "3 cartes de développement et 1 exposition"),
    ],
)
def test_each_count_bends_its_own_word(research: int, n: int, said: str) -> None:
    assert say("fr", "jenseits.drawn.pile_with", {"research": research, "n": n}) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ada, Ben and {last} share the win."),
        ("fr", "Ada, Ben et {last} se partagent la victoire."),
        ("it", "Vincono insieme Ada, Ben e {last}."),
        ("de", "Ada, Ben und {last} gewinnen gemeinsam."),
    ],
)
def test_several_people_are_joined_by_the_languages_and(language: str, said: str) -> None:
    assert say(language, "ui.over.won", {"n": 3, "names": ("Ada", "Ben", "{last}")}) == said
    assert say(language, "ui.over.won", {"n": 2, "names": ("Ada", "Ben")}).count(",") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_count_bends_has_two_forms(language: str) -> None:
    for key, sentence in catalogue(language).items():
        for form in forms(sentence):
            for bent in re.findall(r"\{\w+:([^{}]*)\}", form):
                assert bent.count("|") == 1, key
                assert len(set(bent.split("|"))) == 2, key


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_older_than_its_english(language: str) -> None:
    """Where this fails: put the sentence right, then note it, as `companion.words.__main__` says."""
    assert stale(language) == []


def test_a_changed_english_sentence_makes_its_translations_stale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(translators, "MADE_FROM", tmp_path)
    (tmp_path / "de").mkdir()
    translators.mark_current("de", [])
    said = catalogue("en") | {"ui.start.lay": "Lay it out"}
    monkeypatch.setattr(translators, "catalogue", lambda language, scopes=None: said)
    assert stale("de") == ["ui.start.lay"]
    assert next(translators.beside("de", "ui.start.lay")) == "! ui.start.lay"
    translators.mark_current("de", ["ui.start.lay"])
    assert stale("de") == []


def test_a_list_in_a_sentence_has_its_and_and_one_behind_a_colon_has_none() -> None:
    facts: dict[str, Fact] = {"year": 1901, "week": 2, "sites": ("egypt", "crete", "greece")}
    said = say("en", "jenseits.page.lands_new_year_but", facts, ("jenseits",))
    assert said.endswith("good again but Egypt, Crete and Greece.")
    said = say("de", "jenseits.page.lands_new_year_but", facts, ("jenseits",))
    assert said.endswith("außer: Ägypten, Kreta, Griechenland.")
