"""Who asks the service in the tests: the host of a table, its seats, somebody who looks on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, Protocol, cast

from flask import Flask
from werkzeug.datastructures import Headers

NAMES = ("Ada", "Ben")
LAYING = {"box": "jenseits", "mode": "toolbox", "wait": True, "seats": [{"name": name} for name in NAMES]}
_requests = count(1)


class Told(Protocol):
    """An answer."""

    status_code: int
    headers: Headers
    mimetype: str
    data: bytes
    text: str
    json: Any


class Browser:
    """A browser, which keeps its cookies unless it is told not to."""

    def __init__(self, app: Flask, *, cookies: bool = True) -> None:
        self._app = app
        self._client = app.test_client(use_cookies=cookies)

    def get(self, path: str, **more: Any) -> Told:
        return self.ask("GET", path, **more)

    def post(self, path: str, **more: Any) -> Told:
        return self.ask("POST", path, **more)

    def ask(self, method: str, path: str, **more: Any) -> Told:
        return cast(Told, self._client.open(path, method=method, **more))

    def keep(self, name: str, value: str) -> None:
        """Keep a cookie."""
        self._client.set_cookie(name, value)

    def own(self) -> Browser:
        """The same device, made the owner's."""
        self.keep("digside_owner", owner_of(self._app))
        return self


class Asker:
    """Somebody with a key, or without one."""

    def __init__(self, app: Flask, laid: Mapping[str, Any], key: str | None) -> None:
        self.app = app
        self.laid = laid
        self.key = key
        self.path = f"/api/tables/{laid['table']}"

    def with_key(self, key: str | None) -> Asker:
        """Somebody else at the same table."""
        return Asker(self.app, self.laid, key)

    def seat(self, number: int) -> Asker:
        """Whoever sits there."""
        return self.with_key(self.laid["seats"][number])

    @property
    def spectator(self) -> Asker:
        """Somebody without a key."""
        return self.with_key(None)

    def get(self, path: str = "", **headers: str) -> Told:
        """Ask for what is at this table, or under an address."""
        return self._ask("GET", path, None, headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Told:
        """Ask for something to be done, with whatever body."""
        return self._ask("POST", path, {} if body is None else body, headers)

    def press(self, path: str, **body: Any) -> Told:
        """Post with the newest number and a request id of its own, unless the test says others."""
        return self.post(path, {"seq": self.view["seq"], "request": f"press-{next(_requests)}", **body})

    def dial(self, knowledge: int = 3, **body: Any) -> Told:
        """A move everybody may make in a toolbox."""
        return self.press("/moves", move={"type": "dial", "knowledge": knowledge}, **body)

    @property
    def owner(self) -> Asker:
        """Whoever owns the service, by a key in a header."""
        return self.with_key(owner_of(self.app))

    @property
    def view(self) -> Any:
        """The table as this asker sees it."""
        return self.get().json

    def _ask(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Told:
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key is not None:
            said.setdefault("Authorization", f"Bearer {self.key}")
        where = path if path.startswith(("/api/", "/healthz", "/metrics")) else self.path + path
        return Browser(self.app, cookies=False).ask(method, where, json=body, headers=said)


def owner_of(app: Flask) -> str:
    """The key that makes a device the owner's."""
    key: str = app.extensions["digside"].owner.key
    return key


def lay(app: Flask, **different: Any) -> Any:
    """Lay a table; the answer with its keys."""
    answer = Browser(app, cookies=False).post("/api/tables", json={**LAYING, **different})
    assert answer.status_code == 201, answer.text
    return answer.json


def sit_down(app: Flask, **different: Any) -> Asker:
    """The host of a new table, past the draws of its start."""
    laid = lay(app, **different)
    host = Asker(app, laid, laid["host"])
    while host.view["ask"]["kind"] == "chance":
        assert host.press("/outcome", outcome=None).status_code == 200
    return host
