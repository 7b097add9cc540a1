"""The Flask application: pages, and the calls of the API, over one hall and one rig."""

from __future__ import annotations

import time

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from companion.play.hall import Hall
from companion.refusals import Malformed, Missing, Refusal
from hardware.face import Rig
from web_ui.answering import as_refusal, check_size, note_answer, note_refusal, with_calls
from web_ui.guard import SECURITY, SECURITY_OF_FILES, check_host
from web_ui.http_errors import TooLarge, WrongMethod, body_of, headers_of, status_of
from web_ui.pages import asked, lost, pages, service, wants_page
from web_ui.service import Service
from web_ui.settings import Settings


def create_app(
    hall: Hall, rig: Rig, *, settings: Settings | None = None, address: str | None = None, spoken: str = "en"
) -> Flask:
    """The application for one hall and one rig; its `Service` is ``app.extensions["digside"]``.

    :param address: where tablets reach it, for codes that are drawn on the machine itself.
    :param spoken: the language of what is told to no person in particular.
    """
    app = Flask("web_ui", static_folder=None)
    own = Service(hall, rig, settings or Settings(), address=address, spoken=spoken)
    app.extensions["digside"] = own
    app.config["MAX_CONTENT_LENGTH"] = own.settings.largest_import
    app.url_map.merge_slashes = False  # a doubled slash is a mistake, and told as one
    app.register_blueprint(pages)
    app.before_request(_guard)
    app.after_request(_finish)
    app.register_error_handler(Exception, _refuse)
    app.wsgi_app = with_calls(app.wsgi_app, own)  # type: ignore[assignment]
    return app


def _guard() -> None:
    g.began = time.perf_counter()
    check_host(asked().host, service().settings.names)
    check_size(service(), asked())


def _finish(response: Response) -> Response:
    for name, value in (SECURITY_OF_FILES if response.cache_control.immutable else SECURITY).items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    rule = request.url_rule.rule if request.url_rule else None
    note_answer(service(), request.method, rule, response.status_code, g.pop("began", time.perf_counter()))
    return response


def _refuse(error: Exception) -> Response:
    """Whatever went wrong, in words for the person and a code for the program; never a trace."""
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return Response(error.get_body(), error.code, list(error.get_headers()))
    refusal = _of_http(error) if isinstance(error, HTTPException) and (error.code or 500) < 500 else as_refusal(error)
    note_refusal(service(), request.method, request.path, refusal, error)
    response = lost(refusal) if wants_page() else _in_json(refusal)
    response.headers.extend(list(headers_of(refusal)))
    return response


def _in_json(refusal: Refusal) -> Response:
    return Response(body_of(refusal, asked().language), status_of(refusal), mimetype="application/json")


def _of_http(error: HTTPException) -> Refusal:
    """What Flask refuses by itself."""
    match error:
        case NotFound():
            return Missing("web.no_page")
        case MethodNotAllowed():
            return WrongMethod(error.valid_methods or ())
        case RequestEntityTooLarge():
            return TooLarge("web.too_large", limit=service().settings.largest // 1024)
        case _:
            return Malformed("web.bad_request")
