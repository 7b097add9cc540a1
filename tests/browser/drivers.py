"""Firefox and WebKit as Debian has them, driven by their own protocols: what Playwright cannot drive here.

Both speak the commands of W3C WebDriver: WebKit's driver over HTTP, Firefox itself over a socket, as "Marionette".
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from tests.needs import needs_file, needs_program

PATIENCE = 30.0
STARTED = 60.0  # the first start of a browser on a machine reads a lot from its disk
GLANCE = 0.03
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""Under this key the protocol names an element."""
STALE = "stale element reference"
FIREFOX, WEBKIT, SCREEN = "firefox-esr", "webkit2gtk-driver", "xvfb"
"""Debian's packages."""

PREFERENCES = {
    "marionette.port": 0,  # any that is free; the profile tells which
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "intl.accept_languages": "en",
    "ui.prefersReducedMotion": 1,
}
ABLE = """(name, place) => {
  const like = (element) => (element.getAttribute("aria-label") ?? element.textContent).replace(/\\s+/g, " ").trim();
  const all = [...document.querySelectorAll(`${place} :is(button, a, summary, [role="button"], [role="radio"])`)];
  const able = (element) => element.getBoundingClientRect().width > 0 && !element.disabled
    && element.getAttribute("aria-disabled") !== "true";
  const those = all.filter(able);
  return those.find((one) => like(one) === name) ?? those.find((one) => like(one).startsWith(name)) ?? null;
}"""
REACHED = """(element) => {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
  const there = document.elementFromPoint(...middle);
  const still = window.reached?.element === element && String(window.reached.middle) === String(middle);
  window.reached = { element, middle, times: still && element.contains(there) ? window.reached.times + 1 : 0 };
  return window.reached.times > 2 && middle;
}"""
LISTEN = """() => {
  if (window.wrongs) return;
  window.wrongs = [];
  addEventListener("error", (event) => window.wrongs.push(event.message));
  addEventListener("unhandledrejection", (event) => window.wrongs.push(String(event.reason)));
}"""


class WentWrong(Exception):
    """A command that the browser refused."""


