"""The real service in a process of its own, for the benchmark and the tests; only its rate limits are off."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from web_ui.rate import Pace
from web_ui.serve import serve
from web_ui.settings import Settings

if __name__ == "__main__":
    wild = Pace(1e9, 1e9)
    more: dict[str, Any] = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
    settings = Settings(taps=wild, looks=wild, layings=wild, **more)
    sys.exit(serve(host="127.0.0.1", port=int(sys.argv[1]), data=Path(sys.argv[2]), rig="none", settings=settings))
