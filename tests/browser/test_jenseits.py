"""Jenseits von Theben on its page: a game played whole by touching what is seen, and what is told before each touch."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TABLET, Screen
from tests.browser.looks import found, keep
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

SITES = ("greece", "crete", "egypt", "palestine", "mesopotamia")
SIZES = {"tablet": TABLET, "phone": PHONE}
LIGHTS = {"lamplight": {"tablet": "fr", "phone": "de"}, "day": {"tablet": "it", "phone": "en"}}
"""Each language once: long words where there is little room."""
LONG_DIG = 9
LITTLE = 5
Move = dict[str, Any]
Laid = Callable[[str], Table]


def referee(service: Service, seats: int = 2, **more: object) -> Table:
    return service.lay("jenseits", seats, mode="referee", **more)


def moves(table: Table) -> list[Move]:
    told: list[Move] = table.service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return told


def wander(table: Table, steps: int, seed: int = 5) -> Table:
    """Some steps of a game: exhibitions and long digs where they can be had, else cards."""
    luck = random.Random(seed)
    for _ in range(steps):
        if table.view["ask"]["kind"] == "over":
            break
        if table.view["ask"]["kind"] == "chance":
            table.deal()
            continue
        table.press("moves", move=_wish(moves(table), luck))
    return table


def _wish(legal: list[Move], luck: random.Random) -> Move:
    for kind in ("exhibit", "dig"):
        wanted = [move for move in legal if move["type"] == kind and move.get("weeks", 9) >= 4]
        if wanted and luck.random() < 0.4:
            return luck.choice(wanted)
    return luck.choice([move for move in legal if move["type"] == "take"] or legal)


def to_a_dig(table: Table, weeks: int = 5, tokens: int = 1) -> tuple[Table, Move]:
    """On until somebody can dig so long and draw as much, and such a dig."""
    while True:
        if table.view["ask"]["kind"] == "chance":
            table.deal()
            continue
        legal = moves(table)
        drawn = {site: told["ways"][0]["weeks"] for site, told in table.view["ask"]["options"]["sites"].items()}
        for move in legal:
            plain = move["type"] == "dig" and move["weeks"] == weeks and not {"use", "zeppelin"} & move.keys()
            if plain and drawn[move["site"]][weeks - 1]["tokens"] >= tokens:
                return table, move
        books = [move for move in legal if move["type"] == "take" and move["card"].startswith("book")]
        table.press("moves", move=(books or [move for move in legal if move["type"] != "retire"])[0])


class Hand:
    """A hand at the page of the host's tablet: every move is made with what is seen there."""

    def __init__(self, page: Page, table: Table) -> None:
        self.page = page
        self.table = table

    def play(self, move: Move) -> None:
        """Make a move, and wait until the page shows the table after it."""
        seq = self.table.view["seq"]
        getattr(self, move["type"])(move)
        expect(self.page.locator(f".jboard[data-seq='{seq}']")).to_have_count(0)

    def take(self, move: Move) -> None:
        cards = [card and card["id"] for card in self.table.view["board"]["open"]]
        self.page.locator(".open-cards > :not(.pile)").nth(cards.index(move["card"])).click()
        self._plan(move)

    def exhibit(self, move: Move) -> None:
        shown = [card and card["id"] for card in self.table.view["board"]["exhibitions"].values()]
        self.page.locator(".exhibitions > *").nth(shown.index(move["card"])).click()
        self._plan(move)

    def refresh(self, move: Move) -> None:
        self.page.locator(".pile").click()
        self._plan(move)

    def _plan(self, move: Move) -> None:
        if move.get("zeppelin"):
            self.page.locator(".plan-sheet").get_by_role("button", name="Zeppelin").click()
        self.page.locator(".plan-sheet .do-it").click()

    def dig(self, move: Move) -> None:
        self.think(move)
        self.page.locator(".dig-sheet .do-it").click()

    def think(self, move: Move) -> None:
        """Open a site's sheet and set it to a dig."""
        self.page.locator(".site .hit").nth(SITES.index(move["site"])).click()
        for use in move.get("use", ()):
            named = use.replace("_", " ").capitalize()
            self.page.get_by_role("group", name="Use up").get_by_role("button", name=named).click()
        if move.get("zeppelin"):
            self.page.locator(".deed").get_by_role("button", name="Zeppelin").click()
        self.page.locator(".week-choice").nth(move["weeks"] - 1).click()

    def retire(self, move: Move) -> None:
        self.page.get_by_role("button", name=re.compile("^Retire: give up")).click()
        self.page.get_by_role("button", name=re.compile("^Retire for good")).click()


