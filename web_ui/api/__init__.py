"""The JSON API, version 1. One table of calls says what each takes and gives."""

from __future__ import annotations

from flask import Blueprint

from web_ui.api import evening, openapi, rig, running, tables

ALL = (*tables.calls.all, *evening.calls.all, *rig.calls.all, *running.calls.all, *openapi.calls.all)

api = Blueprint("api", __name__)
for each in (tables.calls, evening.calls, rig.calls, running.calls, openapi.calls):
    each.register(api)
