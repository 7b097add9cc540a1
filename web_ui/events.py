"""Logs for programs: one line of JSON for each event, without a key, a name, or anything else that somebody typed.

A sentence that stands in our code is logged with figures, files and kinds of errors filled in; of what the hardware
and the wire say, who know no player, everything is. Any other word in it becomes an ellipsis, for it may be a name or
part of an address. Of an error its kind and where it came up are logged.
"""

from __future__ import annotations

import json
import linecache
import logging
import re
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

from companion.refusals import Refusal

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
            line |= {"event": "log", "by": record.name, "said": _said(record)}
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "where": _where(record.exc_info[2])}
        return json.dumps(line)


def _said(record: logging.LogRecord) -> str:
    """The sentence of a record, as far as nobody else has written it."""
    if record.name in PLAIN:
        return FILLED.split(str(record.msg), maxsplit=1)[0].strip()
    if not any(json.dumps(record.msg, ensure_ascii=False) in line for line in linecache.getlines(record.pathname)):
        return ""  # made while running, of who knows what
    if record.name.startswith(KNOW_NO_PLAYER):
        return record.getMessage()
    args = record.args if isinstance(record.args, tuple) else ()
    return str(record.msg) % tuple(map(_harmless, args))


def _harmless(fact: object) -> object:
    """What may be logged of a fact: figures, files of ours, and of an error its kind."""
    match fact:
        case bool() | int() | float() | Path():
            return fact
        case OSError(strerror=str(said)):
            return said
        case Refusal():
            return fact.key
        case BaseException():
            return type(fact).__name__
        case _:
            return "…"


KNOW_NO_PLAYER = ("hardware.", "firmware_bridge.")
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
