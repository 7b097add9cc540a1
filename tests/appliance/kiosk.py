"""The screen of its own: cage and Chromium without a screen or a hand, which a compositor can stand in for."""

from __future__ import annotations

from pathlib import Path

from tests.appliance.house import House, said

WANTED = "cage xwayland chromium swayidle wlr-randr wtype grim procps fonts-dejavu-core"
LOOK = Path(__file__).with_name("kiosk.sh")


def shows_the_table(deb: Path, suite: str) -> None:
    """It is shown, comes back when the browser crashes, goes dark when nobody touches it, and is there at a touch."""
    with House(suite, boots=False) as house:
        house.run(f"dpkg --install {house.put(deb, deb.name)}; useradd --create-home onlooker")
        house.online(f"apt-get -qq update; apt-get -qq install --yes --no-install-recommends {WANTED} >/dev/null")
        house.start()
        house.wait(house.healthy, "an answer")
        house.run("cat >/usr/bin/look; chmod 0755 /usr/bin/look", typed=LOOK.read_text(encoding="utf-8"))
        told = house.run("runuser --user onlooker -- env HOME=/home/onlooker look", may_fail=True)
        assert told.split() == ["shown", "again", "dark", "lit"], told
    said(suite, "the kiosk shows the page, comes back after a crash, goes dark and wakes at a touch")
