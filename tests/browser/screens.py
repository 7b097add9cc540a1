"""What the browser tests share: a running service, Debian's Chromium, and screens of a tablet or a phone."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bench import Bench
from tests.browser.relay import Relay
from tests.browser.states import SEEN
from tests.browser.tables import Service, Table
from tests.needs import needs_program

TABLET = {"width": 1280, "height": 800}
SMALL_TABLET = {"width": 1024, "height": 768}
UPRIGHT = {"width": 800, "height": 1280}
PHONE = {"width": 390, "height": 844}
UNOPTIMIZED = "--js-flags=--no-maglev --no-turbofan"
"""A page that lives for a second is not worth compiling well."""
expect.set_options(timeout=15_000)  # a machine that also does other things takes its time
Screen = Callable[..., Page]
AtRig = Callable[..., Page]
Laid = Callable[[str], Table]


def chromium() -> str:
    """Debian's Chromium; the one without windows draws the same pages at half the cost."""
    small = "chromium-headless-shell"
    return shutil.which(small) or needs_program("chromium", apt=small)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium(), "args": ["--no-sandbox", UNOPTIMIZED]}


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all tests that leave it running."""
    running = Service(tmp_path_factory.mktemp("service")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def laid(service: Service) -> Laid:
    """A table by the name of its state, for whoever only looks at it: each is laid once."""
    return functools.cache(lambda name: SEEN[name](service))


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[Service]:
    """A service that a test may stop and start."""
    running = Service(tmp_path).start()
    yield running
    running.stop()


@pytest.fixture
def relay(service: Service) -> Iterator[Relay]:
    link = Relay(service.port)
    yield link
    link.close()


@pytest.fixture
def screen(browser: Browser) -> Iterator[Screen]:
    """Opens screens, each with cookies of its own; what goes wrong in their scripts fails the test.

    What comes up fills a screen that moves; a still one only with ``theatre``, so that a test sees its table.
    """
    contexts: list[BrowserContext] = []
    wrongs: list[str] = []

    def opened(
        address: str,
        *,
        size: dict[str, int] | None = None,
        theme: str = "lamplight",
        language: str = "en",
        still: bool = True,
        ready: str = "main",
        enters: tuple[Table, str] | None = None,
        owner: Service | None = None,
        first_time: bool = False,
        theatre: bool | None = None,
    ) -> Page:
        size = size or TABLET
        small = size["width"] < 600
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=language,
            reduced_motion="reduce" if still else "no-preference",
            has_touch=small,
            is_mobile=small,
            device_scale_factor=2 if small else 1,
        )
        contexts.append(context)
        fills = "off" if (still if theatre is None else not theatre) else "on"
        liked = f'{{"theme":"{theme}","theatre":"{fills}"}}'
        context.add_init_script(f"localStorage.getItem('digside') ?? localStorage.setItem('digside', '{liked}')")
        if not first_time:
            context.add_init_script("localStorage.setItem('digside-toured', '1')")
        if enters is not None:
            enter(context, address, *enters)
        if owner is not None:
            own(context, address, owner)
        page = context.new_page()
        page.on("pageerror", lambda error: wrongs.append(str(error)))
        page.goto(address)  # never wait for the network to be idle: the stream never is
        page.wait_for_selector(ready)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrongs == []


def enter(context: BrowserContext, address: str, table: Table, key: str) -> None:
    """Take a seat as the page behind a join link does, without loading that page."""
    base = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    answer = context.request.post(f"{base}/api/tables/{table.id}/enter", data={"key": key})
    assert answer.ok, answer.text()


def own(context: BrowserContext, address: str, service: Service) -> None:
    """Make the device the owner's, as the page behind the owner's address does."""
    base = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    answer = context.request.post(f"{base}/api/owner/enter", data={"key": service.owner})
    assert answer.ok, answer.text()


@pytest.fixture
def sit(screen: Screen) -> Screen:
    """Opens a table's page and waits for its board: the host's tablet is the owner's; without a key, as a spectator."""

    def sat(table: Table, key: str | None = None, **more: Any) -> Page:
        more.setdefault("owner", table.service if key == table.host else None)
        return screen(table.address(), ready=".board > *", enters=(table, key) if key else None, **more)

    return sat


@pytest.fixture
def new_bench(own_service: Service) -> Bench:
    """A simulated rig that nobody has lifted with, beside a tray of sand."""
    return Bench(own_service, own_service.lay("tutankhamun", 2).begun())


@pytest.fixture(scope="session")
def rig_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for all tests that leave its rig in one piece."""
    running = Service(tmp_path_factory.mktemp("rig")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def patient_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose shovel keeps up a lost grip for as long as it may."""
    folder = tmp_path_factory.mktemp("patient")
    rig = folder / "rig.toml"
    rig.write_text('kind = "sim"\n[sensor]\ntype = "mpx5100dp"\n[shovel]\ndoubt_s = 5.0\n')
    running = Service(folder, str(rig)).start()
    yield running
    running.stop()


@pytest.fixture
def patient_bench(patient_service: Service) -> Bench:
    """A simulated rig that keeps up a lost grip for as long as it may."""
    return Bench(patient_service, patient_service.lay("tutankhamun", 2).begun()).take().tidy()


@pytest.fixture
def bench(rig_service: Service) -> Bench:
    """A simulated rig that others have lifted with, tidied up and given to a tray of sand."""
    return Bench(rig_service, rig_service.lay("tutankhamun", 2).begun()).take().tidy()


@pytest.fixture
def at_rig(screen: Screen) -> AtRig:
    """Opens the rig's page on the owner's tablet, which is also the host's; or on somebody's who looks on."""

    def opened(bench: Bench, *, host: bool = True, url: str | None = None, **more: Any) -> Page:
        enters = (bench.table, bench.table.host) if host else None
        owner = bench.service if host else None
        page = screen(f"{url or bench.service.url}/rig", ready="main.rig", enters=enters, owner=owner, **more)
        expect(page.locator(".look-only")).to_have_count(0 if host else 1)
        return page

    return opened
