"""An update strands nobody: what does not come up gives way to what was there before."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.refusals import Malformed, Refusal, Storage
from companion.terminal import appliance
from companion.terminal.appliance import (
    HOTSPOT,
    KIOSK,
    Failed,
    Package,
    UpdateReport,
    Updating,
    hotspot,
    kiosk,
    network,
)
from companion.terminal.signature import Signed, checked, fingerprint, known_key, made_key, sign

NEW, OLD = Path("new.deb"), Path("old.deb")


class Box:
    """A machine on which some packages come up and others do not."""

    def __init__(
        self, *, fails: dict[Path, str] | None = None, newer_data: bool = False, name: str = "digside"
    ) -> None:
        self.key: str | None = None
        self.signature: Signed | None = None
        self.version: str | None = "1.0"
        self.told: list[UpdateReport] = []
        self.done: list[str] = []
        self._fails = fails or {}
        self._newer_data = newer_data
        self._name = name

    def architecture(self) -> str:
        return "arm64"

    def installed(self) -> str | None:
        return self.version

    def inspect(self, file: Path) -> Package:
        if file.suffix != ".deb":
            raise Failed("not a Debian format archive")
        return Package(self._name, "2.0", "amd64" if "amd64" in file.name else "arm64")

    def known_key(self) -> str | None:
        return self.key

    def signed(self, file: Path) -> Signed | None:
        return self.signature

    def pack(self) -> Path:
        self.done.append("pack")
        return OLD

    def install(self, file: Path) -> None:
        self.done.append(f"install {file}")
        self.version = "1.0" if file == OLD else "2.0"
        if self._fails.get(file, "").startswith("dpkg"):
            raise Failed(self._fails[file])

    def why_down(self, version: str) -> str:
        assert version == self.version
        if version == "1.0":
            return "the data are newer" if self._newer_data else self._fails.get(OLD, "")
        return self._fails.get(NEW, "")

    def begin(self, before: str, after: str) -> None:
        self.done.append(f"begin {before} {after}")

    def keep(self) -> None:
        self.done.append("keep")

    def put_back(self) -> None:
        self.done.append("put back")
        self._newer_data = False

    def tell(self, told: UpdateReport) -> None:
        self.told.append(told)


def outcome(box: Box) -> tuple[int, str | None, str]:
    status = Updating(box, "en", now=lambda: 7.0).to(NEW)
    return status, box.version, box.told[-1].outcome


def test_a_version_that_comes_up_stays() -> None:
    box = Box()
    assert outcome(box) == (0, "2.0", "done")
    assert box.done == ["pack", "keep", "begin 1.0 2.0", "install new.deb"]
    assert box.told == [UpdateReport("1.0", "2.0", 7000, "done")]


@pytest.mark.parametrize("why", ["dpkg: it is broken", "the service is failed"])
def test_one_that_does_not_gives_way_to_the_one_before(why: str, capsys: pytest.CaptureFixture[str]) -> None:
    box = Box(fails={NEW: why})
    assert outcome(box) == (1, "1.0", "went_back")
    assert "put back" not in box.done
    assert why in capsys.readouterr().out
    assert box.told[-1].reason == why


def test_where_newer_data_were_written_the_tables_come_back_too() -> None:
    box = Box(fails={NEW: "the service is failed"}, newer_data=True)
    assert outcome(box) == (1, "1.0", "went_back")
    assert box.done[-2:] == ["put back", "install old.deb"]


def test_where_nothing_comes_up_it_says_where_the_package_before_lies(capsys: pytest.CaptureFixture[str]) -> None:
    box = Box(fails={NEW: "no", OLD: "no power"})
    assert outcome(box)[2] == "lost"
    assert "old.deb" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "name", "key"),
    [
        ("new.zip", "digside", "cli.update_no_package"),
        ("new.deb", "cowsay", "cli.update_other"),
        ("new_amd64.deb", "digside", "cli.update_architecture"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_changed(file: str, name: str, key: str) -> None:
    box = Box(name=name)
    with pytest.raises(Malformed) as refused:
        Updating(box, "en").to(Path(file))
    assert refused.value.key == key
    assert box.done == []


def test_a_machine_without_the_package_is_not_updated() -> None:
    box = Box()
    box.version = None
    with pytest.raises(Malformed, match="nothing to update"):
        Updating(box, "en").to(NEW)
    assert box.done == []


class Pi:
    """A machine whose programs do as they are told, but for some."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, has: tuple[str, ...] = HOTSPOT, refuses: str = "") -> None:
        self.done: list[str] = []
        self._has = has
        self._refuses = refuses
        monkeypatch.setattr(appliance, "ran", self._ran)
        monkeypatch.setattr("os.geteuid", lambda: 0)

    def _ran(self, *command: str) -> str:
        line = " ".join(command)
        if command[0] == "dpkg-query":
            return "installed" if command[-1] in self._has else "not-installed"
        self.done.append(line)
        if self._refuses and line.startswith(self._refuses):
            raise Failed("Error: there is no Wi-Fi device")
        return ""


