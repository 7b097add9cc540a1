"""Who asks the service in the tests: the host of a table, its seats, somebody who looks on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from itertools import count
from typing import Any, Protocol, cast

from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import Client
from werkzeug.wrappers import Response

from web_ui.asgi import Front

NAMES = ("Ada", "Ben")
LAYING = {"box": "jenseits", "mode": "toolbox", "wait": True, "seats": [{"name": name} for name in NAMES]}
FIRST_OF_A_STREAM = 3  # messages: its head, a greeting, and the first event; then the client leaves
PATIENCE = 30.0
_requests = count(1)


class Told(Protocol):
    """An answer."""

    status_code: int
    headers: Headers
    mimetype: str
    data: bytes
    text: str
    json: Any


class Entrance:
    """The way in that uvicorn takes, request by request, for a client that speaks WSGI."""

    def __init__(self, app: Flask) -> None:
        self._front = Front(app, app.extensions["digside"])

    @classmethod
    def of(cls, app: Flask) -> Entrance:
        """The one of an application."""
        entrance: Entrance = app.extensions.setdefault("entrance", None) or cls(app)
        app.extensions["entrance"] = entrance
        return entrance

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        begun, *parts = asyncio.run(self._asked(_scope_of(environ), body))
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in begun["headers"]]
        start(f"{begun['status']} {HTTPStatus(begun['status']).phrase}", headers)
        return [part["body"] for part in parts] if environ["REQUEST_METHOD"] != "HEAD" else []

    async def _asked(self, scope: dict[str, Any], body: bytes) -> list[dict[str, Any]]:
        sent, coming, enough = list[dict[str, Any]](), [{"type": "http.request", "body": body}], asyncio.Event()

        async def receive() -> dict[str, Any]:
            if not coming:
                await enough.wait()
            return coming.pop() if coming else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) == FIRST_OF_A_STREAM and message.get("more_body"):
                enough.set()

        async with asyncio.timeout(PATIENCE):
            await self._front(scope, receive, send)
        return sent


def _scope_of(environ: Mapping[str, Any]) -> dict[str, Any]:
    """A request as ASGI describes it."""
    own = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
    said = {name: environ[key] for name, key in own.items() if environ.get(key)}
    said |= {name[5:].replace("_", "-").lower(): said for name, said in environ.items() if name.startswith("HTTP_")}
    path = environ["PATH_INFO"].encode("latin-1")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": environ["REQUEST_METHOD"],
        "scheme": environ["wsgi.url_scheme"],
        "path": path.decode(errors="replace"),
        "raw_path": environ.get("REQUEST_URI", "").partition("?")[0].encode() or path,
        "query_string": environ.get("QUERY_STRING", "").encode("latin-1"),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in said.items()],
        "client": (environ.get("REMOTE_ADDR", "127.0.0.1"), 1),
        "server": (environ["SERVER_NAME"], int(environ["SERVER_PORT"])),
    }


def client(app: Flask, *, cookies: bool = True) -> Client:
    """Something that asks as a browser does, and by the same way."""
    return Client(Entrance.of(app), Response, use_cookies=cookies)


class Browser:
    """A browser, which keeps its cookies unless it is told not to."""

    def __init__(self, app: Flask, *, cookies: bool = True) -> None:
        self._app = app
        self._client = client(app, cookies=cookies)

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
