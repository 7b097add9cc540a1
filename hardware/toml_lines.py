"""On which line of a TOML file a key stands, so that a mistake can be shown where it is."""

import re

_TABLE = re.compile(r"^\s*\[\[?\s*([A-Za-z0-9_.\-\s]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*(["']?)([^"'=]+?)\1\s*=""")


class Lines:
    """
    The lines of the tables and keys of a file that is otherwise read with :mod:`tomllib`.

    >>> lines = Lines("kind = 'gpio'\\n[gpio]\\npump = 17\\n")
    >>> lines.of("gpio.pump"), lines.of("gpio"), lines.of("gpio.valve")
    (3, 2, 2)
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        table = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _TABLE.match(line):
                table = re.sub(r"\s*\.\s*", ".", header[1])
                self._lines.setdefault(table, number)
            elif key := _KEY.match(line):
                self._lines.setdefault(f"{table}.{key[2]}".lstrip("."), number)

    def of(self, path: str) -> int | None:
        """The line of *path*, or of the nearest table that holds it."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path.rpartition(".")[0]
        return None