def best(table: Table) -> Move:
    """What a player in a hurry does: exhibitions, long digs, then books; retires when little is left."""
    legal = moves(table)
    if table.view["ask"]["options"]["left"] <= LITTLE:
        return {"type": "retire"}
    for wanted in (
        [move for move in legal if move["type"] == "exhibit"],
        [move for move in legal if move["type"] == "dig" and move["weeks"] >= LONG_DIG],
        [move for move in legal if move["type"] == "take" and "zeppelin" not in move],
        [move for move in legal if move["type"] == "refresh"],
    ):
        if wanted:
            return max(wanted, key=lambda move: (move.get("weeks", 0), len(move.get("use", ()))))
    return {"type": "retire"}


def test_a_whole_game_is_played_on_the_page(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    hand = Hand(page, table)
    kinds = set()
    while not table.view["over"]:
        move = best(table)
        kinds.add(move["type"])
        hand.play(move)
    assert kinds >= {"take", "dig"}
    scores = table.view["ask"]["scores"]
    sheet = page.locator(".final-sheet")
    expect(sheet.locator(".whole td")).to_have_text([str(score["total"]) for score in scores])
    for part, row in zip(scores[0]["parts"], range(4), strict=True):
        told = [cell.split()[0] for cell in sheet.locator("tbody tr").nth(row).locator("td").all_inner_texts()]
        assert told == [str(score["parts"][part]) for score in scores]
    winners = [table.view["seats"][seat]["name"] for seat in table.view["ask"]["winners"]]
    for name in winners:
        expect(sheet.get_by_role("heading")).to_contain_text(name)
    picture = page.locator(".keepsake img")
    assert picture.evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 2480
    with page.expect_download() as kept:
        page.get_by_role("link", name="Keep this picture").click()
    assert kept.value.suggested_filename == f"digside-jenseits-{table.id}.png"
    keep(page, "jenseits", "over", "tablet", "lamplight")


def test_a_plan_shows_where_it_leads_before_it_is_done(service: Service, sit: Screen) -> None:
    table = referee(service, 3).begun()
    page = sit(table, table.host)
    view = table.view
    answer = view["ask"]["options"]["open"][0]
    land = view["ask"]["options"]["lands"][str(answer["total"])]
    expect(page.locator(".jcard").first.locator(".total-number")).to_have_text(str(answer["total"]))
    page.locator(".jcard").first.click()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(".trip")).to_have_count(1 if answer["legs"] else 0)
    expect(page.locator(".plan-sheet")).to_contain_text(f"week {land['week']} of {land['year']}")
    expect(page.locator(".plan-sheet")).to_contain_text(view["seats"][land["next"]]["name"])
    assert table.view["seq"] == view["seq"], "nothing is done by a first touch"
    page.get_by_role("button", name="Not that one").click()
    expect(page.locator(".ghost")).to_have_count(0)
    page.locator(".jcard").first.click()
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".log li").nth(1)).to_contain_text("takes a card")
    assert table.view["board"]["map"]["figures"][view["ask"]["seat"]] == view["board"]["open"][0]["city"]


def test_why_it_is_whose_turn(service: Service, sit: Screen) -> None:
    table = wander(referee(service, 3).begun(), 6)
    page = sit(table, table.host)
    track = table.view["board"]["track"]
    at = {marker["seat"]: marker for marker in track["markers"]}
    first, second = track["next"][:2]
    names = [seat["name"] for seat in table.view["seats"]]
    because = page.locator(".because")
    expect(because).to_contain_text(
        f"{names[first]} is furthest back: week {at[first]['week']} of {at[first]['year']}."
    )
    ahead = at[second]["at"] - at[first]["at"]
    told = f"{names[second]}: {ahead} week" if ahead else f"{names[second]}: same week"
    expect(page.locator(".ahead li").first).to_contain_text(told)


