"""Which of the four languages somebody is spoken to in."""

from __future__ import annotations

from companion.words import LANGUAGES

COOKIE = "language"


def language_of(*, asked: str | None = None, cookie: str | None = None, accepted: str | None = None) -> str:
    """The language to use: asked for in the address, chosen on the page, or preferred by the browser.

    >>> language_of(accepted="pt;q=1, it-CH;q=0.8, en;q=0.4")
    'it'
    >>> language_of(cookie="de", accepted="fr")
    'de'
    >>> language_of(asked="xx")
    'en'
    """
    for named in (asked, cookie):
        if named in LANGUAGES:
            return str(named)
    return next((each for each in preferred(accepted or "") if each in LANGUAGES), "en")


def preferred(accepted: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first.

    >>> preferred("de-CH, fr;q=0.3, it;q=0.7, en;q=0, la;q=x")
    ['de', 'it', 'fr']
    """
    weighed = []
    for part in accepted.split(",")[:20]:
        name, _, weight = part.strip().partition(";q=")
        try:
            wanted = float(weight) if weight else 1.0
        except ValueError:
            continue
        if wanted > 0:
            weighed.append((-wanted, name.split("-")[0].lower()))
    return [name for _, name in sorted(weighed, key=lambda each: each[0])]
