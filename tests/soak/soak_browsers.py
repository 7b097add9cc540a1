"""Everything that people do at a table, again and again, in Firefox and in WebKit, at three sizes."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.browser.drivers import BROWSERS, Window
from tests.browser.flows import ALL
from tests.browser.screens import SMALL_TABLET, TABLET
from tests.browser.tables import Service

ROUNDS = 5
UPRIGHT = {"width": TABLET["height"], "height": TABLET["width"]}
SIZES = (TABLET, SMALL_TABLET, UPRIGHT)


def main(rounds: int = ROUNDS) -> None:
    for name in BROWSERS:
        with tempfile.TemporaryDirectory() as folder:
            (home := Path(folder) / "home").mkdir()
            (data := Path(folder) / "data").mkdir()
            service = Service(data).start()
            try:
                with BROWSERS[name](home) as window:
                    for done in range(rounds):
                        played(name, window, service, SIZES[done % len(SIZES)])
            finally:
                service.stop()


def played(name: str, window: Window, service: Service, size: dict[str, int]) -> None:
    """All of it once, at one size."""
    window.size(**size)
    for flow in ALL:
        start = time.perf_counter()
        flow(window, service)
        wrongs = window.wrongs()
        print(
            f"{name} {size['width']}x{size['height']} {flow.__name__}: {time.perf_counter() - start:.1f} s", flush=True
        )
        if wrongs:
            raise AssertionError((name, flow.__name__, wrongs))


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:2]))
