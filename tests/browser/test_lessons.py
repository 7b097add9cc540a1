"""Learning a game on a screen: its box is set up, lessons come when they matter, and the help says what can be done."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from companion import games
from companion.lessons import Lesson
from companion.play.teaching import lesson_told
from tests.browser.looks import settle
from tests.browser.screens import PHONE, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

LOADED = "html[data-whole]"
BOTTOM = "lesson => lesson.getBoundingClientRect().bottom <= innerHeight && lesson.getBoundingClientRect().top >= 0"


COVERED = """async (lights) => {
  const [{ lit, KEPT_FREE }, { beside }] = await Promise.all(
    ["lessons", "tour"].map((each) => import(`/static/chrome/${each}.js`)));
  const lesson = document.querySelector(".lesson");
  const share = (name) => {
    document.querySelector(".toured")?.classList.remove("toured");
    const what = lit(name);
    what.classList.add("toured");
    const { x, y } = beside(what, lesson, KEPT_FREE);
    const { width, height } = lesson.getBoundingClientRect();
    const at = what.getBoundingClientRect();
    const wide = Math.min(at.right, x + width) - Math.max(at.left, x);
    const high = Math.min(at.bottom, y + height) - Math.max(at.top, y);
    const filled = (at.width * at.height) / (innerWidth * innerHeight);
    return [name, (Math.max(0, wide) * Math.max(0, high)) / (at.width * at.height), filled];
  };
  return lights.map(share);
}"""
SMALL_PHONE = {"width": 360, "height": 640}
MOST_FILLED = 0.25
"""Of a screen, up to which whatever is lit stays free of its lesson; of what fills more a quarter may be covered."""


def told(page: Page) -> str:
    """The lesson that is read now."""
    return page.locator(".lesson p").first.inner_text()


def test_a_table_to_learn_at_is_laid_set_up_and_taught_and_falls_silent_when_asked(
    own_service: Service, screen: Screen
) -> None:
    page = screen(own_service.url, ready=".box-cover")
    page.get_by_role("button", name="Tutankhamun").click()
    page.locator("details.how summary").click()
    page.get_by_role("group", name="Who lays the layers").get_by_role("button").last.click()
    page.get_by_role("button", name="Teach us").click()
    sheet = page.get_by_role("dialog", name="Set up the game")
    expect(sheet.locator(".set-place.meant")).to_have_text(re.compile("In front of each of you"))
    expect(sheet.get_by_role("status")).to_contain_text("5 silver")
    for _ in range(5):
        sheet.get_by_role("button", name="Next").click()
    sheet.get_by_role("button", name="All set").click()
    expect(page.locator(".lesson")).to_be_visible()
    first = told(page)
    assert page.locator(".toured").count() == 1
    assert page.locator(".lesson").evaluate(BOTTOM)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".lesson .why")).to_be_visible()
    page.locator(".lesson summary").click()
    expect(page.locator(".lesson details p")).not_to_be_empty()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".lesson p").first).not_to_have_text(first)
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("button", name="We know the game").click()
    expect(page.locator(".lesson")).to_contain_text("Teach me on this screen")
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".lesson")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".board > *")
    page.wait_for_timeout(3_000)
    expect(page.locator(".lesson")).to_have_count(0)


def test_the_help_says_what_can_be_done_now_and_is_searched_with_rules_and_manual(
    own_service: Service, sit: Screen
) -> None:
    table = own_service.lay("jenseits", 2, mode="referee").begun()
    asked = table.view["ask"]["seats"][0]
    phone = sit(table, table.seats[asked], size=PHONE)
    phone.locator("[data-sheet=help]").tap()
    deeds = phone.locator(".possible > li")
    expect(deeds.filter(has_text="Take a card").locator(".cost")).to_contain_text("week")
    digging = deeds.filter(has_text=re.compile("^Dig"))
    expect(digging).to_have_class("cannot")
    digging.get_by_role("button").first.tap()
    rule = phone.locator(".rule.sought")
    expect(rule).to_contain_text("In short")
    phone.get_by_label("Search help, rules and lessons").fill("stop for today")
    expect(phone.locator(".heading", has_text="From the manual")).to_be_visible()
    other = sit(table, table.seats[1 - asked], size=PHONE)
    other.locator("[data-sheet=help]").tap()
    expect(other.get_by_text("It is not your turn.")).to_be_visible()
    other.goto(f"{own_service.url}/booklet/jenseits?seats=2")
    other.emulate_media(media="print")
    expect(other.get_by_role("heading", level=1)).to_be_visible()
    expect(other.get_by_text("JVT-42")).to_be_visible()
    expect(other.get_by_text("Make two equal piles")).to_be_visible()
    expect(other.locator(".figures").first).to_be_visible()


@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders", "horus", "tutankhamun"])
def test_a_lesson_does_not_cover_what_it_lights(service: Service, sit: Screen, box: str) -> None:
    table = service.lay(box, 3, mode="referee", options={"teach": "lessons"}).begun()
    course = games.course_of(box, "referee")
    assert course is not None
    lights = sorted({lesson.lights for lesson in course.lessons})
    asked = table.view["ask"]["seats"][0]
    for key, sizes in ((table.seats[asked], (PHONE, SMALL_PHONE)), (table.host, (TABLET, UPRIGHT))):
        page = sit(table, key, size=sizes[0], language="de")
        for size in sizes:
            page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
            page.wait_for_selector(".lesson")
            settle(page)
            for name, covered, filled in page.evaluate(COVERED, lights):
                assert covered <= (0 if filled <= MOST_FILLED else 0.25), f"{name} at {size}: {covered:.0%}"


OFFERED = {"jenseits": (".thing.jcard", ".thing.ticket:not(.empty)"), "tomb_raiders": (".tr-card", ".tr-ticket")}


@pytest.mark.parametrize("box", OFFERED)
def test_what_is_chosen_says_what_it_is_good_for(service: Service, sit: Screen, box: str) -> None:
    table = service.lay(box, 3, mode="referee").begun()
    page = sit(table, table.seats[table.view["ask"]["seats"][0]], size=SMALL_PHONE, language="fr")
    page.wait_for_selector(LOADED, state="attached")
    french = {said for lesson in lessons_of(box) for said in [lesson_told(box, "referee", lesson, "fr").said]}
    things = page.locator(", ".join(OFFERED[box])).and_(page.locator("button"))
    for thing in things.all():
        thing.tap()
        expect(page.locator(".good-for")).to_be_visible()
        assert page.locator(".good-for").inner_text().replace("\u202f", "\u00a0") in french
        page.locator(".plan-tools .quiet").tap()


def lessons_of(box: str) -> tuple[Lesson, ...]:
    course = games.course_of(box, "referee")
    assert course is not None
    return course.lessons


def lesson_named(id_: str, *, fleeting: bool = False) -> dict[str, object]:
    words = {"said": f"{id_}.", "why": "So.", "lights": "seats", "rule": "JVT-01", "rule_said": "Rule."}
    return {"id": id_, **words, "now": True, "fleeting": fleeting}


def test_a_lesson_stays_until_it_was_read_and_waits_while_a_sheet_is_open(own_service: Service, sit: Screen) -> None:
    table = own_service.lay("jenseits", 2, mode="referee", options={"teach": "lessons"}).begun()
    due = [lesson_named("gone", fleeting=True)]
    page = sit(table, table.host)
    page.route(re.compile(r"/lessons$"), lambda route: route.fulfill(json={"seq": table.view["seq"], "lessons": due}))
    lesson = page.locator(".lesson")
    told_here = "JSON.parse(localStorage.getItem('digside-taught') || '{}').jenseits?.told ?? []"

    def somebody_moves() -> None:
        table.press("moves", move=table.listed("take")[0], seat=table.view["ask"]["seats"][0])

    somebody_moves()
    expect(lesson).to_contain_text("gone")
    due[:] = [lesson_named("stays")]
    somebody_moves()
    expect(lesson).to_contain_text("stays")
    assert page.evaluate(told_here) == []
    page.get_by_role("button", name="Why?").click()
    due.clear()
    for _ in range(2):
        somebody_moves()
        page.wait_for_timeout(600)
    expect(lesson.locator(".why")).to_be_visible()
    assert page.locator(".toured").count() == 1
    page.locator("[data-sheet=help]").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    expect(lesson).not_to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Got it").click()
    expect(lesson).to_have_count(0)
    assert page.evaluate(told_here) == ["stays"]


SPOKEN = """() => { window.heard = []; speechSynthesis.speak = (voice) => window.heard.push(voice.text); }"""


def test_a_child_is_offered_a_few_good_moves_at_its_own_seat_and_hears_them(own_service: Service, sit: Screen) -> None:
    table = own_service.lay("tutankhamun", 2, mode="referee", options={"first_layer": 1}).begun()
    squares = ["a1", "b2", "c3", "d4"]
    good = [{"move": {"type": "dig", "square": at}, "told": {"type": "dig", "square": at}} for at in squares]
    tablet = sit(table, table.host)
    tablet.evaluate(SPOKEN)
    tablet.route(re.compile(r"/hint\?"), lambda route: route.fulfill(json={"ready": True, "moves": good}))
    tablet.locator("[data-sheet=help]").click()
    tablet.get_by_role("button", name=re.compile("Ada.*child")).click()
    tablet.keyboard.press("Escape")
    moves = tablet.locator(".good-moves")
    expect(moves.locator(".main")).to_have_count(3)
    expect(moves.locator(".main").first).to_contain_text("a1")
    moves.get_by_role("button", name="Read aloud").first.click()
    assert "a1" in tablet.evaluate("window.heard.at(-1)")
    moves.locator(".main").nth(1).click()
    stop = tablet.get_by_role("button", name=re.compile("^Stop"))
    closing = tablet.get_by_role("button", name=re.compile("without", re.IGNORECASE))
    expect(stop.or_(closing)).to_be_visible()
    assert any(line["what"].get("type") == "dig" for line in table.view["log"])
    if stop.count():  # a danger ends the turn by itself
        stop.click()
    closing.click()
    expect(tablet.locator(".ask")).to_contain_text("Béatrice")
    expect(moves).to_have_count(0)


LED = """() => {
  const [said, lit] = [document.querySelector(".exercise p"), document.querySelector(".toured")];
  if (!said || !lit) return null;
  const { left, top, width, height } = lit.getBoundingClientRect();
  return { said: said.innerText, x: left + width / 2, y: top + height / 2 };
}"""


def test_one_who_learns_alone_is_led_press_by_press_through_the_first_turn(
    own_service: Service, screen: Screen
) -> None:
    page = screen(own_service.url, ready=".box-cover")
    page.get_by_role("button", name="Tutankhamun").click()
    page.get_by_role("button", name="Five minutes alone").click()
    told, ask, got = list[str](), page.locator(".ask"), page.get_by_role("button", name="Got it")
    expect(ask).to_contain_text("Your turn")
    for _ in range(60):
        page.wait_for_timeout(400)
        led = page.evaluate(LED)
        if "Lara" in ask.inner_text():
            break
        if got.count():
            got.click()
        elif led:
            told += [led["said"]] if led["said"] not in told else []
            page.mouse.click(led["x"], led["y"])
    assert [said[:11].replace("\xa0", " ") for said in told] == [f"Step {n} of 5" for n in range(1, 5)]
    expect(ask).to_contain_text("Lara")
