"""One code for the room, and a host's role that goes from device to device, as the API has them."""

from __future__ import annotations

from itertools import count

from flask import Flask

from companion.play.actors import HOST
from tests.web.people import Asker, Browser, lay, sit_down
from web_ui.presence import Presence
from web_ui.service import Service
from web_ui.views import Eyes

NAMES = ("Ada", "Ben", "Carol")
SEATS = [{"name": name} for name in NAMES]
ids = (f"hosting-{n}" for n in count())


def service_of(app: Flask) -> Service:
    service: Service = app.extensions["digside"]
    return service


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: list[tuple[float, object]] = []

    def __call__(self) -> float:
        return self.now

    def later(self, seconds: float, call: object) -> None:
        self.waiting.append((self.now + seconds, call))

    def passes(self, seconds: float) -> None:
        self.now += seconds
        due, self.waiting = ([each for each in self.waiting if (each[0] <= self.now) is now] for now in (True, False))
        for _, call in due:
            assert callable(call)
            call()


def clocked(app: Flask) -> Clock:
    """The clock by which a service knows who is silent."""
    service, clock = service_of(app), Clock()
    began = service.hall.now
    service.hall.now = lambda: began() + int(1000 * clock.now)  # type: ignore[method-assign]
    service.presence = Presence(
        service.broadcaster.lines_of, service.mind_host, silent_s=60.0, clock=clock, later=clock.later
    )
    return clock


def test_one_code_for_the_room_seats_whoever_types_it_under_their_own_name(app: Flask) -> None:
    laid = lay(app, seats=SEATS)
    host = Asker(app, laid, laid["host"])
    assert host.spectator.post("/room").status_code == 401
    code = host.seat(0).post("/room").json["code"]
    assert host.post("/room").json["code"] == code
    assert host.seat(0).get("/qr/room.svg").status_code == 200
    assert [host.seat(0).get(f"/qr/{who}.svg").status_code for who in ("0", "host")] == [403, 403]
    phone = Browser(app)
    found = phone.post("/api/join", json={"code": f" {code.upper()} "})
    assert (found.json["me"]["role"], found.headers.get("Set-Cookie")) == ("spectator", None)
    sits = {"request": "sits", "code": code, "name": "Zoë", "seat": 1}
    assert phone.post(f"{host.path}/join", json={**sits, "code": "aaaaa"}).status_code == 404
    assert phone.post(f"{host.path}/join", json={**sits, "name": "ADA"}).status_code == 400
    assert phone.post(f"{host.path}/join", json=sits).json["me"] == {"role": "seat", "seat": 1}
    seats = phone.get(host.path).json["seats"]
    assert [(seat["name"], seat["taken"]) for seat in seats] == [("Ada", False), ("Zoë", True), ("Carol", False)]
    other = Browser(app)
    assert other.post(f"{host.path}/join", json={**sits, "request": next(ids)}).status_code == 422
    more = {"request": next(ids), "code": code, "name": "Dora"}
    assert [other.post(f"{host.path}/join", json=more).json["me"]["seat"]] == [0]  # the next that is free
    assert host.press("/seats", do="add", name="Eve").json["seats"][3]["name"] == "Eve"
    assert host.seat(0).press("/seats", do="free", seat=1).status_code == 403
    assert host.press("/seats", do="free", seat=1).status_code == 200
    assert phone.get(host.path).json["me"]["role"] == "spectator"
    assert host.seat(1).get().status_code == 401  # the key the seat was laid with opens nothing any more
    keys = host.get("/keys").json["seats"]
    assert (len(keys), host.with_key(keys[1]).view["me"]["seat"]) == (4, 1)
    listed = Browser(app).get("/api/tables").json["tables"][0]["seats"]
    assert [seat["name"] for seat in listed] == ["Dora", "Zoë", "Carol", "Eve"]


def test_who_plays_together_is_offered_again_to_the_owner_alone(app: Flask) -> None:
    host = sit_down(app, seats=SEATS)
    host.dial()
    service_of(app).views.close()  # and what it still had to do is done
    while not (groups := Browser(app).own().get("/api/groups").json["groups"]):
        pass
    assert [person["name"] for person in groups[0]] == [*NAMES]
    assert Browser(app).get("/api/groups").json["groups"] == []


