"""The pictures of README and manual, made with this suite's own browser: `python -m tests.browser.pictures`.

The moving one is a dig on a tablet and on a phone beside it; the frames of both are laid side by side.
"""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.words import LANGUAGES, say
from tests.browser.screens import PHONE, TABLET, chromium
from tests.browser.tables import ROOT, Service, Table, jenseits, jenseits_over, tutankhamun

INTO = ROOT / "web_ui" / "static" / "manual"
WIDE = 860
DRAWN = 5
FIRST_MS, FRAME_MS, LAST_MS, SETTLED_MS = 1500, 500, 2500, 1500
GAP = 12
GROUND = (28, 18, 11)


def main() -> None:
    """Make all of them."""
    INTO.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        service = Service(Path(data) / "tables").start()
        bare = Service(Path(data) / "bare", rig="none").start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            stills(browser, service)
            moving(browser, bare)
        finally:
            browser.close()
            service.stop()
            bare.stop()


def stills(browser: Browser, service: Service) -> None:
    """What README and docs show, in English, and the players' pages, in each language."""
    for language in LANGUAGES:
        (INTO / language).mkdir(exist_ok=True)
        first = opened(browser, f"{service.url}/", size=TABLET, ready=".box-cover", language=language)
        keep(first, f"{language}/start")
    table, over, trays = jenseits(service), jenseits_over(service), tutankhamun(service)
    keep(opened(browser, table.address(), size=TABLET, ready=".board > *", table=table), "table")
    keep(opened(browser, f"{service.url}/rig", size=TABLET, ready="main section"), "shovel")
    for language in LANGUAGES:
        page = opened(browser, table.address(), size=TABLET, ready=".board > *", table=table, language=language)
        page.locator(".bar").get_by_role("button", name=say(language, "ui.nav.join", {})).click()
        page.wait_for_selector("dialog[open] img")
        page.locator("dialog[open] img").last.evaluate("(code) => code.decode()")
        keep(page, f"{language}/join")
        tray = opened(browser, trays.address(), size=TABLET, ready=".board > *", table=trays, language=language)
        keep(tray, f"{language}/tutankhamun")
        address = f"{service.url}/luck/{over.id}"
        keep(opened(browser, address, size=TABLET, ready=".luck-table", language=language), f"{language}/luck")


def moving(browser: Browser, service: Service) -> None:
    """A dig: five tokens out of the bag, as each of the two screens shows them."""
    table = service.lay("jenseits", 3).begun()
    table.move("dial", knowledge=6).move("advance", seat=1, weeks=8)
    screens = [
        opened(browser, table.address(), size=TABLET, ready=".board > *", table=table, still=False),
        opened(browser, table.address(), size=PHONE, ready=".board > *", table=table, seat=1, still=False),
    ]
    frames = [side_by_side(*map(shot, screens))]
    table.move("draw", bag="egypt", count=DRAWN, seat=1)
    for _ in range(DRAWN + 1):
        for moment in (250, 600):
            for screen in screens:
                screen.wait_for_timeout(moment)
            frames.append(side_by_side(*map(shot, screens)))
        for screen in screens:
            if screen.locator(".scene-player-on").count():
                screen.locator(".scene-player-on").click(force=True)
    for screen in screens:
        screen.wait_for_timeout(SETTLED_MS)
    frames.append(side_by_side(*map(shot, screens)))
    lasts = [FIRST_MS, *[FRAME_MS] * (len(frames) - 2), LAST_MS]
    frames[0].save(
        INTO / "dig.webp", save_all=True, append_images=frames[1:], duration=lasts, loop=0, quality=60, method=6
    )


def opened(
    browser: Browser,
    address: str,
    *,
    size: dict[str, int],
    ready: str,
    table: Table | None = None,
    seat: int | None = None,
    still: bool = True,
    language: str = "en",
) -> Page:
    """A screen; at a table it is the host's, or that of a seat."""
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        locale=language,
        reduced_motion="reduce" if still else "no-preference",
    )
    liked = json.dumps({"theme": "lamplight", "theatre": "off" if still else "on"})
    context.add_init_script(f"localStorage.setItem('digside', '{liked}'); localStorage.setItem('digside-toured', '1')")
    if table is not None:
        key = table.host if seat is None else table.seats[seat]
        base = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        context.request.post(f"{base}/api/tables/{table.id}/enter", data={"key": key})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(ready)
    page.wait_for_timeout(400)
    return page


def shot(page: Page) -> Image.Image:
    """What a screen shows."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def keep(page: Page, name: str) -> None:
    """Save what a screen shows."""
    picture = shot(page)
    if picture.width > WIDE:
        picture = picture.resize((WIDE, picture.height * WIDE // picture.width), Image.Resampling.LANCZOS)
    picture.save(INTO / f"{name}.webp", quality=70, method=6)


def side_by_side(tablet: Image.Image, phone: Image.Image) -> Image.Image:
    """A tablet and a phone on one ground, of one height."""
    height = 400
    sized = [each.resize((each.width * height // each.height, height)) for each in (tablet, phone)]
    whole = Image.new("RGB", (sum(each.width for each in sized) + GAP, height), GROUND)
    whole.paste(sized[0], (0, 0))
    whole.paste(sized[1], (sized[0].width + GAP, 0))
    return whole


if __name__ == "__main__":
    main()
