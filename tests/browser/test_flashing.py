"""A Nano gets its firmware from the page: by Web Serial, through Optiboot, in a simulated chip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_bridge import images, stk500
from firmware_bridge.hexfile import read_hex
from tests.browser.bench import Bench
from tests.browser.screens import PHONE, AtRig
from tests.firmware_bridge.test_flashing import OPTIBOOT, LoadedNano, hello, needs_loaders

pytestmark = pytest.mark.browser

SERIAL = """() => {
  class Port {
    async open({ baudRate }) {
      await window.nano("speed", baudRate);
      let closed = false;
      this.readable = new ReadableStream({
        async pull(controller) {
          while (!closed) {
            const heard = await window.nano("read");
            if (heard === null) return controller.error(new Error("the plug is out"));
            if (heard.length) return controller.enqueue(Uint8Array.from(heard));
          }
        },
        cancel: () => { closed = true; },
      });
      this.writable = new WritableStream({ write: (bytes) => window.nano("write", [...bytes]) });
    }
    setSignals({ dataTerminalReady }) { return window.nano("dtr", dataTerminalReady); }
    async close() {}
  }
  const serial = { requestPort: async () => new Port() };
  Object.defineProperty(navigator, "serial", { value: serial, configurable: true });
}"""
"""Web Serial, as far as the page uses it, with a simulated chip at the other end."""
BEFORE = b"\xff\xcf" * 64 + b"what was there before"


class Plug:
    """What the page asks of a serial port; the plug may be pulled."""

    def __init__(self, nano: LoadedNano) -> None:
        self.nano = nano
        self.pulled_after = -1

    def __call__(self, what: str, value: Any = None) -> list[int] | None:
        match what:
            case "speed":
                self.nano.baudrate = value
            case "dtr":
                self.nano.dtr = value
            case "write":
                self.pulled_after -= 1
                self.nano.write(bytes(value))
            case _ if self.pulled_after == 0:
                return None
            case _:
                self.nano.timeout = 0.02
                first = self.nano.read(1)
                self.nano.timeout = 0.002
                return [*first, *self.nano.read(200)]
        return []


@pytest.fixture
def nano() -> Iterator[LoadedNano]:
    needs_loaders()
    loaded = LoadedNano(OPTIBOOT)
    yield loaded
    loaded.chip.close()


@pytest.fixture
def page(bench: Bench, at_rig: AtRig) -> Page:
    """The page of the rig in a browser with Web Serial."""
    opened = at_rig(bench)
    opened.context.add_init_script(f"({SERIAL})()")
    return opened


def plugged(page: Page, nano: LoadedNano) -> Plug:
    plug = Plug(nano)
    page.expose_function("nano", plug)
    page.reload()
    return plug


def test_what_is_shipped_is_written_compared_and_runs_and_the_way_back_is_a_file(page: Page, nano: LoadedNano) -> None:
    expect(page.locator(".flash-card")).to_contain_text(f"Firmware {images.image('nano').version}")
    stk500.flash(nano, BEFORE, sleep=nano.sleep)
    plugged(page, nano)
    page.get_by_role("button", name="Choose its port and write").click()
    expect(page.locator(".flash-stages")).to_be_visible()
    with page.expect_download(timeout=60_000) as kept:
        page.get_by_role("link", name="Save what was on it").click()
    expect(page.get_by_text("ATmega328P: the firmware is on it")).to_be_visible(timeout=60_000)
    expect(page.locator(".flash-stages")).to_have_count(0)
    assert read_hex(kept.value.path().read_text()) == BEFORE
    nano.sleep(2.5)
    assert hello(nano) == "Nano ATmega328P 16 MHz"


def test_a_plug_that_is_pulled_is_told_and_the_button_is_there_again(page: Page, nano: LoadedNano) -> None:
    plug = plugged(page, nano)
    plug.pulled_after = 60
    page.get_by_role("button", name="Choose its port and write").click()
    expect(page.locator(".flash-card .refusal")).to_contain_text("Its bootloader is still there", timeout=60_000)
    expect(page.get_by_role("button", name="Choose its port and write")).not_to_have_attribute("aria-disabled", "true")


def test_a_file_that_is_no_firmware_is_not_written(page: Page, nano: LoadedNano, tmp_path: Path) -> None:
    plugged(page, nano)
    letter = tmp_path / "letter.hex"
    letter.write_text("Dear board,\n")
    page.set_input_files(".flash-card input[type=file]", letter)
    expect(page.locator(".flash-card .refusal")).to_have_text("This file is no firmware for a Nano.")


def test_where_the_browser_cannot_the_terminal_is_named(bench: Bench, at_rig: AtRig) -> None:
    page = at_rig(bench, size=PHONE)
    page.context.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'serial', { value: undefined }); delete Navigator.prototype.serial"
    )
    page.reload()
    expect(page.locator(".flash-card code")).to_have_text("digside flash")
