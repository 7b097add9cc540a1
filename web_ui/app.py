"""The Flask application: pages and calls over one hall and one rig, with one way to refuse and to say so."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.routing import Rule

from companion.boxes import BoxProblem
from companion.play.hall import Hall
from companion.refusals import Malformed, Missing, Refusal, Stale, Storage
from hardware.face import Rig
from web_ui.api.blueprint import blueprint
from web_ui.api.calls import AtTable
from web_ui.events import tell
from web_ui.guard import SECURITY, SECURITY_OF_FILES, check_host
from web_ui.http_errors import BadBox, Broken, TooLarge, WrongMethod, body_of, headers_of, status_of
from web_ui.pages import lost, pages, wants_page
from web_ui.request import body, current
from web_ui.service import Service, running
from web_ui.settings import Settings

log = logging.getLogger(__name__)

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


class LazyRule(Rule):
    """A rule that compiles what builds its addresses once one is built: that took most of the time to make an app."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = super()._compile_builder

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build


def create_app(
    hall: Hall, rig: Rig, *, settings: Settings | None = None, address: str | None = None, spoken: str = "en"
) -> Flask:
    """The application for one hall and one rig; its `Service` is ``app.extensions["digside"]``.

    :param address: where tablets reach it, for codes that are drawn on the machine itself.
    :param spoken: the language of what is told to no person in particular.
    """
    app = Flask("web_ui", static_folder=None)
    app.url_rule_class = LazyRule
    own = Service(hall, rig, settings or Settings(), address=address, spoken=spoken)
    app.extensions["digside"] = own
    app.url_map.merge_slashes = False  # a doubled slash is a mistake, and told as one
    app.register_blueprint(pages)
    app.register_blueprint(blueprint())
    app.before_request(_guard)
    app.after_request(_finish)
    app.register_error_handler(Exception, _refuse)
    return app


def _guard() -> None:
    g.began = time.perf_counter()
    settings, asking = running().settings, current()
    check_host(asking.host, settings.names)
    limit = settings.limit_of(asking.path)
    if max(len(body()), int(asking.headers.get("content-length") or 0)) > limit:
        raise TooLarge("web.too_large", limit=limit // 1024)


def _finish(response: Response) -> Response:
    for name, value in (SECURITY_OF_FILES if response.cache_control.immutable else SECURITY).items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    if "Allow" in response.headers:
        response.headers["Allow"] = ", ".join(sorted(response.allow))
    method = request.method if request.method in METHODS else "other"
    took = round((time.perf_counter() - g.pop("began", time.perf_counter())) * 1000, 1)
    running().metrics.answered(response.status_code)
    rule = request.url_rule.rule if request.url_rule else None
    tell("answered", method=method, call=rule, status=response.status_code, ms=took)
    return response


def _refuse(error: Exception) -> Response:
    """Whatever went wrong, in words for the person and a code for the program; never a trace."""
    if isinstance(error, HTTPException) and (error.code or 500) < 400:
        return Response(error.get_body(), error.code, list(error.get_headers()))
    refusal, service = _as_refusal(error), running()
    tell("refused", code=refusal.code, status=status_of(refusal))
    service.metrics.refused(refusal)
    if isinstance(refusal, Storage) and request.method == "POST":
        service.disk.refused(refusal)
    if isinstance(refusal, Broken):
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    response = lost(refusal) if wants_page() else _in_json(service, refusal)
    response.headers.extend(list(headers_of(refusal)))
    return response


def _in_json(service: Service, refusal: Refusal) -> Response:
    asking = g.get("asking")
    scope: tuple[str, ...] = ()
    view = None
    if isinstance(asking, AtTable):
        scope = asking.table.setup.scope
        view = _fresh_view(service, asking) if isinstance(refusal, Stale) else None
    told = body_of(refusal, current().language, view, scope)
    return Response(told, status_of(refusal), mimetype="application/json")


def _fresh_view(service: Service, asking: AtTable) -> bytes | None:
    """The table as it is now, for whoever meant it as it was; none, where that cannot be shown."""
    try:
        return service.views.of(asking.table, asking.eyes)
    except Exception:
        log.exception("table %s cannot be shown", asking.table.id)
        return None


def _as_refusal(error: Exception) -> Refusal:
    """An error as a refusal; a mistake of ours becomes one that says so and no more."""
    match error:
        case Refusal():
            return error
        case BoxProblem():
            return BadBox(error)
        case NotFound():
            return Missing("web.no_page")
        case MethodNotAllowed():
            return WrongMethod(error.valid_methods or ())
        case HTTPException() if (error.code or 500) < 500:
            return Malformed("web.bad_request")
    return Broken("web.broken")