def test_the_network_of_its_own_is_switched_on_shown_and_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(appliance, "NETWORK", tmp_path / "digside.nmconnection")
    pi = Pi(monkeypatch, refuses="nmcli connection down")
    assert hotspot(on=False, language="en", show=str) == 0
    assert pi.done == [], "it never was on"
    assert hotspot(on=True, language="en", show=str) == 0
    name, password = network(tmp_path / "digside.nmconnection")
    assert f"WIFI:T:WPA;S:{name};P:{password};;" in capsys.readouterr().out
    assert pi.done[-1] == "nmcli connection up digside"
    assert hotspot(on=False, language="en", show=str) == 0, "also where it is not up just now"


@pytest.mark.parametrize(
    ("has", "refuses", "said"),
    [
        (("network-manager",), "", "sudo apt install dnsmasq-base"),
        ((), "", "sudo apt install network-manager dnsmasq-base"),
        (HOTSPOT, "nmcli connection up", "That failed on this machine: Error: there is no Wi-Fi device"),
    ],
)
def test_what_the_machine_cannot_do_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has: tuple[str, ...], refuses: str, said: str
) -> None:
    monkeypatch.setattr(appliance, "NETWORK", tmp_path / "digside.nmconnection")
    Pi(monkeypatch, has=has, refuses=refuses)
    with pytest.raises(Refusal) as refused:
        hotspot(on=True, language="en", show=str)
    assert said in str(refused.value)
    Pi(monkeypatch, has=("digside",), refuses="systemctl disable")
    with pytest.raises(Refusal, match="failed on this machine"):
        kiosk(on=False, language="en")


def test_a_screen_of_its_own_installs_nothing_that_nobody_agreed_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Pi(monkeypatch, has=())
    with pytest.raises(Malformed, match="not installed as a package"):
        kiosk(on=True, language="en")
    pi = Pi(monkeypatch, has=("digside", *KIOSK[1:]))
    assert kiosk(on=True, language="en", typed=lambda _: "") == 1
    assert pi.done == []
    assert f"To be installed from Debian: {KIOSK[0]}\n" in capsys.readouterr().out
    for agreed, typed in ((True, ""), (False, "y")):
        pi = Pi(monkeypatch, has=("digside", *KIOSK[1:]))
        assert kiosk(on=True, language="en", agreed=agreed, typed=partial(str.format, typed)) == 0
        assert pi.done[0] == f"apt-get install --yes --no-install-recommends {KIOSK[0]}"


def test_a_card_that_is_only_read_takes_no_network(tmp_path: Path) -> None:
    (tmp_path / "connections").touch()
    with pytest.raises(Storage, match="cannot be written"):
        network(tmp_path / "connections" / "digside.nmconnection")


def test_the_machines_own_network_is_made_once_and_only_root_reads_its_password(tmp_path: Path) -> None:
    file = tmp_path / "connections" / "digside.nmconnection"
    name, password = network(file)
    assert network(file) == (name, password)
    assert len(password) >= 8
    assert file.stat().st_mode & 0o077 == 0
    assert "autoconnect=false" in file.read_text(), "it is off until somebody switches it on"


@pytest.mark.parametrize(
    ("state", "more", "waits"),
    [("failed", "failed", False), ("failed", "failed-before-auto-restart", True), ("activating", "auto-restart", True)],
)
def test_a_service_that_is_given_up_is_waited_for_no_longer(
    monkeypatch: pytest.MonkeyPatch, state: str, more: str, waits: bool
) -> None:
    """What systemd tries again may still come up."""
    answers = {"systemctl": f"ActiveState={state}\nSubState={more}\nStatusText=\n", "journalctl": "it was tired"}
    slept = list[float]()
    monkeypatch.setattr(appliance, "ran", lambda *command: answers[command[0]])
    monkeypatch.setattr("time.monotonic", lambda: sum(slept))
    monkeypatch.setattr("time.sleep", slept.append)
    assert appliance.Debian().why_down("1.0") == f"the service is {state}: it was tired"
    assert bool(slept) == waits


