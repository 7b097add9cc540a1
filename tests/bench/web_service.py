"""The real service in a process of its own, for the benchmark and the tests; only its rate limits are off."""

from __future__ import annotations

import sys
from pathlib import Path

from web_ui.rate import Pace
from web_ui.serve import serve
from web_ui.settings import Settings

if __name__ == "__main__":
    wild = Pace(1e9, 1e9)
    settings = Settings(taps=wild, looks=wild, layings=wild)
    sys.exit(serve(host="127.0.0.1", port=int(sys.argv[1]), data=Path(sys.argv[2]), rig="none", settings=settings))
