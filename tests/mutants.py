"""Mistakes that somebody might make in firmware, wire and shovel: each is made in a copy, and a test has to notice.

``python -m tests.mutants`` makes them all, ``python -m tests.mutants stop pause`` those named so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
COPIED = ("companion", "firmware_bridge", "hardware", "tests", "web_ui", "pyproject.toml", "digside.py")
SLOW = [
    f"--ignore=tests/firmware_bridge/test_{name}.py" for name in ("faults", "build", "documents", "images", "flashing")
]
QUICK = [f"tests/firmware_bridge/test_{name}.py" for name in ("transcripts", "core", "stranger")]
"""What notices most goes first."""
CORE = (*QUICK, "tests/firmware_bridge", *SLOW, "-k", "not simavr and not pico and not twin")
CHIP = (*QUICK, "tests/firmware_bridge", *SLOW, "-k", "simavr")
HANGS = ("tests/firmware_bridge/test_faults.py", "-k", "simavr and watchdog_in_simulated")
WIRE = ("tests/firmware_bridge", *SLOW, "-k", "not simavr and not pico and not host")
SHOVEL = ("tests/hardware", "tests/lifts", "-k", "not evening")


class Mutant(NamedTuple):
    """One mistake: in this file this text becomes that, and these tests are run."""

    name: str
    file: str
    text: str
    becomes: str
    tests: tuple[str, ...]


def core(name: str, file: str, text: str, becomes: str) -> Mutant:
    """A mistake in the firmware's core."""
    return Mutant(name, f"firmware_bridge/firmware/core/{file}", text, becomes, CORE)


def chip(name: str, text: str, becomes: str) -> Mutant:
    """A mistake in the Nano's own part."""
    return Mutant(name, "firmware_bridge/firmware/avr/main.c", text, becomes, CHIP)


def wire(name: str, file: str, text: str, becomes: str) -> Mutant:
    """A mistake in the computer's end of the wire."""
    return Mutant(name, f"firmware_bridge/{file}", text, becomes, WIRE)


def shovel(name: str, file: str, text: str, becomes: str) -> Mutant:
    """A mistake in what drives the shovel."""
    return Mutant(name, f"hardware/{file}", text, becomes, SHOVEL)


