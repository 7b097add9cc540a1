"""The Flask application: pages and API over one hall and one rig."""

from __future__ import annotations

import logging
import time

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from companion.boxes import BoxProblem
from companion.play.hall import Hall
from companion.refusals import Malformed, Missing, Refusal, Stale, Storage
from hardware.face import Rig
from web_ui.api import api
from web_ui.api.calls import AtTable, language, service
from web_ui.events import tell
from web_ui.guard import SECURITY, SECURITY_OF_FILES, check_host
from web_ui.http_errors import BadBox, Broken, TooLarge, WrongMethod, body_of, headers_of, status_of
from web_ui.pages import lost, pages, wants_page
from web_ui.service import Service
from web_ui.settings import Settings

log = logging.getLogger(__name__)


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
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.merge_slashes = False  # a doubled slash is a mistake, and told as one
    app.register_blueprint(api)
    app.register_blueprint(pages)
    app.before_request(_guard)
    app.after_request(_finish)
    app.register_error_handler(Exception, _refuse)
    return app


def _guard() -> None:
    g.began = time.perf_counter()
    settings = service().settings
    check_host(request.host, settings.names)
    limit = settings.limit_of(request.path)
    if (request.content_length or 0) > limit:
        raise TooLarge("web.too_large", limit=limit // 1024)


def _finish(response: Response) -> Response:
    for name, value in (SECURITY_OF_FILES if response.cache_control.immutable else SECURITY).items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    service().metrics.answered(response.status_code)
    took = round((time.perf_counter() - g.pop("began", time.perf_counter())) * 1000, 1)
    rule = request.url_rule.rule if request.url_rule else None
    tell("answered", method=known_method(), call=rule, status=response.status_code, ms=took)
    return response


def known_method() -> str:
    """The method of this request, if it is one."""
    return request.method if request.method in {"GET", "HEAD", "POST", "OPTIONS"} else "other"


def _refuse(error: Exception) -> Response:
    """Whatever went wrong, in words for the person and a code for the program; never a trace."""
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return Response(error.get_body(), error.code, list(error.get_headers()))
    refusal = as_refusal(error)
    tell("refused", code=refusal.code, status=status_of(refusal))
    service().metrics.refused(refusal)
    if isinstance(refusal, Storage) and request.method == "POST":
        service().disk.refused(refusal)
    if isinstance(refusal, Broken):
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    response = lost(refusal) if wants_page() else _in_json(refusal)
    response.headers.extend(list(headers_of(refusal)))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


def _in_json(refusal: Refusal) -> Response:
    asking = g.get("asking")
    scope = asking.table.setup.scope if isinstance(asking, AtTable) else ()
    body = body_of(refusal, language(), _fresh_view(refusal), scope)
    return Response(body, status_of(refusal), mimetype="application/json")


def as_refusal(error: Exception) -> Refusal:
    """An error as a refusal; a mistake of ours becomes one that says so and no more."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, BoxProblem):
        return BadBox(error)
    if isinstance(error, HTTPException) and (error.code or 500) < 500:
        return _of_http(error)
    return Broken("web.broken")


def _of_http(error: HTTPException) -> Refusal:
    """What Flask refuses by itself."""
    match error:
        case NotFound():
            return Missing("web.no_page")
        case MethodNotAllowed():
            return WrongMethod("web.wrong_method")
        case RequestEntityTooLarge():
            return TooLarge("web.too_large", limit=service().settings.largest // 1024)
        case _:
            return Malformed("web.bad_request")


def _fresh_view(refusal: Refusal) -> bytes | None:
    """The table as it is now, for whoever meant it as it was."""
    asking = g.get("asking")
    if isinstance(refusal, Stale) and isinstance(asking, AtTable):
        return service().views.of(asking.table, asking.eyes)
    return None
