"""A Debian machine in a container, with the systemd that Debian has: what is installed there is tried there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "digside" / "roots"
INCLUDED = "ca-certificates,dbus,debconf,python3,python3-venv,systemd,systemd-sysv,udev"
TREE = Path(__file__).parents[2]
PATIENCE = 300.0
PORT = 8765


def said(where: str, what: str) -> None:
    """Print what was found out."""
    print(f"{where}: {what}", flush=True)


def shell(*command: str) -> str:
    """What a program of this machine says."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def mirror() -> str:
    """Where this machine's own apt has its packages from."""
    said = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
        check=True,
        capture_output=True,
        text=True,
    )
    return said.stdout.split()[0]


def root_of(suite: str, architecture: str) -> Path:
    """The folder of a fresh system, made once and kept outside the tree."""
    kept = CACHE / f"{suite}-{architecture}"
    if not kept.exists():
        half = kept.with_suffix(".part")
        shutil.rmtree(half, ignore_errors=True)
        half.parent.mkdir(parents=True, exist_ok=True)
        print(f"making a root of {suite} {architecture} in {kept} …", flush=True)
        began = time.monotonic()
        wanted = ["--variant=minbase", f"--include={INCLUDED}", f"--arch={architecture}"]
        subprocess.run(["debootstrap", *wanted, suite, str(half), mirror()], check=True, stdout=subprocess.DEVNULL)
        half.rename(kept)
        print(f"made in {time.monotonic() - began:.0f} s", flush=True)
    return kept


def online(root: Path, script: str, patience: float = 3600.0) -> None:
    """Run lines of shell in a root with this machine's network; what they say is shown."""
    for file in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(file).exists():
            (root / file[1:]).unlink(missing_ok=True)
            shutil.copy(file, root / file[1:])
    nspawn = ["systemd-nspawn", "--quiet", f"--directory={root}", "--register=no", "--keep-unit"]
    nspawn += ["--as-pid2", "--console=pipe", "--resolv-conf=off", "--setenv=DEBIAN_FRONTEND=noninteractive"]
    env = os.environ | {"SYSTEMD_NSPAWN_TMPFS_TMP": "0"}  # a part of the memory is too small for some
    command = [*nspawn, "/bin/sh", "-euc", script]
    subprocess.run(command, env=env, check=True, timeout=patience, stdin=subprocess.DEVNULL)