OURS, THEIRS = "11" * 32, "22" * 32


@pytest.mark.parametrize(
    ("known", "signed", "asked", "said"),
    [
        (None, None, {}, "no signature"),
        (None, Signed(fingerprint(OURS), is_known=False), {}, "Compare it"),
        (OURS, Signed(fingerprint(OURS), is_known=True), {}, fingerprint(OURS)),
        (OURS, None, {"unsigned": True}, "no signature"),
        (OURS, Signed(fingerprint(THEIRS), is_known=False), {"trusts": fingerprint(THEIRS)}, fingerprint(THEIRS)),
    ],
)
def test_an_update_says_whose_it_is(
    known: str | None, signed: Signed | None, asked: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    box = Box()
    box.key, box.signature = known, signed
    assert Updating(box, "en").to(NEW, **asked) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("known", "signed", "asked", "key"),
    [
        (OURS, None, {}, "cli.update_unsigned"),
        (OURS, Signed(fingerprint(THEIRS), is_known=False), {}, "cli.update_other_key"),
        (OURS, Signed(fingerprint(THEIRS), is_known=False), {"unsigned": True}, "cli.update_other_key"),
        (OURS, Signed(fingerprint(THEIRS), is_known=False), {"trusts": fingerprint("33" * 32)}, "cli.update_other_key"),
        (None, Signed(fingerprint(THEIRS), is_known=False), {"trusts": fingerprint(OURS)}, "cli.update_other_key"),
    ],
)
def test_an_update_by_somebody_else_is_refused_before_anything_is_changed(
    known: str | None, signed: Signed | None, asked: dict[str, Any], key: str
) -> None:
    box = Box()
    box.key, box.signature = known, signed
    with pytest.raises(Malformed) as refused:
        Updating(box, "en").to(NEW, **asked)
    assert refused.value.key == key
    assert (box.done, box.version) == ([], "1.0")


def package(folder: Path) -> Path:
    """An archive as dpkg makes them, small."""
    file = folder / "digside.deb"
    members = {b"debian-binary": b"2.0\n", b"control.tar.xz": b"c" * 11, b"data.tar.xz": b"d" * 300}
    content = b"!<arch>\n"
    for name, body in members.items():
        content += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name, 0, 0, 0, b"100644", len(body))
        content += body + b"\n" * (len(body) % 2)
    file.write_bytes(content)
    return file


def test_a_package_is_signed_in_the_file_itself(tmp_path: Path) -> None:
    deb, key_file = package(tmp_path), tmp_path / "keys" / "signing.key"
    assert checked(deb, None) is None
    shown = sign(deb, key_file)
    key = made_key(key_file)
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert checked(deb, key) == Signed(shown, is_known=True) == Signed(fingerprint(key), is_known=True)
    assert checked(deb, THEIRS) == Signed(shown, is_known=False)
    assert sign(deb, key_file) == shown, "signed anew, it has one signature"
    assert deb.read_bytes().count(b"_digside") == 1
    other = sign(deb, tmp_path / "other.key")
    assert checked(deb, key) == Signed(other, is_known=False)


def test_whatever_is_changed_in_a_signed_package_is_noticed(tmp_path: Path) -> None:
    deb = package(tmp_path)
    sign(deb, tmp_path / "signing.key")
    whole = deb.read_bytes()
    for at in range(0, len(whole), 3):
        deb.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        try:
            signed = checked(deb, None)
        except Malformed:
            continue
        assert signed is None, at
        assert 0 <= at - whole.index(b"_digside") < 16, "it has no such member any more, and that is said"
    deb.write_bytes(whole + b"more")
    with pytest.raises(Malformed):
        checked(deb, None)


def test_a_key_that_is_damaged_is_none(tmp_path: Path) -> None:
    file = tmp_path / "signing.pub"
    assert known_key(file) is None
    for told in ("", "11" * 31, "zz" * 32, "\xff"):
        file.write_text(told, "latin-1")
        assert known_key(file) is None
    file.write_text(f"{OURS}\n")
    assert known_key(file) == OURS