def test_the_role_is_taken_once_the_host_is_silent_and_those_present_agree(app: Flask) -> None:
    clock = clocked(app)
    laid = lay(app, seats=SEATS)
    host = Asker(app, laid, laid["host"])
    assert host.view["host"] == {"seat": None, "owner": False, "silent": False, "asked": None}
    ada, ben, carol = (host.seat(seat) for seat in range(3))
    for each in (ada, ben, carol):
        assert each.view["me"]["role"] == "seat"
    assert ada.press("/host", do="want").status_code == 422  # it was heard just now
    clock.passes(61)
    assert host.spectator.press("/host", do="want").status_code == 403
    for each in (ada, ben):
        each.get()
    assert ada.press("/host", do="want").json["host"]["asked"]["agreed"] == [0]
    assert ada.press("/host", do="want").status_code == 422  # one of two is not more than half
    assert ben.press("/host", do="keep").json["host"]["asked"] is None
    assert ben.press("/host", do="want").json["host"]["asked"]["seat"] == 1
    host.get()
    assert ada.press("/host", do="want").status_code == 422  # it is back
    service_of(app).mind_host(laid["table"])
    assert ada.view["host"]["asked"] is None
    clock.passes(61)
    ben.press("/host", do="want")
    assert ada.press("/host", do="want").json["host"]["seat"] == 1
    assert (ben.view["me"]["role"], host.view["me"]["role"]) == ("host", "spectator")
    assert host.press("/close").status_code == 401
    assert host.get("/keys").status_code == 401
    assert ben.press("/host", do="pass").json["me"]["role"] == "seat"
    assert host.view["me"]["role"] == "host"


def test_a_host_falls_silent_before_everybodys_eyes_and_is_heard_again(app: Flask) -> None:
    clock = clocked(app)
    laid = lay(app, seats=SEATS)
    presence, host = service_of(app).presence, Asker(app, laid, laid["host"])
    lines: set[Eyes] = set()
    presence._lines_of = lambda table: lines
    ada = Eyes(laid["table"], HOST), Eyes(laid["table"], service_of(app).hall.table(laid["table"]).seating.actor(0))  # type: ignore[arg-type]
    tablet, phone = ada
    lines |= {tablet, phone}
    presence.turned(tablet)
    clock.passes(100)  # it watches, and nothing is pressed
    assert not host.seat(0).view["host"]["silent"]
    lines.remove(tablet)
    presence.turned(tablet)
    clock.passes(59)
    assert not host.seat(0).view["host"]["silent"]
    clock.passes(2)
    assert host.seat(0).view["host"]["silent"]
    host.seat(0).press("/host", do="want")
    lines.add(tablet)
    presence.turned(tablet)
    told = host.seat(0).view["host"]
    assert (told["silent"], told["asked"]) == (False, None)


def test_the_owner_takes_over_at_once_and_nobody_else_does(app: Flask) -> None:
    host = sit_down(app, seats=SEATS)
    device = Browser(app)
    take = {"request": next(ids), "do": "take"}
    assert device.post(f"{host.path}/host", json=take).status_code == 401
    assert host.seat(0).press("/host", do="take").status_code == 401
    device.own()
    assert device.post(f"{host.path}/host", json=take).json["me"] == {"role": "host", "seat": None}
    assert host.view["me"]["role"] == "spectator"
    assert device.get(f"{host.path}/keys").status_code == 200
    sits = {"request": next(ids), "name": "Olga", "seat": 2}
    assert device.post(f"{host.path}/join", json=sits).json["me"] == {"role": "seat", "seat": 2}
    assert device.get(host.path).json["me"] == {"role": "host", "seat": 2}
    again = {"request": next(ids), "do": "take"}
    assert device.post(f"{host.path}/host", json=again).json["host"]["seat"] == 2
    lines = [line["what"].get("type") for line in device.get(host.path).json["log"] if line["kind"] == "seating"]
    assert lines == ["host_owner", "seat_take", "host_seat"]