def test_what_a_dig_may_bring_is_told_for_each_number_of_weeks(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service).begun(), 7)
    page = sit(table, table.host)
    Hand(page, table).think(dig)
    told = table.view["ask"]["options"]["sites"][dig["site"]]
    way = next(way for way in told["ways"] if not way["use"])
    for row, column in zip(way["weeks"], page.locator(".week-choice").all(), strict=True):
        draw = told["draws"].get(str(row["tokens"]))
        expect(column.locator(".of-tokens")).to_have_text(str(row["tokens"] or "–"))
        if draw:
            expect(column.locator(".of-any")).to_have_text(f"{100 * draw['any']:.0f}%")
            assert float(column.locator(".of-points").inner_text()) == pytest.approx(draw["points"], abs=0.051)
            assert float(column.locator(".of-spread").inner_text().strip("±")) == pytest.approx(
                draw["spread"], abs=0.051
            )
    expect(page.locator(".dig-dial .knowledge-number")).to_have_text(str(way["knowledge"]["total"]))
    expect(page.locator(".point.whole dd")).to_have_text(str(way["knowledge"]["total"]))
    page.get_by_role("slider").fill("12")
    expect(page.locator(".week-choice[aria-pressed=true] .of-weeks")).to_have_text("12")
    assert found(page) == []
    keep(page, "jenseits", "dig", "tablet", "lamplight")


def test_a_table_may_do_without_the_odds(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service, pace="press", options={"dig_help": False}).begun())
    page = sit(table, table.host)
    Hand(page, table).think(dig)
    expect(page.locator(".of-tokens").nth(5)).not_to_be_empty()
    for odds in (".of-any", ".chance-bar", ".spread", ".bag-known"):
        expect(page.locator(odds)).to_have_count(0)
    assert found(page) == []
    page.locator(".dig-sheet .do-it").click()
    expect(page.get_by_role("button", name=re.compile("^Deal"))).to_be_visible()
    expect(page.locator(".odds")).to_have_count(0)


def test_tokens_come_out_one_by_one_and_the_weeks_stand(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service, pace="press").begun(), 10, tokens=3)
    page = sit(table, table.host)
    hand = Hand(page, table)
    hand.play(dig)
    of = table.view["board"]["drawing"]["of"]
    cloth = page.locator(".newest-dig .cloth .token")
    expect(cloth).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Deal")).click()
    expect(cloth).to_have_count(1)
    page.reload()
    page.wait_for_selector(".jboard")
    expect(cloth).to_have_count(1)
    expect(page.locator(".site .hit")).to_have_count(0)
    assert [each["type"] for each in moves(table)] == []
    for drawn in range(2, of + 1):
        page.get_by_role("button", name=re.compile("^Deal")).click()
        expect(cloth).to_have_count(drawn)
    expect(page.locator(".ask.move")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Deal"))).to_have_count(0)


def test_in_a_run_the_whole_dig_is_laid_out(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service).begun(), 8)
    page = sit(table, table.host)
    before = table.view
    tokens = next(
        row["tokens"] for row in before["ask"]["options"]["sites"][dig["site"]]["ways"][0]["weeks"] if row["weeks"] == 8
    )
    Hand(page, table).play(dig)
    expect(page.locator(".newest-dig .cloth .token")).to_have_count(tokens)
    page.locator(".newest-dig").get_by_role("button", name="Close").click()
    expect(page.locator(".newest-dig")).to_have_count(0)


