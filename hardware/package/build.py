"""Builds the Debian package, one for each architecture: `python hardware/package/build.py [amd64 arm64 …]`.

The package carries Digside and all it needs as wheels, for each Python that Debian 12 and 13 have. Nothing is fetched
when it is installed. Wheels that were fetched are kept in the user's cache, outside the tree.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT)]

from companion.terminal.signature import fingerprint, made_key, sign  # noqa: E402 -- found by the line before

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "digside"
KEY = Path(os.environ.get("DIGSIDE_SIGNING_KEY") or Path.home() / ".config" / "digside" / "signing.key")
"""The private key of whoever builds packages, made the first time: keep it, and keep it to yourself."""
PYTHONS = ("3.11", "3.13")
"""What Debian 12 and 13 have, and Raspberry Pi OS with them."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""By Debian's name of an architecture the wheels'. For 32 bits there are no wheels of Pillow, msgspec and cffi."""
GLIBC = ("manylinux_2_17", "manylinux2014", "manylinux_2_27", "manylinux_2_28")
"""As old as Debian 10's: Debian 12 has 2.36."""
UNUSED = ("setuptools-",)
"""What a dependency names and nothing here needs once it is installed."""
ROOM_KB = 220_000
"""What the wheels and two environments take, the old one and the new."""
CONTROL = """\
Package: digside
Version: {version}
Architecture: {architecture}
Maintainer: The Digside table <digside@localhost>
Installed-Size: {size}
Pre-Depends: python3 (>= 3.11)
Depends: python3-venv, adduser
Recommends: python3-lgpio, avahi-daemon, debconf
Suggests: libpq5, cage, xwayland, chromium, swayidle, wlr-randr, network-manager, python3-luma.oled
Section: misc
Priority: optional
Description: companion beside the table for archaeology board games
 Digside replaces what the boxes do with cardboard and luck: the time track, the
 dial, the excavation bags, the dice and the stone blocks. It referees whole
 games, drives a suction shovel, and everybody sees the table on a tablet.
"""
PLACES = {
    "opt/digside/make-venv": ("package/make-venv", 0o755),
    "opt/digside/go-back": ("package/go-back", 0o755),
    "opt/digside/power": ("package/power", 0o755),
    "opt/digside/kiosk": ("package/kiosk", 0o755),
    "opt/digside/screen": ("package/screen", 0o755),
    "usr/bin/digside": ("package/digside", 0o755),
    "usr/lib/systemd/system/digside.service": ("systemd/digside.service", 0o644),
    "usr/lib/systemd/system/digside-power.path": ("systemd/digside-power.path", 0o644),
    "usr/lib/systemd/system/digside-power.service": ("systemd/digside-power.service", 0o644),
    "usr/lib/systemd/system/digside-back.service": ("systemd/digside-back.service", 0o644),
    "usr/lib/systemd/system/digside-kiosk.service": ("systemd/digside-kiosk.service", 0o644),
    "usr/lib/udev/rules.d/98-digside-backlight.rules": ("systemd/98-digside-backlight.rules", 0o644),
    "usr/lib/udev/rules.d/99-digside.rules": ("systemd/99-digside.rules", 0o644),
    "usr/share/lintian/overrides/digside": ("package/lintian-overrides", 0o644),
    "etc/avahi/services/digside.service": ("package/avahi.service", 0o644),
}
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")


def main(architectures: Iterable[str]) -> None:
    """Build what was named, by default all, into ``output/``."""
    version = str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    own = wheel_of_tree(version)
    for architecture in list(architectures) or MACHINES:
        made = package(architecture, version, own, fetched(architecture), ROOT / "output")
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
    print(f"signed by the key {fingerprint(made_key(KEY))}: tell it to whoever installs this; the private one is {KEY}")


