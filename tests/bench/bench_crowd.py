"""A family's presses and a STOP while a crowd attacks the service: a short sample; ``make soak`` has all of it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.attack.family import attacked


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(attacked(Path(folder), requests=4_000, connections=1_000, seconds=12).lines()))


if __name__ == "__main__":
    main()