MUTANTS = (
    core(
        "a later fault overwrites the older",
        "suction.c",
        "    if (now.fault == FAULT_NONE)\n        now.fault",
        "    now.fault",
    ),
    core("LIMITS does not lower a running pump", "suction.c", "    if (wanted > most)\n        wanted = most;\n", ""),
    core(
        "LIMITS caps nothing", "suction.c", "wanted = level < now.pump_most ? level : now.pump_most;", "wanted = level;"
    ),
    core(
        "the vacuum limit is not looked at",
        "suction.c",
        "uint8_t aim = vacuum_enough ? 0 : wanted;",
        "uint8_t aim = wanted;",
    ),
    core("the vacuum limit has no slack", "suction.c", "vacuum + slack < now", "vacuum < now"),
    core("a stop does not silence the buzzer", "board.c", "    suction_stop();\n    silence();", "    suction_stop();"),
    core("a stop does not reset the reader", "board.c", "    frame_forget(&reader); /*", "    /*"),
    core("an answer one byte too long for the ring", "board.c", "out_length + 5u", "out_length + 4u"),
    core("an answer is left out one byte too early", "board.c", "out_length + 5u", "out_length + 6u"),
    core(
        "debounce of three looks", "senses.c", "differs & (uint8_t)~(ones | twos)", "differs & (uint8_t)(ones & twos)"
    ),
    core("buttons are looked at each 2 ms", "senses.c", "BUTTONS_EVERY_MS 5u", "BUTTONS_EVERY_MS 2u"),
    core("the median is of three", "senses.c", "TAPS 5u", "TAPS 3u"),
    core("a lease of 800 ms", "protocol.h", "LEASE_MS 700u", "LEASE_MS 800u"),
    core(
        "the lease is not taken back",
        "suction.c",
        "    drive_valve(false);\n    now.lease_ms = 0;",
        "    drive_valve(false);",
    ),
    core(
        "a lease that ends lets the valve be",
        "suction.c",
        "now.lease_ms == 0 && suction_busy()",
        "now.lease_ms == 0 && wanted",
    ),
    core("on for 21 s", "protocol.h", "ON_TIME_MS 20000u", "ON_TIME_MS 21000u"),
    core("a budget of 30 s", "protocol.h", "BUDGET_MS 24000u", "BUDGET_MS 30000u"),
    core(
        "a start on no budget",
        "suction.c",
        "    if (wanted == 0 && now.budget_ms < BUDGET_START_MS)\n        return REFUSED_RESTING;\n",
        "",
    ),
    core("a hang costs no budget", "suction.c", "        less(&kept, WATCHDOG_MS);", "        less(&kept, 0);"),
    core(
        "a kept budget is believed whatever it is",
        "suction.c",
        "    if (kept > BUDGET_MS)\n        kept = BUDGET_MS;\n",
        "",
    ),
    core("the pump starts hard", "protocol.h", "PUMP_SLEW_PER_MS 4u", "PUMP_SLEW_PER_MS 40u"),
    core(
        "off waits for a lease",
        "suction.c",
        "    if (level == 0) { /* off is never refused */",
        "    if (level == 0 && may_act() == REFUSED_NOT) {",
    ),
    core("off is taken for a repetition", "board.c", "makes_safe(type, body) || !is_repetition", "!is_repetition"),
    core(
        "a repetition is done again",
        "board.c",
        "makes_safe(type, body) || !is_repetition(type, sequence, body)",
        "is_repetition(type, sequence, body) || true",
    ),
    core(
        "a repetition is known by its number alone",
        "board.c",
        " && memcmp(body, last_body, body_length(type)) == 0",
        "",
    ),
    core("a greeting leaves the pump on", "board.c", "    all_safe();\n    session = true;", "    session = true;"),
    core(
        "BYE leaves the pump on",
        "board.c",
        "    default: /* SAY_BYE */\n        all_safe();",
        "    default: /* SAY_BYE */",
    ),
    core("silence leaves the pump on", "board.c", "    if (session)\n        all_safe();\n", ""),
    core("a CRC that is not looked at", "frame.c", "        return FRAME_CRC_WRONG;", "        (void)crc;"),
    core("a frame that is too long is read", "frame.c", "uint8_t n = overlong ? 0 : unstuff", "uint8_t n = unstuff"),
    core(
        "two spellings of a frame",
        "frame.c",
        "        else if (code & FOLLOWED_BY_STOP)\n            return 0; /*",
        "        /*",
    ),
    core("status each 50 ms while busy", "protocol.h", "STATUS_BUSY_MS 25u", "STATUS_BUSY_MS 50u"),
    core("a fault is not told", "board.c", "reported_fault == suction()->fault", "true"),
    core(
        "no status behind a fault",
        "board.c",
        "    send();\n    status_wait = STATUS_IDLE_MS; /* and",
        "    send(); /* and",
    ),
    core("a buzz that never ends", "board.c", "    else\n        silence();\n}", "}"),
    chip(
        "the stop byte waits for the main loop",
        "        cut_pump();\n        open_valve();\n        rx_head = rx_tail;",
        "        rx_head = rx_tail;",
    ),
    chip("what waited is done after a stop", "        rx_head = rx_tail;\n", ""),
    chip("a pump is driven though a stop came", "if (level == 0 || stop_seen)", "if (level == 0)"),
    chip("a valve is closed though a stop came", "if (closed && !stop_seen)", "if (closed)"),
    chip("no watchdog", "    start_watchdog();\n    set", "    set"),
    chip(
        "the watchdog is kicked by the timer",
        "    if (++elapsed_ms < HUNG_MS)\n",
        "    wdt_reset();\n    if (++elapsed_ms < HUNG_MS)\n",
    ),
    chip("a hang leaves no mark", "    watchdog_mark = BITTEN;\n", "")._replace(tests=HANGS),
    chip(
        "lamps write the port with interrupts let in",
        "cli(); /* the stop byte's interrupt writes to port B too",
        "/* the stop byte's interrupt writes to port B too",
    ),
    chip("the period is not set", "        ICR1 = PWM_TOP; /* each", "        /* each"),
    chip(
        "lines that nothing holds are buttons",
        "has_a6_a7 = is_held(A_BUTTON_7) && is_held(A_BUTTON_8);",
        "has_a6_a7 = true;",
    ),
    wire("no write timeout", "ports.py", "    port.write_timeout = WRITE_S\n", ""),
    wire("a write may take ten times as long", "ports.py", "WRITE_S = 0.04", "WRITE_S = 0.4"),
    wire("a read may take ten times as long", "ports.py", "READ_S = 0.1", "READ_S = 1.0"),
    wire("a port that others may open", "ports.py", "    port.exclusive = True\n", ""),
    wire("a repetition after ten times as long", "link.py", "PATIENCE_S = (0.03, 0.11)", "PATIENCE_S = (0.3, 1.1)"),
    wire("a request is tried once", "link.py", "TRIES = 12", "TRIES = 1"),
    wire("silence of seven seconds", "link.py", "SILENCE_S = 0.7", "SILENCE_S = 7.0"),
    wire("a stop is repeated ten times as seldom", "link.py", "STOP_EACH_S = 0.05", "STOP_EACH_S = 0.5"),
    wire("a stop is not repeated", "link.py", "now - self._stop_wrote > STOP_EACH_S", "False"),
    wire(
        "ten times as long between two tries to connect",
        "link.py",
        "BACK_OFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)",
        "BACK_OFF_S = (1.0, 2.0, 5.0, 10.0, 20.0)",
    ),
    wire(
        "a clearing overtakes a stop",
        "link.py",
        "            self._await_stop()\n            self.request",
        "            self.request",
    ),
    wire(
        "a clearing undoes a later stop",
        "link.py",
        "        if self._last_stop is not last_stop:\n            self.stop()",
        "        if False:\n            self.stop()",
    ),
    wire(
        "a new request has the number of the last act",
        "questions.py",
        "        if sequence == self._last_act:\n            sequence = next(self._count) & 0xFF\n",
        "",
    ),
    wire(
        "the session is not looked at before a frame", "link.py", "if session not in (None, self.session):", "if False:"
    ),
    wire("a session outlives a greeting", "link.py", "        self.session = None  # before", "        # before"),
    wire(
        "an answer to an older greeting counts",
        "link.py",
        "if self._greeting and sequence == self._greeting_number:",
        "if self._greeting:",
    ),
    wire(
        "a clearing is sent once more after a stop",
        "link.py",
        "or left < PATIENCE_S[0] or not as_long_as()",
        "or left < PATIENCE_S[0]",
    ),
    shovel(
        "the pump goes on in another session",
        "board_parts.py",
        "self._session is None or self._board.session != self._session",
        "False",
    ),
    shovel(
        "a reset in mid-lift is no fault",
        "board_parts.py",
        "if self._engaged and self._board.session != self._session:",
        "if False:",
    ),
    shovel("the board's own cap is not set", "board_parts.py", "self._board.limits(vacuum_most=most)", "pass"),
    shovel(
        "an older stop ends the next lift",
        "lifter.py",
        "        self._take_stop(now)  # one that",
        "        # one that",
    ),
    shovel("a pause ten times as long", "vacuum.py", "PAUSE_AT_MOST_S = 0.8", "PAUSE_AT_MOST_S = 8.0"),
    shovel("an answer may take ten times as long", "vacuum.py", "ANSWER_S = 0.5", "ANSWER_S = 5.0"),
    shovel("checked ten times as seldom", "vacuum.py", "CHECK_EVERY_S = 1.0", "CHECK_EVERY_S = 10.0"),
    shovel("held after one sample", "vacuum.py", "LASTS_SAMPLES = 3", "LASTS_SAMPLES = 1"),
    shovel("lost at once", "vacuum.py", "LOST_LASTS_S = 0.15", "LOST_LASTS_S = 0.0"),
    shovel("a pump that stalls", "vacuum.py", "SLOWEST_PUMP = 0.85", "SLOWEST_PUMP = 0.75"),
    shovel("levels round to the nearest", "board_parts.py", "math.ceil(", "round("),
    shovel("the loop comes round ten times as seldom", "live.py", "BUSY_INTERVAL_S = 0.02", "BUSY_INTERVAL_S = 0.2"),
    shovel(
        "an idle loop comes round ten times as seldom", "live.py", "IDLE_INTERVAL_S = 0.05", "IDLE_INTERVAL_S = 0.5"
    ),
    shovel("the lease is renewed ten times as seldom", "live.py", "RENEW_INTERVAL_S = 0.2", "RENEW_INTERVAL_S = 2.0"),
    shovel("the watchdog looks ten times as seldom", "air.py", "CHECK_INTERVAL_S = 0.08", "CHECK_INTERVAL_S = 0.8"),
    shovel("the watchdog waits ten times as long", "air.py", "LEASE_S = 0.7", "LEASE_S = 7.0"),
    shovel("buttons bounce", "panel.py", "BOUNCE_S = 0.02", "BOUNCE_S = 0.0"),
    shovel("tired pumps start", "lifter.py", "GRIP_NEEDS_S = 5.0", "GRIP_NEEDS_S = 0.0"),
    shovel("the device cuts first", "lifter.py", "AHEAD_OF_DEVICE_S = 0.2", "AHEAD_OF_DEVICE_S = -0.2"),
)


