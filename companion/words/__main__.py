"""For translators: each sentence beside its English, and which of them are stale.

``python -m companion.words de`` shows all German sentences, ``python -m companion.words de ui.start`` those whose key
begins so; a ``!`` stands where the English has changed since the German was made from it. Whoever has put a sentence
right notes it with ``python -m companion.words --made ui.start.lay`` (or no key, for all), in all languages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from companion import games
from companion.words import LANGUAGES, Sentence, catalogue

MADE_FROM = Path(__file__).parent


def main() -> None:
    """Show, or note."""
    parser = argparse.ArgumentParser(prog="python -m companion.words", description=__doc__)
    parser.add_argument("language", nargs="?", choices=LANGUAGES[1:])
    parser.add_argument("begins", nargs="?", default="")
    parser.add_argument("--made", nargs="*", metavar="KEY", help="translations of these are of today")
    asked = parser.parse_args()
    if asked.made is not None:
        for language in LANGUAGES[1:]:
            mark_current(language, asked.made)
    else:
        for line in beside(asked.language or LANGUAGES[1], asked.begins):
            print(line)


def beside(language: str, begins: str) -> Iterator[str]:
    """Each sentence whose key begins so, beneath its English."""
    english, said, old = catalogue("en"), catalogue(language), set(stale(language))
    for key in (each for each in english if each.startswith(begins)):
        yield f"{'!' if key in old else ' '} {key}"
        yield f"    en  {_told(english[key])}"
        yield f"    {language}  {_told(said.get(key, ''))}"


def stale(language: str) -> list[str]:
    """The keys of sentences whose English is not what they were made from."""
    noted = made_from(language)
    return [key for key, sentence in catalogue("en").items() if key in noted and noted[key] != digest(sentence)]


def mark_current(language: str, keys: list[str]) -> None:
    """Note that translations are made from the English of today; without keys, that all are."""
    english = catalogue("en", (*games.names(), games.TOOLBOX))
    noted = {key: made for key, made in made_from(language).items() if key in english}
    noted |= {key: digest(sentence) for key, sentence in english.items() if key in keys or not keys}
    text = json.dumps(dict(sorted(noted.items())), indent=0, ensure_ascii=False)
    _file(language).write_text(text + "\n", encoding="utf-8")


def made_from(language: str) -> dict[str, str]:
    """From which English each sentence was made, by its digest."""
    noted: dict[str, str] = json.loads(_file(language).read_text("utf-8")) if _file(language).exists() else {}
    return noted


def digest(sentence: Sentence) -> str:
    """A short mark of what a sentence says."""
    return hashlib.sha256(_told(sentence).encode()).hexdigest()[:8]


def _told(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else " | ".join(sentence.values())


def _file(language: str) -> Path:
    return MADE_FROM / language / "made_from.json"


if __name__ == "__main__":
    main()
