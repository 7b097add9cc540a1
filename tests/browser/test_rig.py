"""The rig's page: what is seen is what is so, only what can work can be pressed, and STOP is everybody's."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.bench import Bench
from tests.browser.looks import settle
from tests.browser.relay import Relay
from tests.browser.screens import PHONE, AtRig, Screen, enter

pytestmark = pytest.mark.browser

STOP = re.compile("^STOP")
HIGHEST = """() => {
  const canvas = document.querySelector(".vacuum-line");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const lamplight = [227, 176, 75, 255];
  for (let i = 0; i < data.length; i += 4)
    if (lamplight.every((each, j) => Math.abs(each - data[i + j]) < 12))
      return Math.floor(i / 4 / canvas.width) / canvas.height;
  return 1;
}"""
SHIFTS = """() => {
  window.shifts = 0;
  const seen = new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts += each.value;
  });
  seen.observe({ type: "layout-shift", buffered: false });
}"""
REMEMBER_SENTENCES = """() => {
  window.sentences = [];
  const remember = () => {
    const said = document.querySelector(".guide-how")?.textContent.trim();
    if (said && said !== window.sentences.at(-1)) window.sentences.push(said);
  };
  new MutationObserver(remember).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
HISTORY = """async () => {
  const { history } = await import("/static/pages/rig/history.js");
  const seen = history();
  for (const [at, kpa] of [[10, 0], [20, 3], [20.1, 6], [20.1, 7], [60, null], [60.1, 2]]) seen.add(at, kpa);
  const before = seen.points();
  seen.add(5, 1);
  return { before, after: seen.points(), flat: seen.flat(0) };
}"""


def button(page: Page | Locator, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def stage(page: Page) -> Locator:
    return page.locator(".step.now span")


def expect_dead(page: Page, *names: str) -> None:
    """The buttons of the page that cannot be pressed, once all has come that the page fetches."""
    expect(page.locator("main .button[aria-disabled]")).to_have_text([*names])


def test_how_long_holding_may_last_is_shown_and_warned_of(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    expect(page.locator(".hold-time")).to_have_count(0)
    bench.holding()
    expect(page.locator(".hand .hold-left")).to_contain_text("seconds left")
    expect(page.locator(".hand .hold-time.soon")).to_contain_text("Put the card down: 5 seconds left")
    expect(page.locator(".hold-time")).to_have_count(0)
    expect(page.locator(".trouble")).to_contain_text("held for as long as it may be")


def test_a_card_is_gripped_held_and_let_go(new_bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(new_bench)
    expect(stage(page)).to_have_text("off")
    button(page, "Put a card on the cup").click()
    button(page, "Grip").click()
    expect(stage(page)).to_have_text("holding")
    expect(button(page, "Grip")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".lifts")).to_have_text("1 lift")
    expect(page.locator(".kpa-now")).to_have_text(re.compile(r"^([6-9]|1\d)\.\d kPa$"))
    assert "A card is on the cup. The pump runs" in (page.locator(".bench-drawing").get_attribute("aria-label") or "")
    button(page, "Let go").click()
    expect(stage(page)).to_have_text("off")
    expect(page.locator("#said")).to_have_text("Shovel: off.")


def test_only_what_can_work_can_be_pressed(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    expect(button(page, "Grip")).not_to_have_attribute("aria-disabled", "true")
    expect_dead(page, "Let go", "It is still there")
    bench.holding()
    expect(stage(page)).to_have_text("holding")
    expect_dead(page, "Calibrate in three readings", "Grip", "It is still there")


def test_where_nothing_is_lifted_the_page_says_why_and_what_helps(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    button(page, "Put a card on the cup").click()
    page.get_by_role("slider").fill("1")
    button(page, "Grip").click()
    expect(page.locator(".trouble")).to_contain_text("There was no vacuum: nothing was lifted.")
    expect(page.locator(".trouble")).to_contain_text("Set the cup flat on the card, then lift again.")
    page.get_by_role("slider").fill("0")
    expect(page.locator(".leak-slide output")).to_have_text("0%")
    bench.at_rest()
    button(page, "Grip").click()
    expect(stage(page)).to_have_text("holding")
    expect(page.locator(".trouble")).to_have_count(0)


def test_a_fault_stays_until_it_is_cleared(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    bench.holding()
    expect(stage(page)).to_have_text("holding")
    button(page, "Let the voltage dip").click()
    expect(page.locator(".trouble.latched")).to_contain_text("Fault brown out")
    expect(page.locator(".trouble.latched")).to_contain_text("The board’s supply voltage has dropped.")
    expect(page.locator(".trouble.latched")).to_contain_text("Give pump and valve a supply of their own")
    expect(button(page, "Grip")).to_have_attribute("aria-disabled", "true")
    button(page, "Clear the fault").click()
    expect(stage(page)).to_have_text("off")
    expect(page.locator(".trouble")).to_have_count(0)


def test_a_grip_the_sensor_doubts_is_kept_by_a_persons_word(patient_bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(patient_bench)
    patient_bench.holding().poke("leak", 1)
    expect(page.locator(".trouble.doubt")).to_be_visible()
    button(page, "It is still there").click()
    expect(page.locator(".trouble.doubt")).to_have_count(0)
    expect(stage(page)).to_have_text("holding")
    assert (patient_bench.shovel["state"], patient_bench.shovel["doubt"]) == ("holding", False)


def test_a_pulled_plug_is_told_and_plugged_in_again(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    bench.holding()
    expect(stage(page)).to_have_text("holding")
    button(page, "Pull the plug").click()
    expect(page.locator(".link-state.down")).to_be_visible()
    expect(page.locator(".trouble.latched")).to_contain_text("Fault link lost")
    expect(button(page, "Clear the fault")).to_have_attribute("aria-disabled", "true")
    button(page, STOP).click()
    expect(page.locator(".stop-said")).to_have_text("Stopped.")
    button(page, "Plug it in").click()
    expect(page.locator(".link-state.up")).to_be_visible()
    button(page, "Clear the fault").click()
    expect(stage(page)).to_have_text("off")


def test_stop_stops_a_lift(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench, size=PHONE)
    bench.holding()
    button(page, STOP).tap()
    expect(page.locator(".trouble")).to_contain_text("The shovel was stopped.")
    assert bench.shovel["pump"] is False


def test_calibration_is_guided_from_the_first_reading_to_the_thresholds(new_bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(new_bench)
    button(page, "Calibrate in three readings").click()
    page.evaluate(REMEMBER_SENTENCES)
    for reading, how in (("Pump off", "Leave the shovel alone"), ("Cup in the air", "Hold the cup in the air")):
        expect(page.locator(".reading.now b")).to_have_text(reading)
        expect(page.locator(".guide-how")).to_contain_text(how)
        button(page, "Take this reading").click()
        expect(page.locator(".reading.now b")).not_to_have_text(reading)
        assert "Reading… hold still" in page.evaluate("sentences.splice(0)")
        expect(button(page, "Take this reading")).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator(".guide-how")).to_contain_text("smooth tile")
    button(page, "Put a card on the cup").last.click()
    button(page, "Take this reading").click()
    expect(page.locator(".reading.read")).to_have_count(3)
    told = new_bench.shovel["thresholds"]
    expect(page.locator(".calibration .thresholds")).to_contain_text("held from")
    said = re.search(r"held from (\d+\.\d) kPa", page.locator(".calibration .thresholds").inner_text())
    assert said is not None
    assert float(said[1]) == pytest.approx(told["held"], abs=0.051)  # a half is rounded up here, to even there
    assert new_bench.shovel["calibrated"]
    button(page, "Done").click()
    expect(page.locator(".calibration")).to_contain_text("This cup is calibrated")


def test_a_page_that_is_loaded_again_goes_on_with_the_calibration(new_bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(new_bench)
    button(page, "Calibrate in three readings").click()
    button(page, "Take this reading").click()
    expect(page.locator(".reading.read")).to_have_count(1)
    page.reload()
    expect(page.locator(".reading.now b")).to_have_text("Cup in the air")
    button(page, "Start again").click()
    expect(page.locator(".reading.read")).to_have_count(0)


def test_a_reading_that_cannot_be_right_is_refused_with_what_helps_and_taken_again(
    new_bench: Bench, at_rig: AtRig
) -> None:
    page = at_rig(new_bench)
    button(page, "Calibrate in three readings").click()
    for _ in range(2):
        read = page.locator(".reading.read").count()
        button(page, "Take this reading").click()
        expect(page.locator(".reading.read")).to_have_count(read + 1)
        expect(button(page, "Take this reading")).not_to_have_attribute("aria-disabled", "true")
    button(page, "Take this reading").click()  # with the cup in the air still
    expect(page.locator(".calibration .refusal")).to_contain_text("it leaks, or the tile is porous")
    expect(page.locator(".calibration .refusal")).to_contain_text("use a smoother tile")
    button(page, "Start again").click()
    expect(page.locator(".reading.read")).to_have_count(0)
    expect(page.locator(".reading.now b")).to_have_text("Pump off")


def test_a_spectator_sees_everything_and_can_only_stop(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench, host=False, size=PHONE)
    expect(page.locator(".look-only")).to_contain_text("Anybody may press STOP")
    expect(page.locator("main .button:not([aria-disabled])")).to_have_text(["Start a game", "To the table"])
    expect(page.get_by_role("slider")).to_be_disabled()
    bench.holding()
    expect(stage(page)).to_have_text("holding")
    button(page, STOP).tap()
    expect(stage(page)).to_have_text("off")


def test_a_lost_service_is_told_and_only_stop_is_left(bench: Bench, at_rig: AtRig) -> None:
    link = Relay(bench.service.port)
    try:
        page = at_rig(bench, url=link.url)
        bench.holding()
        expect(stage(page)).to_have_text("holding")
        link.silence()
        expect(page.locator(".banner")).to_be_visible()
        expect(page.locator("main .button:not([aria-disabled])")).to_have_text(["To the table"])
        button(page, STOP).click()
        expect(page.locator(".stop-said")).to_have_text(re.compile("STOP has not arrived yet"))
        assert bench.shovel["state"] == "holding"
        link.back()
        expect(page.locator(".stop-said")).to_have_text("Stopped.", timeout=15_000)
        bench.until(lambda shovel: shovel["state"] == "off")  # it is told that it has arrived before the pump is off
        expect(page.locator(".banner")).to_have_count(0, timeout=15_000)
        expect(stage(page)).to_have_text("off")
    finally:
        link.close()


def test_a_rig_whose_loop_hangs_says_how_old_all_is_and_only_stop_is_left(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    expect(button(page, "Grip")).to_be_enabled()
    hung = json.dumps(bench.state | {"stale": True, "age_s": 7.0})
    page.route(
        "**/api/rig/stream", lambda asked: asked.fulfill(content_type="text/event-stream", body=f"data: {hung}\n\n")
    )
    page.reload()
    expect(page.locator(".rig-hangs")).to_contain_text(re.compile(r"has not answered for ([7-9]|1\d) seconds"))
    expect(button(page, "Grip")).to_have_attribute("aria-disabled", "true")
    button(page, STOP).click()
    expect(page.locator(".stop-said")).to_have_text("Stopped.")


def test_a_stop_that_never_arrives_is_told_with_what_to_do(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    page.clock.install()
    page.route("**/api/rig/stop", lambda route: route.abort("connectionreset"))
    button(page, STOP).click()
    expect(page.locator(".stop-said")).to_have_text(re.compile("not arrived yet"))
    page.clock.run_for(14_000)
    expect(page.locator(".stop-said")).to_have_text("STOP could not be delivered. Switch the pump off at its supply.")


def test_a_refusal_is_said_where_it_was_asked_for(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)

    def overtaken(route: Route) -> None:
        bench.poke("brown_out").until(lambda shovel: shovel["state"] == "fault")
        expect(page.locator(".hand .trouble.latched")).to_be_visible()  # and it stays, however late the wish comes
        route.continue_()

    page.route("**/api/rig/shovel", overtaken, times=1)
    button(page, "Grip").click()
    expect(page.locator(".hand .trouble")).to_contain_text("There is a fault: clear it first.")


def test_a_cup_that_seems_full_is_gripped_with_by_a_persons_word(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    asked: list[Any] = []

    def full(route: Route) -> None:
        asked.append(route.request.post_data_json)
        if len(asked) > 1:
            route.continue_()
            return
        said = {"code": "not_empty", "message": "Something seems to hang on the cup already."}
        route.fulfill(status=422, json={"error": said})

    page.route("**/api/rig/shovel", full)
    button(page, "Grip").click()
    button(page, "The cup is empty: grip anyway").click()
    expect(stage(page)).to_have_text("drawing air")
    assert asked[1] == {"do": "grip", "sure": True}


def test_the_rig_is_given_to_another_table_and_put_by(new_bench: Bench, at_rig: AtRig) -> None:
    other = new_bench.service.lay("horus", 3)
    page = at_rig(new_bench)
    enter(page.context, page.url, other, other.host)
    page.reload()
    expect(page.locator(".tables-card > .lend-row")).to_contain_text("Tutankhamun")
    button(page, "Give it to this table").click()
    expect(page.locator(".tables-card > .lend-row")).to_contain_text("The Pyramid of Horus")
    assert new_bench.state["table"] == other.id
    button(page, "Take it away").click()
    expect(page.locator(".tables-card")).to_contain_text("The shovel is set aside")
    assert new_bench.state["table"] is None


def test_the_keyboard_alone_lifts_and_stops(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    bench.poke("card")
    expect(button(page, "Take the card off")).to_be_visible()
    focused = "document.activeElement.textContent"
    for key, last in (("Enter", "Grip"), ("Space", "STOP")):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(focused) == last:
                break
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        page.keyboard.press(key)
        expect(stage(page)).to_have_text("holding" if last == "Grip" else "off")


def test_two_screens_show_the_same_lift(bench: Bench, at_rig: AtRig) -> None:
    tablet, phone = at_rig(bench), at_rig(bench, host=False, size=PHONE, language="de")
    bench.holding()
    expect(stage(tablet)).to_have_text("holding")
    expect(stage(phone)).to_have_text("hält")


def test_the_line_draws_what_the_gauge_said(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench)
    page.wait_for_function(f"() => ({HIGHEST})() > 0.7")
    bench.holding()
    page.wait_for_function(f"() => ({HIGHEST})() < 0.45")


def test_a_lift_moves_nothing_on_the_page(new_bench: Bench, at_rig: AtRig) -> None:
    pages = {still: at_rig(new_bench, still=still) for still in (True, False)}
    for page in pages.values():
        page.evaluate(SHIFTS)
    new_bench.holding()
    for still, page in pages.items():
        expect(stage(page)).to_have_text("holding")
        settle(page)
        assert page.evaluate("window.shifts") < 0.01
        running = page.evaluate("document.getAnimations().filter((each) => each.playState === 'running').length")
        assert (running == 0) is still


def test_a_reading_holds_until_the_next_and_old_ones_are_forgotten(bench: Bench, at_rig: AtRig) -> None:
    told = at_rig(bench).evaluate(HISTORY)
    assert [(round(each["at"], 2), each["kpa"]) for each in told["before"]] == [
        (20.1, 7),
        (59.88, 7),
        (60, None),
        (60.1, 2),
    ]
    assert told["after"] == [{"at": 5, "kpa": 1}]  # the clock went back: another computer's
    assert told["flat"] is True


AT_THE_SHOVEL = ("/rig", "/table/HERE")
IN_THE_MENU = ("/", "/past", "/settings", "/help", "/luck/TABLE", "/table/TABLE", "/join/TABLE", "/table/TOOLS")
MENU = ".menu-corner button, [data-sheet=menu]"


def test_stop_stands_where_the_shovel_is_and_in_the_menu_of_every_other_page(
    bench: Bench, screen: Screen, subtests: pytest.Subtests
) -> None:
    other = bench.service.lay("jenseits", 2, mode="referee").begun()  # a table that does not use the shovel
    tools = bench.service.lay("tutankhamun", 2).begun()  # one that could, and has it not
    ids = {"TABLE": other.id, "TOOLS": tools.id, "HERE": bench.table.id}

    def stops(address: str) -> None:
        there = re.sub("TABLE|TOOLS|HERE", lambda found: ids[found[0]], address)
        page = screen(bench.service.url + there, size=PHONE)
        if address not in AT_THE_SHOVEL:
            page.wait_for_selector(MENU)
            expect(button(page, STOP)).to_have_count(0)
            page.locator(MENU).tap()
        expect(button(page, STOP)).to_be_in_viewport()
        bench.holding()
        button(page, STOP).tap()
        bench.until(lambda shovel: shovel["pump"] is False)
        expect(page.locator(".stop-said")).to_have_text("Stopped.")

    for address in (*AT_THE_SHOVEL, *IN_THE_MENU):
        with subtests.test(address):
            stops(address)
    Bench(bench.service, other).take()  # its lamps and buttons alone: the page has no place where something is lifted
    with subtests.test("/table/TABLE has the rig"):
        stops("/table/TABLE")


def test_a_button_that_stops_stays_under_the_finger_while_it_says_that_it_could_not(
    bench: Bench, screen: Screen
) -> None:
    for address in (f"/table/{bench.table.id}", "/rig"):
        for size in (None, PHONE):
            page = screen(bench.service.url + address, size=size)
            page.route("**/api/rig/stop", lambda route: route.abort("connectionreset"))
            before = button(page, STOP).bounding_box()
            button(page, STOP).click()
            expect(page.locator(".stop-said")).to_contain_text("STOP has not arrived yet")
            assert button(page, STOP).bounding_box() == before, address


def test_a_sheet_over_the_table_has_a_stop_of_its_own(bench: Bench, sit: Screen) -> None:
    page = sit(bench.table, bench.table.host)
    page.get_by_role("button", name="Help").click()
    bench.holding()
    button(page.get_by_role("dialog"), STOP).click()
    bench.until(lambda shovel: shovel["pump"] is False)
    expect(page.get_by_role("dialog").locator(".stop-said")).to_have_text("Stopped.")
