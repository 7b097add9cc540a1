"""Attacks on a service as the tests of the web have it: a fresh hall, a client, a table."""

from tests.web.conftest import app, client, hall, nothing_left_running, rig, table

__all__ = ["app", "client", "hall", "nothing_left_running", "rig", "table"]
