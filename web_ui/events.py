"""Logs for programs: one line of JSON for each event, without a key, a name, or anything else that somebody typed.

Of what our own code logs, the sentence is told as it stands in the code, with its gaps; of an error, its kind and where
it came up. What a request brought is in no line: of its address, only which of the known calls it was.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
import traceback
from types import TracebackType
from typing import TextIO

log = logging.getLogger(__name__)

EVENTS = logging.getLogger("digside.events")
"""What happened, with figures. It is silent unless somebody asked for these logs."""
FRAMES = 4  # of where an error came up, the innermost

EVENTS.propagate = False
EVENTS.setLevel(logging.CRITICAL)


def tell(event: str, **facts: str | float | None) -> None:
    """Something happened; the facts are figures and words of ours."""
    if EVENTS.isEnabledFor(logging.INFO):
        EVENTS.info(event, extra={"facts": facts})


def log_as_json(out: TextIO | None = None) -> None:
    """Log every event, every warning and whatever ends a thread as a line of JSON, from now on."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(AsJson())
    EVENTS.handlers = [handler]
    EVENTS.setLevel(logging.INFO)
    logging.getLogger().handlers = [handler]
    sys.excepthook = lambda kind, error, _: _log_end("the program", kind, error)
    threading.excepthook = lambda ended: _log_end("a thread", ended.exc_type, ended.exc_value)
    sys.unraisablehook = lambda unheard: _log_end("what nobody waits for", unheard.exc_type, unheard.exc_value)


def _log_end(what: str, kind: type[BaseException], error: BaseException | None) -> None:
    """Python would write the error out itself, with all that is in it; that somebody ends the program is none."""
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        log.error("%s ended by an error", what, exc_info=error)


class AsJson(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {"at": _moment(record.created), "level": record.levelname.lower()}
        facts = getattr(record, "facts", None)
        if isinstance(facts, dict):
            line |= {"event": str(record.msg), **facts}
        else:
            said = record.msg if isinstance(record.msg, str) and record.args else ""
            if record.name in PLAIN:
                said = FILLED.split(str(record.msg), maxsplit=1)[0].strip()
            line |= {"event": "log", "by": record.name, "said": said}
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "where": _where(record.exc_info[2])}
        return json.dumps(line)


PLAIN = frozenset({"asyncio"})
"""Loggers whose sentences come filled: of these it is told how they begin."""
FILLED = re.compile(r"[\n(<'\"]")
"""Where it begins to be said with what, which may be what somebody typed."""


def _where(trace: TracebackType | None) -> list[str]:
    """Where an error came up: files of ours and lines, and nothing of what was in hand."""
    frames = traceback.extract_tb(trace)[-FRAMES:]
    return [f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno}" for frame in frames]


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1000):03d}Z"