def test_our_own_cards_and_tokens_are_reported_by_touch(service: Service, sit: Screen) -> None:
    table = referee(service, 2, sources={"default": "table"})
    page = sit(table, table.host)
    names = [seat["name"] for seat in table.view["seats"]]
    page.locator(".outcomes").get_by_role("button", name=names[1]).click()
    expect(page.get_by_role("group", name="What sort is it?")).to_be_visible()
    opened = {"Rome": "1 book about Greece", "London": "shovel", "Moscow": "car", "Berlin": "assistant"}
    for city, card in opened.items():
        expect(page.locator(".outcomes")).to_have_count(0)
        assert page.locator(".sorts .button").count() <= 8
        page.locator(".sorts").get_by_role("button", name=city).click()
        assert page.locator(".outcomes .button").count() <= 16
        page.locator(".outcomes").get_by_role("button", name=card, exact=True).click()
        expect(page.locator(".log li").first).to_contain_text(city)
    hand = Hand(page, table)
    hand.play({"type": "take", "card": "book-greece-rome-1"})
    keep(page, "jenseits", "reporting", "tablet", "lamplight")
    page.locator(".sorts").get_by_role("button", name="Paris").click()
    page.locator(".outcomes").get_by_role("button", name="congress").click()
    table.press("correct", correction={"type": "marker", "seat": 0, "week": 40, "year": 1901})
    expect(page.locator(".jboard")).to_have_attribute("data-seq", str(table.view["seq"]))
    hand.play({"type": "dig", "site": "greece", "weeks": 12})
    page.locator(".outcomes").get_by_role("button", name="object worth 6").click()
    expect(page.locator(".newest-dig .worth-number")).to_have_text(["6"])


def test_our_own_exhibition_is_reported_by_touch(service: Service, sit: Screen) -> None:
    table = referee(service, 2, sources={"exhibitions": "table"}).begun()
    while table.view["ask"]["kind"] == "move":
        legal = moves(table)
        table.press("moves", move=next(move for move in legal if move["type"] in {"refresh", "retire"}))
    page = sit(table, table.host)
    page.locator(".outcomes").get_by_role("button", name="small exhibition in Paris").click()
    expect(page.locator(".exhibitions > *").first).to_contain_text("Paris")
    assert table.view["board"]["exhibitions"]["a"]["id"] == "exhibition-small-paris"


def test_what_cannot_be_done_says_why_on_itself(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    seat = table.view["ask"]["seat"]
    table.press("correct", correction={"type": "marker", "seat": 1 - seat, "week": 1, "year": 1904})
    table.press("correct", correction={"type": "marker", "seat": seat, "week": 52, "year": 1903})
    page = sit(table, table.host)
    costs = [each["total"] for each in table.view["ask"]["options"]["open"]]
    refused = page.locator(".jcard:not(.pile) .why-not")
    expect(refused).to_have_count(sum(cost > 1 for cost in costs))
    expect(refused.first).to_have_text(re.compile(r"^That takes \d+ weeks, \d+ more than the 1 you have left\.$"))
    page.locator(".jcard:not(.pile)").nth(costs.index(max(costs))).click()
    expect(page.locator(".plan-sheet .do-it")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".plan-sheet .refusal")).to_contain_text("more than the 1 you have left")
    expect(page.locator(".ghost")).to_have_count(0)
    keep(page, "jenseits", "refused", "tablet", "lamplight")