class House:
    """A copy of a fresh root, started; all of it is gone at the end.

    :param boots: whether its systemd is started; else what is run in it is run beside this machine's own programs
    :param read_only: whether nothing can be written to its root once it is started
    """

    def __init__(self, suite: str, architecture: str = "amd64", *, boots: bool = True, read_only: bool = False) -> None:
        self.suite = suite
        self.port = PORT
        self._boots = boots
        self._read_only = read_only
        self._lies = Path(tempfile.mkdtemp(prefix=f"digside-{suite}-"))
        self.root = self._lies / "root"
        copy = ["cp", "--archive", "--reflink=auto", str(root_of(suite, architecture)), str(self.root)]
        subprocess.run(copy, check=True)
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0

    def __enter__(self) -> Self:
        try:
            if self._boots:
                self.start()
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self._nspawn is not None:
            print(self.run("systemctl --failed --no-pager", may_fail=True), flush=True)
            print(self.run("journalctl --no-pager --lines 60 2>/dev/null", may_fail=True), flush=True)
        self.stop()
        shutil.rmtree(self._lies, ignore_errors=True)

    def start(self) -> None:
        """Switch it on, and wait until it has started."""
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", "--register=no", "--keep-unit", "--boot"]
        command += ["--private-network", "--console=pipe", "--resolv-conf=off"]
        command += ["--read-only"] if self._read_only else []
        env = os.environ | {"UNIFIED_CGROUP_HIERARCHY": "1"}
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._nspawn = subprocess.Popen(command, env=env, **quiet)  # type: ignore[call-overload]
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")
        self.wait(lambda: children.read_text().split(), "a container")
        self._init = int(children.read_text().split()[0])
        self.wait(
            lambda: self.run("systemctl is-system-running", may_fail=True).strip() in {"running", "degraded"}, "systemd"
        )

    def stop(self) -> None:
        """Pull its plug."""
        if self._nspawn is not None:
            self._nspawn.send_signal(signal.SIGKILL)
            self._nspawn.wait()
            with suppress(ProcessLookupError):
                os.kill(self._init, signal.SIGKILL)
            self.wait(lambda: not Path(f"/proc/{self._init}").exists(), "its end")
            self._nspawn = None

    def command(self, script: str) -> list[str]:
        """How something is run in it."""
        inside = ["nsenter", "--target", str(self._init), "--all"] if self._nspawn else ["chroot", str(self.root)]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return [*inside, "/usr/bin/env", "-i", path, "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                "/bin/sh", "-c", script]  # fmt: skip

    def run(self, script: str, *, may_fail: bool = False, typed: str = "") -> str:
        """What a line of shell says."""
        done = subprocess.run(
            self.command(script), input=typed, capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode and not may_fail:
            raise AssertionError(f"{self.suite}: {script}\n{done.stdout}{done.stderr}")
        return done.stdout + (done.stderr if may_fail else "")

    def succeeds(self, script: str) -> bool:
        """Whether a line of shell ends well."""
        return subprocess.run(self.command(script), capture_output=True, check=False, timeout=600).returncode == 0

    def online(self, script: str, patience: float = 3600.0) -> None:
        """Run lines of shell in it before it is started, with this machine's network; what they say is shown."""
        online(self.root, script, patience)

    def put(self, file: Path, name: str) -> str:
        """Carry a file in."""
        shutil.copy(file, self.root / "root" / name)
        return f"/root/{name}"

    def install(self, deb: Path) -> float:
        """Install a package; seconds until the service answers."""
        carried = self.put(deb, deb.name)
        began = time.monotonic()
        self.run(f"dpkg --install {carried}")
        self.wait(self.healthy, "an answer")
        return time.monotonic() - began

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """A call to the service in it, from in it."""
        asked = json.dumps([f"http://127.0.0.1:{self.port}{path}", method, body, key])
        inside = ["nsenter", "--target", str(self._init), "--net"] if self._nspawn else []
        done = subprocess.run(
            [*inside, sys.executable, "-c", ASKING], input=asked, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return 0, done.stderr.strip().splitlines()[-1:]
        status, raw = json.loads(done.stdout)
        try:
            return status, json.loads(raw)
        except ValueError:
            return status, raw

    def healthy(self) -> bool:
        """Whether the service answers."""
        return self.ask("GET", "/healthz")[0] == 200

    def network(self, script: str) -> None:
        """Change its network, from outside."""
        subprocess.run(["nsenter", "--target", str(self._init), "--net", "/bin/sh", "-euc", script], check=True)

    def wait(self, until: Any, what: str, patience: float = PATIENCE) -> float:
        """Wait until something is so; how long that took."""
        began = time.monotonic()
        while not until():
            if time.monotonic() - began > patience:
                raise AssertionError(f"{self.suite}: {what} did not come within {patience:.0f} s")
            time.sleep(0.1)
        return time.monotonic() - began

    def shown(self, unit: str, what: str) -> str:
        """A property of a unit."""
        return self.run(f"systemctl show --property {what} --value {unit}").strip()


ASKING = """
import json, sys, urllib.error, urllib.request
url, method, body, key = json.loads(sys.stdin.read())
headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
asked = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers, method=method)
try:
    with urllib.request.urlopen(asked, timeout=20) as answer:
        status, raw = answer.status, answer.read()
except urllib.error.HTTPError as error:
    status, raw = error.code, error.read()
print(json.dumps([status, raw.decode()]))
"""
