"""The Debian package and what a card is made with: built from no more than an empty wheel, and looked into."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from companion import __version__, games
from companion.terminal.appliance import HOTSPOT, KIOSK, last_update
from companion.terminal.signature import checked, known_key
from hardware.package import build
from tests.needs import needs_program

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "hardware" / "image"
SCRIPTS = [
    *(ROOT / "hardware" / "package" / name for name in ("make-venv", "go-back", "digside", "power", "kiosk", "screen")),
    *(ROOT / "hardware" / "package" / name for name in build.SCRIPTS),
    *(IMAGE / name for name in ("build", "install", "files/first-start", "files/clock-on")),
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
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(build, "KEY", folder / "signing.key")
        deb = build.package("arm64", __version__, own, folder / "wheels", folder)
    subprocess.run([dpkg, "--raw-extract", deb, folder / "out"], check=True)
    signed = checked(deb, known_key(folder / "out" / "opt" / "digside" / "signing.pub"))
    assert signed is not None
    assert signed.is_known, "the key that is in the package is the one it is signed by"
    return folder / "out"


def test_each_wheel_is_installed_as_it_is_in_the_package_alone(unpacked: Path) -> None:
    home = unpacked / "opt" / "digside"
    lines = (home / "requirements.txt").read_text().splitlines()
    wheels = sorted((home / "wheels").glob("*.whl"))
    assert [line.partition(" ")[0] for line in lines] == [f"digside=={__version__}", "flask==3.1"]
    for wheel in wheels:
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() in "".join(lines)


def test_everything_lies_where_debian_looks_for_it(unpacked: Path) -> None:
    for place in (*build.PLACES, "usr/share/man/man1/digside.1.gz", "usr/share/bash-completion/completions/digside"):
        assert (unpacked / place).is_file(), place
    assert (unpacked / "usr/bin/digside").stat().st_mode & 0o777 == 0o755
    assert (unpacked / "opt/digside/version").read_text() == f"{__version__}\n"
    assert re.fullmatch("[0-9a-f]{12}\n", (unpacked / "opt/digside/build").read_text())
    control = (unpacked / "DEBIAN" / "control").read_text()
    assert "Architecture: arm64\n" in control
    assert f"Version: {__version__}\n" in control
    assert (unpacked / "DEBIAN" / "conffiles").read_text() == "/etc/avahi/services/digside.service\n"


def test_a_shell_completes_commands_options_and_names(unpacked: Path, tmp_path: Path) -> None:
    script = f'''. {unpacked / "usr/share/bash-completion/completions/digside"}
        COMP_WORDS=(digside "$@"); COMP_CWORD=$#; _digside; printf "%s\\n" "${{COMPREPLY[@]}}"'''

    def offered(*typed: str) -> set[str]:
        bash = ["bash", "-c", script, "bash", *typed]
        return set(subprocess.run(bash, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.split())

    assert offered("do") == {"doctor"}
    assert offered("doctor", "--w") == {"--whole"}
    assert offered("rig", "na") == {"nano"}
    assert offered("kiosk", "") == {"on", "off"}
    assert offered("play", "") >= set(games.names())
    assert offered("box", "") >= {"show", *games.names()}


def test_its_scripts_know_for_which_systems_it_is(unpacked: Path) -> None:
    for name in build.SCRIPTS:
        text = (unpacked / "DEBIAN" / name).read_text()
        assert not re.search("@[A-Z]+@", text), name
    assert " 3.11 3.13 " in (unpacked / "DEBIAN" / "preinst").read_text()


@pytest.mark.parametrize(
    ("python", "bits", "room", "why"),
    [
        ("3.11", "64", "900000", ""),
        ("3.9", "64", "900000", "this system has Python 3.9; this package is for Python 3.11 3.13"),
        ("3.13", "32", "900000", "this system runs 32-bit programs; install the 64-bit Raspberry Pi OS"),
        ("3.13", "64", "9000", "it needs 220000 kB of room, and there are 9000 kB"),
    ],
    ids=["fits", "another Python", "32 bits", "no room"],
)
def test_a_system_it_cannot_run_on_is_refused_in_one_sentence(
    unpacked: Path, tmp_path: Path, python: str, bits: str, room: str, why: str
) -> None:
    answers = {"python3": f'case "$3" in *calcsize*) echo {bits} ;; *) echo {python} ;; esac', "df": f"echo {room}"}
    for name, body in answers.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    script = (unpacked / "DEBIAN" / "preinst").read_text().replace("/usr/bin/python3", "python3")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", script, "preinst", "install"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == bool(why)
    assert done.stderr.count("\n") == bool(why)
    assert why in done.stderr
    assert done.stderr.endswith("Nothing was changed.\n") == bool(why)


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
    tagged = subprocess.run(["git", "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert max([*tagged.stdout.split(), f"v{__version__}"], key=_numbers) == f"v{__version__}", "a version rises"
    assert f"digside_{__version__}_arm64.deb" in (ROOT / "hardware" / "package" / "README.md").read_text()


def _numbers(tag: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", tag)]


def test_a_card_is_only_read_but_for_the_tables(tmp_path: Path) -> None:
    """Whatever an fstab says: what would make the system writable is off, and what programs write is in memory."""
    subprocess.run([IMAGE / "install", tmp_path], check=True, env={"PATH": os.environ["PATH"]})
    units = tmp_path / "etc/systemd/system"
    assert os.readlink(units / "systemd-remount-fs.service") == "/dev/null"
    assert "Options=ro" in (units / "boot-firmware.mount.d/boot-is-read.conf").read_text()
    assert "Storage=volatile" in (tmp_path / "etc/systemd/journald.conf.d/digside.conf").read_text()
    mounts = {unit: unit.read_text() for unit in units.glob("*.mount")}
    kept = [unit.name for unit, text in mounts.items() if "Type=tmpfs" not in text]
    assert kept == ["var-lib-digside.mount"]
    for unit, text in mounts.items():
        (place,) = re.findall("(?m)^Where=(.*)$", text)
        assert (tmp_path / place[1:]).is_dir(), "nothing can be made there any more"
        assert unit.stem == place[1:].replace("-", r"\x2d").replace("/", "-")
    assert "RequiresMountsFor=/var/lib/digside" in (units / "digside.service.d/after-first.conf").read_text()
    wanted = [*units.glob("*.wants/*")]
    assert len(wanted) == len(mounts) + 2
    for link in wanted:
        assert (tmp_path / os.readlink(link).lstrip("/")).is_file(), link
    unit_text = "".join(path.read_text() for path in [*mounts, *units.rglob("*.conf"), *units.glob("*.service")])
    for script in re.findall(r"/opt/digside/([a-z-]+)\b", unit_text):
        assert (tmp_path / "opt/digside" / script).stat().st_mode & 0o111


def test_a_card_asks_only_for_what_its_recipe_has() -> None:
    """The layer is told its package by the name it asks for, and installs what the kiosk and the network need."""
    layer = (IMAGE / "layer" / "digside.yaml").read_text()
    (prefix,), (variable,) = re.findall(r"VarPrefix: (\w+)", layer), re.findall(r"X-Env-Var-(\w+):", layer)
    named = f"IGconf_{prefix}_{variable}"
    assert f'"{named}=' in (IMAGE / "build").read_text()
    assert f'"${named}"' in layer
    packages = set(re.findall(r"(?m)^    - ([a-z0-9.-]+)$", layer))
    assert packages >= {*KIOSK, HOTSPOT[1], "python3-venv", "python3-lgpio", "wpasupplicant"}
    (called,) = re.findall(r"\$SRCROOT/([a-z/]+)", layer)
    assert (IMAGE / called).is_file(), "the folder of the recipe is the tool's SRCROOT"


def test_a_clock_without_a_battery_begins_no_earlier_than_the_last_press(tmp_path: Path) -> None:
    said = tmp_path / "said"
    (tmp_path / "date").write_text(f'#!/bin/sh\n[ "$1" = +%s ] && echo 1000 || echo "$@" >{said}\n')
    (tmp_path / "date").chmod(0o755)
    run = [IMAGE / "files" / "clock-on", tmp_path]
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(run, check=True, env=env)
    for name, at in (("digside.sqlite", 900), ("digside.sqlite-wal", 2000)):
        assert not said.exists()
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
        subprocess.run(run, check=True, env=env)
    assert said.read_text() == "--set @2000\n"


def test_a_browser_that_crashes_comes_back(tmp_path: Path) -> None:
    """Also while what darkens the screen goes on."""
    calls = tmp_path / "calls"
    for name, body in {
        "chromium": f'echo "$@" >>{calls}; [ "$(grep -c . {calls})" -lt 3 ] || kill $PPID; exit 1',
        "swayidle": f"echo idle >>{tmp_path / 'idle'}",
        "sleep": "true",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DIGSIDE_PAGE": "http://here/"}
    subprocess.run([ROOT / "hardware" / "package" / "kiosk"], env=env, check=False)
    started = calls.read_text().splitlines()
    assert len(started) == 3
    assert all(line.startswith("--kiosk") and line.endswith(" http://here/") for line in started)
    assert (tmp_path / "idle").read_text() == "idle\n", "once is enough"


@pytest.mark.parametrize(
    ("state", "waited_for", "installed", "tables"),
    [("running", False, True, "newer"), ("failed", False, True, "before"), ("failed", True, False, "newer")],
    ids=["it comes up", "it cannot read what is there", "whoever updates still waits"],
)
def test_an_update_whose_end_nobody_saw_to_goes_back(
    tmp_path: Path, state: str, waited_for: bool, installed: bool, tables: str
) -> None:
    installed_now = tmp_path / "installed"
    programs, home, data = (tmp_path / name for name in ("programs", "home", "data"))
    for folder in (programs, home / "before", data):
        folder.mkdir(parents=True)
    for name, body in {
        "dpkg": f"touch {installed_now}",
        "runuser": 'shift 3; exec "$@"',
        "systemctl": f"[ $1 != show ] || if [ -e {installed_now} ]; then echo {state}; else echo failed; fi",
        "sleep": "true",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{body}\n")
        (programs / name).chmod(0o755)
    mark = home / "before" / "under-way"
    mark.write_text("1.0 2.0\n")
    (home / "before" / "digside_1.0_arm64.deb").touch()
    (data / "digside.sqlite").write_text("newer")
    (data / "before-update.sqlite").write_text("before")
    env = {"PATH": f"{programs}:{os.environ['PATH']}", "DIGSIDE_HOME": str(home), "DIGSIDE_DATA": str(data)}
    with mark.open() as held:
        if waited_for:
            fcntl.flock(held, fcntl.LOCK_EX)
        subprocess.run([ROOT / "hardware" / "package" / "go-back"], env=env, check=True)
    assert installed_now.exists() == installed
    assert (data / "digside.sqlite").read_text() == tables
    assert (data / "newer.sqlite").exists() == (tables == "before"), "nothing is thrown away"
    told = last_update(data)
    assert (told and (told.before, told.after, told.outcome)) == (("1.0", "2.0", "went_back") if installed else None)


def test_an_environment_is_made_beside_the_old_one_and_a_half_made_one_anew(tmp_path: Path) -> None:
    """Where it cannot be made, the service goes on with the one before; without one it says so and gives up."""
    home = tmp_path / "opt"
    home.mkdir()
    (home / "version").write_text("9.9\n")
    (home / "build").write_text("abc\n")
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


def test_an_environment_is_made_anew_for_another_build_of_the_same_version(tmp_path: Path) -> None:
    asked = ["/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    here = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    for name, content in {"version": "9.9", "build": "abc", "pythons": "2.7"}.items():
        (tmp_path / name).write_text(f"{content}\n")
    made = tmp_path / "venvs" / f"9.9-abc-{here}"
    made.mkdir(parents=True)
    (made / "whole").touch()
    script = ROOT / "hardware" / "package" / "make-venv"
    env = {"PATH": os.environ["PATH"], "DIGSIDE_HOME": str(tmp_path)}
    assert subprocess.run([script], env=env, check=False).returncode == 0
    assert (tmp_path / "venv").resolve() == made
    (tmp_path / "build").write_text("def\n")
    assert subprocess.run([script], env=env, capture_output=True, check=False).returncode == 78, "it is to be made"


@pytest.mark.parametrize("word", [[], ["start"]], ids=["installed", "started"])
def test_root_takes_no_program_from_the_folder_it_is_called_in(tmp_path: Path, word: list[str]) -> None:
    """The unit calls it as root where the service may write; what lies there is not run."""
    home, here, owned = tmp_path / "opt", tmp_path / "tables", tmp_path / "owned"
    asked = ["/usr/bin/python3", "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    python = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    home.mkdir()
    for name, content in {"version": "9.9", "build": "abc", "pythons": python, "requirements.txt": ""}.items():
        (home / name).write_text(f"{content}\n")
    here.mkdir()
    for name in ("venv", "pip", "digside", "site", "sitecustomize", "ensurepip", "runpy"):
        (here / f"{name}.py").write_text(f"open({str(owned)!r}, 'w')\n")
    script = ROOT / "hardware" / "package" / "make-venv"
    env = {"PATH": os.environ["PATH"], "DIGSIDE_HOME": str(home)}
    subprocess.run([script, *word], env=env, cwd=here, capture_output=True, check=False)
    assert [*(home / "venvs").iterdir()], "an environment was begun"
    assert not owned.exists()
