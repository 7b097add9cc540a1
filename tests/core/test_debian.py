"""The Debian package and what a card is made with: built from no more than an empty wheel, and looked into."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from companion import __version__
from hardware.package import build
from tests.needs import needs_program

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "hardware" / "image"
SCRIPTS = [
    *(ROOT / "hardware" / "package" / name for name in ("make-venv", "digside", "power", "kiosk", "screen")),
    *(ROOT / "hardware" / "package" / name for name in build.SCRIPTS),
    *(IMAGE / name for name in ("build", "install", "files/first-start")),
]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, unpacked with what dpkg reads of it."""
    dpkg = needs_program("dpkg-deb", apt="dpkg")
    folder = tmp_path_factory.mktemp("package")
    own = folder / f"digside-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(own, "w") as wheel:
        wheel.writestr("digside.py", "")
    (folder / "wheels").mkdir()
    (folder / "wheels" / "flask-3.1-py3-none-any.whl").write_bytes(own.read_bytes())
    deb = build.package("arm64", __version__, own, folder / "wheels", folder)
    subprocess.run([dpkg, "--raw-extract", deb, folder / "out"], check=True)
    return folder / "out"


def test_everything_lies_where_debian_looks_for_it(unpacked: Path) -> None:
    for place in (*build.PLACES, "usr/share/man/man1/digside.1.gz", "usr/share/bash-completion/completions/digside"):
        assert (unpacked / place).is_file(), place
    assert (unpacked / "usr/bin/digside").stat().st_mode & 0o777 == 0o755
    assert (unpacked / "opt/digside/version").read_text() == f"{__version__}\n"
    assert (unpacked / "opt/digside/requirements.txt").read_text() == f"flask\ndigside=={__version__}\n"
    control = (unpacked / "DEBIAN" / "control").read_text()
    assert "Architecture: arm64\n" in control
    assert f"Version: {__version__}\n" in control
    assert (unpacked / "DEBIAN" / "conffiles").read_text() == "/etc/avahi/services/digside.service\n"


def test_its_scripts_know_for_which_systems_it_is(unpacked: Path) -> None:
    for name in build.SCRIPTS:
        text = (unpacked / "DEBIAN" / name).read_text()
        assert not re.search("@[A-Z]+@", text), name
    assert " 3.11 3.13 " in (unpacked / "DEBIAN" / "preinst").read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_is_one_that_sh_understands(script: Path) -> None:
    assert script.read_text().startswith("#!/bin/sh\n")
    assert script.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", script], check=True)


def test_the_version_is_said_in_one_voice() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    assert f'\nversion = "{__version__}"\n' in project
    newest = re.search(r"(?m)^## (\S+)$", (ROOT / "CHANGELOG.md").read_text())
    assert newest
    assert newest[1] == __version__


def test_a_card_is_only_read_but_for_the_tables(tmp_path: Path) -> None:
    subprocess.run([IMAGE / "install", tmp_path], check=True, env={"PATH": os.environ["PATH"]})
    mounts = [line.split() for line in (tmp_path / "etc/fstab").read_text().splitlines()]
    written = {place for _, place, kind, options, *_ in mounts if kind != "tmpfs" and "ro" not in options.split(",")}
    assert written == set()
    assert (
        "RequiresMountsFor=/var/lib/digside"
        in (tmp_path / "etc/systemd/system/digside.service.d/after-first.conf").read_text()
    )
    for unit in (tmp_path / "etc/systemd/system/multi-user.target.wants").iterdir():
        assert (tmp_path / os.readlink(unit).lstrip("/")).is_file(), unit


def test_an_environment_is_made_beside_the_old_one_and_a_half_made_one_anew(tmp_path: Path) -> None:
    """Where it cannot be made, the service goes on with the one before; without one it says so and gives up."""
    home = tmp_path / "opt"
    home.mkdir()
    (home / "version").write_text("9.9\n")
    (home / "pythons").write_text("2.7\n")
    script = ROOT / "hardware" / "package" / "make-venv"
    env = {"PATH": os.environ["PATH"], "DIGSIDE_HOME": str(home)}
    refused = subprocess.run([script], env=env, capture_output=True, text=True, check=False)
    assert (refused.returncode, "no wheels for Python" in refused.stderr) == (78, True)
    assert subprocess.run([script, "start"], env=env, capture_output=True, check=False).returncode == 78
    before = home / "venv" / "bin" / "python"
    before.parent.mkdir(parents=True)
    before.write_text("#!/bin/sh\necho digside 9.8\n")
    before.chmod(0o755)
    goes_on = subprocess.run([script, "start"], env=env, capture_output=True, text=True, check=False)
    assert goes_on.returncode == 0
    assert "the one before goes on" in goes_on.stderr