def test_retiring_is_asked_for_twice(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    before = table.view["seq"]
    page.get_by_role("button", name=re.compile("^Retire: give up 156 weeks")).click()
    assert table.view["seq"] == before
    page.get_by_role("button", name=re.compile("^Retire for good")).click()
    expect(page.locator(".log li").first).to_contain_text("retires")


def test_a_taken_back_step_is_seen_where_it_was_made(service: Service, sit: Screen) -> None:
    table = referee(service, sources={"cards": "table"})
    table.deal()
    for card in ("car-rome", "shovel-london", "congress-paris", "assistant-berlin"):
        table.deal(card)
    page = sit(table, table.host)
    Hand(page, table).play({"type": "take", "card": "car-rome"})
    expect(page.get_by_role("button", name=re.compile("Take back"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Take back")).click()
    expect(page.locator(".open-cards .card-place")).to_have_count(0)
    expect(page.locator(".ask.move")).to_be_visible()


def test_a_spectator_looks_at_everything_and_touches_nothing(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(wander(referee(service).begun(), 4))
    page = sit(table)
    expect(page.locator(".jcard").first).to_have_attribute("aria-disabled", "true")
    page.locator(".site .hit").nth(SITES.index(dig["site"])).click()
    expect(page.locator(".dig-sheet")).to_be_visible()
    expect(page.locator(".dig-sheet .do-it")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".retire")).to_have_count(0)


def test_the_keyboard_alone_is_enough(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    seq = table.view["seq"]
    page.locator(".jcard").first.focus()
    page.keyboard.press("Enter")
    page.locator("body").evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.locator(f".jboard[data-seq='{seq}']")).to_have_count(0)
    page.locator(".site .hit").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".dig-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".dig-sheet")).to_have_count(0)


def test_a_wrong_token_is_put_right_by_choosing(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    page.get_by_role("button", name="Put something right").click()
    page.get_by_role("combobox", name="What is different?").select_option(label="A token is elsewhere")
    page.get_by_role("group", name="Site").get_by_role("button", name="Egypt").click()
    page.get_by_role("combobox", name="Token", exact=True).select_option(label="book about Mesopotamia")
    page.get_by_role("group", name="To").get_by_role("button", name="Béatrice").click()
    assert found(page) == []
    page.get_by_role("button", name="Put right").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert table.view["board"]["finds"][1] == [{"bag": "egypt", "token": "book:mesopotamia"}]
    assert table.view["board"]["bags"][2]["left"] == 29
    expect(page.locator(".log li").first).to_contain_text(
        "Put right: book about Mesopotamia (Egypt), from the bag to Béatrice"
    )
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".log li s").first).to_contain_text("Put right")
    assert table.view["board"]["bags"][2]["left"] == 30


def test_markers_permits_and_cards_are_put_right_by_choosing(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)

    def put(what: str, choose: Callable[[], None]) -> None:
        page.get_by_role("button", name="Put something right").click()
        page.get_by_role("combobox", name="What is different?").select_option(label=what)
        choose()
        page.get_by_role("button", name="Put right").click()
        expect(page.locator("dialog")).to_have_count(0)

    def marker() -> None:
        page.get_by_role("group", name="Seat").get_by_role("button", name="Béatrice").click()
        page.get_by_role("combobox", name="Week", exact=True).select_option(label="30")
        page.get_by_role("group", name="Year").get_by_role("button", name="1902").click()

    def permit() -> None:
        page.get_by_role("group", name="Site").get_by_role("button", name="Crete").click()

    def card() -> None:
        page.get_by_role("combobox", name="Card", exact=True).select_option(label="car, Rome")
        page.get_by_role("group", name="To").get_by_role("button", name="Ada").click()

    def figure() -> None:
        page.get_by_role("combobox", name="Place", exact=True).select_option(label="Egypt")

    put("A marker stands elsewhere", marker)
    put("A permit shows the other side", permit)
    put("A card is elsewhere", card)
    put("A figure stands elsewhere", figure)
    board = table.view["board"]
    assert (board["track"]["markers"][1]["week"], board["track"]["markers"][1]["year"]) == (30, 1902)
    assert board["seats"][0]["permits"]["crete"] is False
    assert [each["id"] for each in board["seats"][0]["cards"]] == ["car-rome"]
    assert board["map"]["figures"][0] == "egypt"


def test_what_is_put_right_begins_where_it_stands(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    table.press("correct", correction={"type": "marker", "seat": 1, "week": 30, "year": 1902})
    page = sit(table, table.host)
    page.get_by_role("button", name="Put something right").click()
    page.get_by_role("group", name="Seat").get_by_role("button", name="Béatrice").click()
    week = page.get_by_role("combobox", name="Week", exact=True).locator("option:checked")
    expect(week).to_have_text("30")
    expect(page.get_by_role("group", name="Year").locator("[aria-pressed=true]")).to_have_text("1902")
    table.press("correct", correction={"type": "marker", "seat": 1, "week": 31, "year": 1902})
    expect(week).to_have_text("31")
    page.get_by_role("combobox", name="What is different?").select_option(label="A figure stands elsewhere")
    expect(page.get_by_role("combobox", name="Place", exact=True).locator("option:checked")).to_have_text("Warsaw")


def drawing(service: Service) -> Table:
    """In the middle of a dig, waiting for a press."""
    table, dig = to_a_dig(referee(service, pace="press").begun(), 10, tokens=3)
    return table.press("moves", move=dig).deal()


def ended(service: Service) -> Table:
    """A game of four, closed early: one of them has the most books about everything."""
    table = referee(service, 4).begun()
    for bag in table.view["board"]["bags"]:
        book = next(token for token in bag["inside"] if token.startswith("book:"))
        table.press("correct", correction={"type": "token", "site": bag["bag"], "token": book, "from": "bag", "to": 3})
    return wander(table, 12).press("close")


STATES: dict[str, Callable[[Service], Table]] = {
    "start": lambda service: referee(service, 3, pace="press"),
    "turn": lambda service: wander(referee(service, 4).begun(), 40),
    "pair": lambda service: wander(referee(service, 2).begun(), 24),
    "drawing": drawing,
    "over": ended,
}


@pytest.fixture(scope="session")
def laid(service: Service) -> Laid:
    """Tables that are only looked at, laid once."""
    return functools.cache(lambda state: STATES[state](service))


def faces(page: Page) -> Iterator[str]:
    """The page as it is, then with each of its sheets and tabs open, one after the other."""
    yield "table"
    if page.locator(".tabs").count():
        for tab in ("map", "dig", "me", "cards"):
            page.locator(f"#tab-{tab}").tap()
            yield tab
    if page.locator(".jcard:not([aria-disabled])").count():
        page.locator(".jcard").nth(1).click()
        yield "plan"
        page.locator(".plan-sheet .button.quiet").first.click()
    if page.locator(".papers-button").count():
        page.locator(".papers-button").first.click()
        yield "papers"
        page.keyboard.press("Escape")
    if page.locator(".tabs").count():
        page.locator("#tab-dig").tap()
    sites = page.locator(".site-row:not([aria-disabled]), .site .hit.can")
    if sites.count():
        sites.first.click()
        yield "dig"
        page.keyboard.press("Escape")


SMALL = """() => [...document.querySelectorAll("main button, main a, .hit, dialog button, dialog input")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 47.5 || box.width < 43.5))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
OUTSIDE = """() => [...document.querySelectorAll("main button, .hit")]
  .filter((each) => each.getBoundingClientRect().bottom > innerHeight + 1)
  .map((each) => each.textContent)"""
OVER_THE_EDGE = """() => [...document.querySelectorAll(".final-sheet *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.matches("th, td")
    || each.getBoundingClientRect().right > each.closest(".final-sheet").getBoundingClientRect().right + 1)
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("state", STATES)
def test_it_is_seen_whole_by_everybody(laid: Laid, sit: Screen, state: str, light: str, size: str) -> None:
    """Each state once in each light and size, in one language after the other, with a picture of it."""
    language = LIGHTS[light][size]
    table = laid(state)
    page = sit(table, table.host, theme=light, size=SIZES[size], language=language)
    if state == "over":
        page.locator(".keepsake img").evaluate("(picture) => picture.decode()")
    for face in faces(page) if state in {"turn", "drawing"} else ("table",):
        assert found(page) == [], face
        assert page.evaluate(OVER_THE_EDGE) == [], face
        if state in {"turn", "drawing"}:
            _fits(page, size, face)
        text = page.locator("body").inner_text()
        assert not re.search(r"\bui\.", text), face
        assert "{" not in text, face
        keep(page, "jenseits", state, face, size, language)


def _fits(page: Page, size: str, face: str) -> None:
    """Made for fingers, and nothing beyond the edges."""
    assert page.evaluate(SMALL) == [], face
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), face
    if size == "tablet":
        assert page.evaluate("document.documentElement.scrollHeight") == TABLET["height"], face
        assert page.evaluate(OUTSIDE) == [], face