def tree(folder: Path) -> None:
    """A copy of all that git knows, so that what lies about in the tree is in no package."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if not name.startswith("tests/") and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def wheel_of_tree(version: str) -> Path:
    """Digside itself as a wheel."""
    into = ROOT / "output"
    into.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as copy:
        tree(Path(copy))
        pip("wheel", "--no-deps", "--wheel-dir", str(into), copy)
    return into / f"digside-{version}-py3-none-any.whl"


def fetched(architecture: str) -> Path:
    """The folder with the wheels of everything in the lock file; filled the first time."""
    lock = ROOT / "requirements-package.lock"
    mark = hashlib.sha256(lock.read_bytes() + repr((PYTHONS, GLIBC)).encode()).hexdigest()[:16]
    folder = CACHE / "wheels" / f"{architecture}-{mark}"
    if not folder.exists():
        half = folder.with_suffix(".part")
        shutil.rmtree(half, ignore_errors=True)
        for python in PYTHONS:
            platforms = [f"--platform={glibc}_{MACHINES[architecture]}" for glibc in GLIBC]
            chosen = ["--only-binary=:all:", f"--python-version={python}", *platforms]
            pip("download", "--no-deps", *chosen, "--dest", str(half), "--requirement", str(lock))
        half.rename(folder)
    return folder


def package(
    architecture: str, version: str, own: Path, wheels: Path, into: Path, pythons: Sequence[str] = PYTHONS
) -> Path:
    """The package from a wheel of Digside's and a folder of all others."""
    into.mkdir(parents=True, exist_ok=True)
    made = into / f"digside_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as staged:
        root = Path(staged) / "digside"
        for place, (source, mode) in PLACES.items():
            put(root / place, (ROOT / "hardware" / source).read_bytes(), mode)
        home = root / "opt" / "digside"
        content = hashlib.sha256()
        for wheel in (own, *(each for each in sorted(wheels.glob("*.whl")) if not each.name.startswith(UNUSED))):
            put(home / "wheels" / wheel.name, wheel.read_bytes())
            content.update(wheel.read_bytes())
        put(home / "build", f"{content.hexdigest()[:12]}\n".encode())  # a version may be built twice, and differ
        put(home / "requirements.txt", requirements(home / "wheels").encode())
        put(home / "signing.pub", f"{made_key(KEY)}\n".encode())
        put(home / "version", f"{version}\n".encode())
        put(home / "pythons", "".join(f"{python}\n" for python in pythons).encode())
        documents(root, version)
        control(root, version, architecture, pythons)
        env = os.environ | {"SOURCE_DATE_EPOCH": changed_at()}
        command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(root), str(made)]
        subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    sign(made, KEY)
    return made


def requirements(wheels: Path) -> str:
    """What is installed of some wheels, each only as it is here: pip refuses one that was changed."""
    hashes: dict[str, list[str]] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        name, version, *_ = wheel.name.split("-")
        hashes.setdefault(f"{name}=={version}", []).append(hashlib.sha256(wheel.read_bytes()).hexdigest())
    return "".join(f"{name} {' '.join(f'--hash=sha256:{each}' for each in sums)}\n" for name, sums in hashes.items())


def documents(root: Path, version: str) -> None:
    """Licence, changes, manual page and completion, where Debian looks for them."""
    sys.path[:0] = [str(ROOT), str(HERE)]
    from companion import games
    from companion.terminal.cli import parser
    from hardware.package.pages import completion, manual

    commands = parser()
    put(root / "usr/share/man/man1/digside.1.gz", gzip.compress(manual(commands, version).encode(), 9, mtime=0))
    put(root / "usr/share/bash-completion/completions/digside", completion(commands, games.names()).encode())
    folder = root / "usr" / "share" / "doc" / "digside"
    put(folder / "copyright", (ROOT / "LICENSE").read_bytes())
    put(folder / "changelog.gz", gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0))


def control(root: Path, version: str, architecture: str, pythons: Sequence[str]) -> None:
    """What dpkg reads."""
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    folder = root / "DEBIAN"
    put(folder / "control", CONTROL.format(version=version, architecture=architecture, size=size).encode())
    put(folder / "conffiles", b"".join(f"/{place}\n".encode() for place in PLACES if place.startswith("etc/")))
    put(folder / "templates", (HERE / "templates").read_bytes())
    put(folder / "triggers", (HERE / "triggers").read_bytes())
    for name in SCRIPTS:
        text = (HERE / name).read_text(encoding="utf-8")
        put(folder / name, text.replace("@PYTHONS@", " ".join(pythons)).replace("@ROOM@", str(ROOM_KB)).encode(), 0o755)


def put(path: Path, content: bytes, mode: int = 0o644) -> None:
    """A file of the package, whatever this machine's umask."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    for folder in path.parents:
        if folder.name == "digside" and folder.parent.name.startswith("tmp"):
            break
        folder.chmod(0o755)


def changed_at() -> str:
    """When the tree was last changed, so that the same tree makes the same package."""
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    return said.stdout.strip()


def pip(*words: str) -> None:
    """Run pip with its usual index."""
    subprocess.run([sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", *words], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