def with_it(mutant: Mutant, before: str) -> str:
    """A file with the mistake in it.

    :raises ValueError: where the text is no longer there
    """
    if before.count(mutant.text) != 1:
        raise ValueError(f"{mutant.name}: {mutant.file} has this text {before.count(mutant.text)} times")
    return before.replace(mutant.text, mutant.becomes)


def noticed(mutant: Mutant, copy: Path) -> str | None:
    """The first test that notices, or None."""
    file = copy / mutant.file
    before = file.read_text(encoding="utf-8")
    file.write_text(with_it(mutant, before), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests]
        environment = os.environ | {"CACHE_DIRECTORY": str(copy / "cache"), "PYTHONPATH": str(copy)}
        ended = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    finally:
        file.write_text(before, encoding="utf-8")
    if ended.returncode == 0:
        return None
    lines = ended.stdout.splitlines()
    fell = (line for line in lines if line.startswith(("FAILED tests", "ERROR tests")))
    return next(fell, lines[-1] if lines else ended.stderr)


def main(wanted: list[str]) -> Iterator[Mutant]:
    """Make each mistake, and yield those that nobody noticed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            leave_out = shutil.ignore_patterns("__pycache__", "out")
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=leave_out)
            else:
                shutil.copy2(source, copy / name)
        for mutant in MUTANTS:
            if wanted and not any(word in mutant.name for word in wanted):
                continue
            by = noticed(mutant, copy)
            print(f"{'killed' if by else 'LIVES '}  {mutant.name}  {by or ''}", flush=True)
            if by is None:
                yield mutant


if __name__ == "__main__":
    sys.exit(len(list(main(sys.argv[1:]))))
