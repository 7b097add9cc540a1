"""What the owner may have done to the computer: Digside started anew, the computer started anew, or switched off."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from companion.refusals import Illegal, Storage

Wish = Literal["restart", "reboot", "off"]
ASKED_TO_RESTART = 75  # the exit status by which systemd's unit starts the service anew


class Power:
    """Done only where Digside is installed as a package: there systemd starts it anew, and hears the word for the rest.

    :param environ: ``DIGSIDE_POWER`` names the file in which a word switches the computer off.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        named = environ.get("DIGSIDE_POWER")
        self._word = Path(named) if named else None
        self._end: Callable[[], None] | None = None
        self.restarting = False

    @property
    def can(self) -> tuple[Wish, ...]:
        """What may be asked for."""
        if self._word is None or self._end is None:
            return ()
        return ("restart", "reboot", "off")

    def ends_by(self, end: Callable[[], None]) -> None:
        """How the service is ended."""
        self._end = end

    def do(self, wish: Wish) -> None:
        """Have it done; it is done after whoever asks has been answered.

        :raises Illegal: where nobody would start the service anew.
        """
        if self._word is None or self._end is None:
            raise Illegal("web.no_power")
        if wish == "restart":
            self.restarting = True
            self._end()
            return
        try:
            half = self._word.with_suffix(".new")
            half.write_text(wish, encoding="ascii")
            half.replace(self._word)
        except OSError as error:
            raise Storage("cli.cannot_write", file=str(self._word), reason=error.strerror or str(error)) from error
