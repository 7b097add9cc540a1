"""Every toolbox is pressed at random: fifty presses at each size, with the companion's luck and the table's."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from companion import games
from tests.browser.pressing import SIZES, pressed, verified
from tests.browser.screens import chromium
from tests.browser.tables import Service

PRESSES = 50


def main(rounds: int = 1) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            for seed in range(rounds):
                for box in games.REGISTER:
                    for source in ("companion", "table"):
                        start = time.perf_counter()
                        table = service.lay(box, 2, sources={"default": source})
                        page = browser.new_page()
                        page.goto(table.address(table.host))
                        page.wait_for_selector(".board > *")
                        for size in SIZES:
                            page.set_viewport_size(size)
                            pressed(page, random.Random(f"{box} {source} {seed}"), PRESSES)
                        page.close()
                        took = time.perf_counter() - start
                        print(f"{box} {source}: {verified(table)} entries, {took:.1f} s", flush=True)
        finally:
            browser.close()
            service.stop()


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:2]))
