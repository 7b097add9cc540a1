"""How the rig's page looks: every state in both lights, on a tablet and a phone, in four languages, and to axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.bench import POSTURES, Bench
from tests.browser.looks import found, keep, look, speak
from tests.browser.screens import PHONE, TABLET, AtRig, Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

OTHERS = ("fr", "it", "de")
SIZES = {"tablet": TABLET, "phone": PHONE}
SHOWN_BY = {
    "resting": (".step.now", "off"),
    "gripping": (".step.now", ""),
    "held": (".step.now", "holding"),
    "doubted": (".trouble.doubt", ""),
    "nothing_lifted": (".trouble", "nothing was lifted"),
    "faulty": (".trouble.latched", "brown out"),
    "unplugged": (".trouble.latched", "link lost"),
    "calibrated": (".calibration", "This cup is calibrated"),
}
SOON_OVER = {"gripping", "doubted"}
WEEK_LIT = ".pixel:nth-of-type(-n + 53):not([fill='rgb(0 0 0)'])"
SMALL = """() => [...document.querySelectorAll("main button, main a, main label")]
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.height < 47.5 || box.width < 47.5)
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""


@pytest.fixture(params=["none", "no sensor", "twin"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Service]]:
    """A service with a rig that lacks something."""
    sheet = tmp_path / "rig.toml"
    if request.param != "none":
        sensor = "none" if request.param == "no sensor" else "mpx5100dp"
        url = "sim://?twin=1" if request.param == "twin" else "sim://"
        sheet.write_text(f'kind = "sim"\n[sim]\nurl = "{url}"\n[sensor]\ntype = "{sensor}"\n')
    service = Service(tmp_path, "none" if request.param == "none" else str(sheet)).start()
    yield request.param, service
    service.stop()


SAYS = {
    "none": "Nothing is connected to this table",
    "no sensor": "No sensor measures the vacuum",
    "twin": "its twin in Python",
}


def test_a_rig_that_lacks_something_says_so(odd: tuple[str, Service], screen: Screen) -> None:
    name, service = odd
    service.lay("horus", 2)
    page = screen(f"{service.url}/rig", ready="main.rig")
    expect(page.locator("main")).to_contain_text(SAYS[name])
    expect(page.locator(".calibration")).to_have_count(1 if name == "twin" else 0)
    expect(page.locator(".stop")).to_have_count(0 if name == "none" else 1)
    assert found(page) == []
    keep(page, "rig", name.replace(" ", "_"))


@pytest.mark.slow
def test_every_state(patient_bench: Bench, at_rig: AtRig, subtests: pytest.Subtests) -> None:
    pages = {named: at_rig(patient_bench, size=size) for named, size in SIZES.items()}
    for posture, take in POSTURES.items():
        take(patient_bench.tidy())
        for named, page in pages.items():
            with subtests.test(posture, size=named):
                if posture in SOON_OVER:
                    take(patient_bench.tidy())
                place, text = SHOWN_BY[posture]
                expect(page.locator(place)).to_contain_text(text)
                look(page, "rig", posture, named)


@pytest.mark.slow
def test_the_guide_and_a_spectator(new_bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(new_bench, size=PHONE)
    page.locator(".calibration .button").click()
    look(page, "rig", "guide", "phone")
    look(at_rig(new_bench, host=False), "rig", "looking_on", "tablet")


@pytest.fixture
def track_of_light(tmp_path: Path) -> Iterator[Bench]:
    """A rig with pixels for the weeks and the dial, beside a table with a track of time."""
    sheet = tmp_path / "rig.toml"
    sheet.write_text('kind = "sim"\n[sensor]\ntype = "mpx5100dp"\n[lights]\nweeks = 52\nring = 12\n')
    service = Service(tmp_path, str(sheet)).start()
    yield Bench(service, service.lay("jenseits", 2, mode="referee").begun())
    service.stop()


def test_the_pixels_shine_as_on_the_board_and_follow_plans_and_markers(
    track_of_light: Bench, at_rig: AtRig, sit: Screen
) -> None:
    bench = track_of_light
    pages = {named: at_rig(bench, size=size) for named, size in SIZES.items()}

    def shine(weeks: int) -> None:
        expect(pages["tablet"].locator(WEEK_LIT)).to_have_count(weeks)
        lights = bench.state["lights"]
        assert [colour != "000000" for colour in lights[:52]].count(True) == weeks
        for page in pages.values():
            expect(page.locator(".pixel")).to_have_count(64)
            lit = page.locator(".pixel").evaluate_all("all => all.map((each) => each.getAttribute('fill'))")
            assert [fill != "rgb(0 0 0)" for fill in lit] == [colour != "000000" for colour in lights]

    shine(1)  # the markers are stacked
    for named, page in pages.items():
        page.locator(".lights").scroll_into_view_if_needed()
        look(page, "rig", "lights", named)
    (first, *_) = bench.table.listed("take")
    offered = bench.table.view["ask"]["options"]["open"]
    place, weeks = next((i, each["total"]) for i, each in enumerate(offered) if each["card"] == first["card"])
    board = sit(bench.table, bench.table.host)
    board.locator(".open-cards .thing").nth(place).click()
    shine(1 + weeks)
    for named, page in pages.items():
        look(page, "rig", "planned", named)
    board.get_by_role("button", name="Back", exact=True).click()
    shine(1)
    bench.table.press("moves", move=first)
    shine(2)


def test_everything_that_is_pressed_is_large_enough_for_a_finger(new_bench: Bench, at_rig: AtRig) -> None:
    for size in SIZES.values():
        page = at_rig(new_bench, size=size)
        small = page.evaluate(SMALL)
        assert small == []


@pytest.mark.slow
def test_pictures_in_every_language(new_bench: Bench, at_rig: AtRig, subtests: pytest.Subtests) -> None:
    pages = {named: at_rig(new_bench, size=size) for named, size in SIZES.items()}
    spectators = {named: at_rig(new_bench, host=False, size=size) for named, size in SIZES.items()}
    pages["tablet"].locator(".calibration .button").click()
    POSTURES["faulty"](new_bench)
    for language in OTHERS:
        for named in ("phone",) if language == "it" else SIZES:
            with subtests.test(named, language=language):
                speak(spectators[named], language, ready="main.rig")
                keep(spectators[named], "rig", "spectator", named, language)
                speak(pages[named], language, ready="main.rig")
                expect(pages[named].locator(".trouble.latched")).to_be_visible()
                keep(pages[named], "rig", "faulty", named, language)
