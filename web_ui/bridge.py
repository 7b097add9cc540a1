"""Hands a request that is here whole to a WSGI application in a thread: one way there, one way back."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from web_ui.request import BODY_IN_ENVIRON, IN_ENVIRON, Request, Scope
from web_ui.streams import Send

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

RawHeaders = list[tuple[bytes, bytes]]
PIECE = 16 * 1024
HEADERS_OF_THEIR_OWN = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}


class HttpAnswer(NamedTuple):
    """A whole answer."""

    status: int
    headers: RawHeaders
    body: bytes


async def send_whole(answer: HttpAnswer, send: Send) -> None:
    """Send an answer, piece by piece: of what a slow reader has not taken, one piece is copied and no more."""
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    for start in range(0, len(answer.body) - PIECE, PIECE):
        await send({"type": "http.response.body", "body": answer.body[start : start + PIECE], "more_body": True})
    rest = max(0, -(-len(answer.body) // PIECE) - 1) * PIECE
    await send({"type": "http.response.body", "body": answer.body[rest:]})


def answered(app: WSGIApplication, environ: dict[str, Any]) -> HttpAnswer:
    """What an application answers, as a whole."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
        begun.append((status, headers))
        return None  # nobody writes piece by piece here

    start_response: StartResponse = start
    parts = app(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    status, headers = begun[-1]
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return HttpAnswer(int(status[:3]), encoded, body)


def environ_of(scope: Scope, request: Request, body: bytes) -> dict[str, Any]:
    """A request as WSGI describes it."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        IN_ENVIRON: request,
        BODY_IN_ENVIRON: body,
    }
    for name, value in scope["headers"]:
        key = HEADERS_OF_THEIR_OWN.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        said = value.decode("latin-1")
        environ[key] = f"{environ[key]}{';' if name == b'cookie' else ','}{said}" if key in environ else said
    environ["CONTENT_LENGTH"] = str(len(body))
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # it is here whole
    return environ