class Window(ABC):
    """A window of a browser: it goes to pages, looks at them, and presses what is there as a finger would."""

    @abstractmethod
    def ask(self, command: str, **said: Any) -> Any:
        """What a command of WebDriver answers, by the name that Firefox has for it."""

    def go(self, address: str, ready: str = "main") -> None:
        """Load a page and wait for what is to be on it. An address that differs behind its # alone is loaded, too."""
        self.ask("Navigate", url="about:blank")
        self.ask("Navigate", url=address)
        self.see(ready)
        self.run(LISTEN)

    def run(self, function: str, *args: Any) -> Any:
        """What a function of JavaScript returns on this page."""
        return self.ask("ExecuteScript", script=f"return ({function})(...arguments)", args=list(args))

    def until(self, function: str, *args: Any, within: float = PATIENCE) -> Any:
        """What a function returns as soon as it is something."""
        end = time.monotonic() + within
        while True:
            told = self.run(function, *args)
            if told:
                return told
            assert time.monotonic() < end, (function, *args, self.text())
            time.sleep(GLANCE)

    def wrongs(self) -> list[str]:
        """What has gone wrong in the scripts of this page since it was there."""
        wrongs: list[str] = self.run("() => window.wrongs ?? []")
        return wrongs

    def text(self, place: str = "body") -> str:
        """What stands in a place."""
        return str(self.run("(place) => document.querySelector(place)?.textContent.replace(/\\s+/g, ' ') ?? ''", place))

    def count(self, place: str) -> int:
        """How many there are of something."""
        return int(self.run("(place) => document.querySelectorAll(place).length", place))

    def see(self, place: str, *words: str, times: int | None = None) -> None:
        """Wait until something is there: with these words in it, or so many of it."""
        seen = """(place, words, times) => {
          const all = [...document.querySelectorAll(place)];
          if (times !== null) return all.length === times;
          return all.some((each) => words.every((word) => each.textContent.replace(/\\s+/g, " ").includes(word)));
        }"""
        self.until(seen, place, list(words), times)

    def press(self, name: str, place: str = "body") -> None:
        """Press the button of this name, or the first that begins so, once it is there and may be pressed."""
        try:
            self.click(self.until(ABLE, name, place)[ELEMENT])
        except WentWrong as wrong:
            if STALE not in str(wrong):
                raise
            self.press(name, place)  # the page was drawn anew, or left, before it was reached

    def press_at(self, place: str, nth: int = 0) -> None:
        """Press one of those that a selector finds."""
        self.click(self.until("(place, nth) => document.querySelectorAll(place)[nth]", place, nth)[ELEMENT])

    def click(self, element: str) -> None:
        """Press an element in its middle, as soon as it is still there and nothing lies over it."""
        x, y = self.until(REACHED, {ELEMENT: element})
        moves = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "actions": [*moves, {"type": "pointerUp", "button": 0}]}
        self.ask("PerformActions", actions=[finger])

    def size(self, width: int, height: int) -> None:
        """Make the page so large, as far as the browser can."""
        more = self.run("() => [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.ask("SetWindowRect", width=width + more[0], height=height + more[1])

    def keep(self, file: Path) -> None:
        """A picture of what is seen."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(self.ask("TakeScreenshot", full=False)))

    def other(self) -> str:
        """Open another window of the same browser, and go on in it."""
        handle = self.ask("NewWindow", type="window")["handle"]
        self.turn_to(handle)
        return str(handle)

    def turn_to(self, handle: str) -> None:
        """Go on in another window."""
        self.ask("SwitchToWindow", handle=handle)

    @property
    def handle(self) -> str:
        """By which this window is found again."""
        return str(self.ask("GetWindowHandle"))


def _value(told: Any) -> Any:
    return told["value"] if isinstance(told, dict) and told.keys() == {"value"} else told


class Firefox(Window):
    """Firefox, over its own socket: each message is its length, a colon, and JSON."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._file = self._socket.makefile("rb")
        self._asked = 0
        self._heard()
        self.ask("NewSession", acceptInsecureCerts=True)

    def ask(self, command: str, **said: Any) -> Any:
        self._asked += 1
        name = command if ":" in command else f"WebDriver:{command}"
        message = json.dumps([0, self._asked, name, said])
        self._socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, told = self._heard()
        if error:
            raise WentWrong(f"{command}: {error['error']}: {error['message']}")
        return _value(told)

    def _heard(self) -> Any:
        length = b""
        while (sign := self._file.read(1)) != b":":
            length += sign
        return json.loads(self._file.read(int(length)))

    def close(self) -> None:
        self.ask("Marionette:Quit", flags=["eForceQuit"])
        self._file.close()
        self._socket.close()


class WebKit(Window):
    """WebKit, over the HTTP of its driver."""

    CALLS: ClassVar = {
        "Navigate": ("POST", "/url"),
        "ExecuteScript": ("POST", "/execute/sync"),
        "SetWindowRect": ("POST", "/window/rect"),
        "TakeScreenshot": ("GET", "/screenshot"),
        "NewWindow": ("POST", "/window/new"),
        "SwitchToWindow": ("POST", "/window"),
        "CloseWindow": ("DELETE", "/window"),
        "GetWindowHandle": ("GET", "/window"),
        "PerformActions": ("POST", "/actions"),
        "DeleteSession": ("DELETE", ""),
    }

    def __init__(self, port: int, browser: Path) -> None:
        self._port = port
        wish = {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}
        told = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wish}})
        self._session = f"/session/{told['sessionId']}"

    def ask(self, command: str, **said: Any) -> Any:
        method, path = self.CALLS[command]
        return self._call(method, self._session + path.format(**said), said)

    def _call(self, method: str, path: str, said: dict[str, Any]) -> Any:
        link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        link.request(method, path, json.dumps(said) if method == "POST" else None)
        answer = link.getresponse()
        told = json.loads(answer.read())["value"]
        link.close()
        if answer.status != 200:
            raise WentWrong(f"{path}: {told['error']}: {told['message']}")
        return told

    def close(self) -> None:
        self.ask("DeleteSession")


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A window of Firefox that has seen nothing yet; a folder is its home."""
    program = needs_program("firefox-esr", apt=FIREFOX)
    wishes = (f"user_pref({json.dumps(name)}, {json.dumps(wish)});\n" for name, wish in PREFERENCES.items())
    (folder / "user.js").write_text("".join(wishes))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with _running(command, {"HOME": str(folder)}):
        window = Firefox(int(_told(folder / "MarionetteActivePort")))
        yield window
        window.close()


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A window of WebKit that has seen nothing yet, on a screen that nobody sees."""
    program = needs_program("WebKitWebDriver", apt=WEBKIT)
    browser = needs_file(_mini_browser(), apt=WEBKIT)
    screen = needs_program("Xvfb", apt=SCREEN)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = folder / ".config" / "gtk-3.0" / "settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[Settings]\ngtk-enable-animations=0\n")
    own = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}
    with (folder / "screen").open("w") as number:
        told = ["-displayfd", str(number.fileno()), "-screen", "0", "1400x1200x24", "-nolisten", "tcp"]
        with _running([screen, *told], {}, keeps=number.fileno()):
            own["DISPLAY"] = f":{_told(folder / 'screen')}"
            with _running([program, f"--port={port}"], own):
                _answers(port)
                window = WebKit(port, browser)
                yield window
                window.close()


BROWSERS = {"firefox": firefox, "webkit": webkit}


@contextmanager
def _running(command: list[str], more: dict[str, str], keeps: int | None = None) -> Iterator[None]:
    """A program, for as long as it is needed."""
    kept = () if keeps is None else (keeps,)
    silent = subprocess.DEVNULL
    program = subprocess.Popen(command, env=os.environ | more, pass_fds=kept, stdout=silent, stderr=silent)
    try:
        yield
    finally:
        program.terminate()
        try:
            program.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


def _mini_browser() -> str:
    """Where WebKit's own small browser lies, by whichever version of its library."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return str(found[-1] if found else "/usr/lib/webkit2gtk-4.1/MiniBrowser")


def _told(file: Path) -> str:
    """What a program writes into a file once it is ready."""
    end = time.monotonic() + STARTED
    while time.monotonic() < end:
        with suppress(FileNotFoundError):
            if told := file.read_text().strip():
                return told
        time.sleep(GLANCE)
    raise TimeoutError(file.name)


def _answers(port: int) -> None:
    end = time.monotonic() + STARTED
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(GLANCE)
        else:
            return
