"""The Debian package: its size, and the time from `dpkg -i` to the first answer on a Debian in a container."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.package import build
from tests.appliance import packages
from tests.appliance.house import House
from tests.bench.limits import judged, limited

DEBIAN = "trixie"
LARGEST_MB = 30
TOOLS = ("dpkg-deb", "debootstrap", "systemd-nspawn")


def main() -> None:
    """Print both, as far as this machine lets one: wheels come from an index, a container is root's to start."""
    with tempfile.TemporaryDirectory() as folder:
        version = packages.own_version()
        try:
            own = build.wheel_of_tree(version)
            debs = {
                name: build.package(name, version, own, build.fetched(name), Path(folder)) for name in build.MACHINES
            }
        except (OSError, subprocess.CalledProcessError) as failed:
            print(f"the package: not built: {failed}")
            return
        for name, deb in debs.items():
            limited(f"package for {name}", deb.stat().st_size / 1e6, "MB", at_most=LARGEST_MB)
        missing = [name for name in TOOLS if shutil.which(name) is None]
        if missing or os.geteuid() != 0:
            print(f"dpkg -i to the first answer: not measured: {', '.join(missing) or 'this is not root'}")
            return
        with House(DEBIAN) as house:
            print(f"dpkg -i to the first answer, on {DEBIAN} in a container: {house.install(debs['amd64']):.1f} s")


if __name__ == "__main__":
    sys.exit(judged({"package": main}))
