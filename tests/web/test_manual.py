"""The players' manual that the service shows: in each language, to anybody, without a network and without a key."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from companion.words import LANGUAGES
from tests.web.people import client, owner_of
from web_ui import help as manual

ADDRESSES = re.compile(r'(?:src|href)="([^"]+)"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_shown_with_its_pictures_and_ways(app: Flask, language: str) -> None:
    asker = client(app)
    spoken = {"Accept-Language": language}
    titles = set()
    for topic in manual.TOPICS:
        text = asker.get(f"/help/{topic}", headers=spoken).get_data(as_text=True)
        shown = text.partition('<main class="page help">')[2].partition("</main>")[0]
        titles.add(shown.partition("</h1>")[0])
        assert (manual.source(language, topic) or "").splitlines()[0].removeprefix("# ") in shown.replace("&#x27;", "'")
        assert owner_of(app) not in text
        for address in ADDRESSES.findall(shown):
            assert address.startswith("/"), "nothing is fetched from elsewhere"
            assert asker.get(address).status_code == 200, address
    assert len(titles) == len(manual.TOPICS)
    assert asker.get("/help", headers=spoken).status_code == 200
    assert asker.get("/help/nothing", headers=spoken).status_code == 404
    assert asker.get("/help/__init__", headers=spoken).status_code == 404


def test_what_is_written_is_no_html_of_its_own() -> None:
    assert manual.as_html("<b> & [x](a.md?<)", str) == '<p>&lt;b&gt; &amp; <a href="a.md?&lt;">x</a></p>'
