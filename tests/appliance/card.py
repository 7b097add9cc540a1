"""The card that is flashed, as far as it goes without a Pi: its first start, and a system that is only read."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.appliance.house import TREE, House, said, shell

IMAGE = TREE / "hardware" / "image"
PROGRAMS = ("parted", "losetup", "mkfs.ext4", "partprobe")
LAID = "mklabel msdos mkpart primary fat32 4MiB 68MiB mkpart primary ext4 68MiB 168MiB"
STANDS_IN = {
    "digside-first.service": "[Service]\nExecStart=\nExecStart=/bin/true\n",
    "var-lib-digside.mount": "[Mount]\nWhat=tmpfs\nType=tmpfs\nOptions=mode=0755\n",
}
"""In a container there is no disk: what stands for the partition that the first start makes."""
NETWORKS = (
    "apt-get -qq update; apt-get -qq install --yes --no-install-recommends network-manager dnsmasq-base >/dev/null"
)
MADE = "from companion.terminal.appliance import NETWORK, network; network(NETWORK)"
SHOWN = "connection.type,802-11-wireless.mode,ipv4.method,connection.autoconnect"


def makes_room() -> None:
    """What is left of a card becomes the partition of the tables: on a disk in a file, with its system mounted."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        said("card", f"first start not tried: {', '.join(missing)} missing")
        return
    with tempfile.TemporaryDirectory() as folder:
        card, system = Path(folder) / "card.img", Path(folder) / "system"
        with card.open("wb") as file:
            file.truncate(300_000_000)
        system.mkdir()
        shell("parted", "--script", str(card), *LAID.split())
        disk = shell("losetup", "--find", "--show", "--partscan", str(card)).strip()
        try:
            shell("partprobe", disk)
            shell("mkfs.ext4", "-q", f"{disk}p2")
            shell("mount", "--options", "ro", f"{disk}p2", str(system))
            try:
                shell(str(IMAGE / "files" / "first-start"), f"{disk}p2")
            finally:
                shell("umount", str(system))
            assert 'LABEL="TABLES"' in shell("blkid", "--probe", f"{disk}p3")
        finally:
            shell("losetup", "--detach", disk)
    said("card", "the first start makes the partition of the tables, beside the system that runs")


def starts_to_be_read(deb: Path) -> None:
    """Installed as the image is, then started with a root that cannot be written: all is well, and nothing is kept."""
    with House("trixie", boots=False, read_only=True) as house:
        house.run(f"dpkg --install {house.put(deb, deb.name)}")
        house.online(NETWORKS)
        house.run(f"/opt/digside/venv/bin/python -P -c '{MADE}'")
        subprocess.run([IMAGE / "install", house.root], check=True)
        for unit, lines in STANDS_IN.items():
            folder = house.root / "etc" / "systemd" / "system" / f"{unit}.d"
            folder.mkdir()
            (folder / "stands-in.conf").write_text(lines)
        house.start()
        house.wait(house.healthy, "an answer")
        assert not house.succeeds("touch /root/here || touch /etc/here || touch /opt/digside/here")
        assert house.run("systemctl --failed --no-legend --plain | cut -d' ' -f1") == "", (
            "nothing needs what is not there"
        )
        told = house.run("digside owner")
        assert "/owner#" in told, told
        assert house.run("find /var/lib/digside -maxdepth 0 -user digside") == "/var/lib/digside\n"
        places = "/tmp /var/log /var/tmp /var/cache /var/lib/digside-kiosk /var/lib/NetworkManager"
        assert set(house.run(f"stat --file-system --format=%T {places}").split()) == {"tmpfs"}
        shown = house.run(f"nmcli --get-values {SHOWN} connection show digside").split()
        assert shown == ["802-11-wireless", "ap", "shared", "no"], "NetworkManager reads it, and leaves it off"
        told = house.run("digside hotspot on", may_fail=True)
        assert told.startswith("digside: That failed on this machine: "), told
    said(
        "card",
        "a system that is only read starts, and the service with it; NetworkManager reads the network of its own",
    )
