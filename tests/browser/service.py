"""A service for the browser tests, in a process of its own: `python -m tests.browser.service PORT DATA RIG`."""

from __future__ import annotations

import sys
from pathlib import Path

from web_ui.rate import Pace
from web_ui.serve import serve
from web_ui.settings import Settings

PLENTY = Pace(100_000, 10_000)


def main(port: str, data: str, rig: str, host_silent: str = "60") -> int:
    """Serve until a signal comes. Tests lay more tables in a minute than people do."""
    settings = Settings(
        layings=PLENTY, taps=PLENTY, looks=PLENTY, guesses=PLENTY, codes=PLENTY, host_silent=float(host_silent)
    )
    return serve(host="127.0.0.1", port=int(port), data=Path(data), rig=rig, settings=settings)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
