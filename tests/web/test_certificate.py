"""The service's own certificate: for all its names, made anew when they change, by an authority that stays."""

from __future__ import annotations

import datetime
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509

from web_ui import certificate
from web_ui.certificate import BadCertificate, certificate_for

NAMES, ADDRESSES = ["digside.local", "localhost"], ["192.168.1.20", "::1"]


def test_it_is_for_every_name_and_address_and_no_authority_itself(tmp_path: Path) -> None:
    shown = certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    leaf = x509.load_pem_x509_certificate(shown.certificate.read_bytes())
    named = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert named.get_values_for_type(x509.DNSName) == NAMES
    assert [str(each) for each in named.get_values_for_type(x509.IPAddress)] == ADDRESSES
    assert leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days < 398


def test_a_device_that_trusts_the_authority_trusts_it(tmp_path: Path) -> None:
    shown = certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    leaf = x509.load_pem_x509_certificate(shown.certificate.read_bytes())
    authority = x509.load_pem_x509_certificate(shown.authority.read_bytes())
    leaf.verify_directly_issued_by(authority)
    ssl.create_default_context(cafile=str(shown.authority))


def test_it_stays_as_long_as_it_fits(tmp_path: Path) -> None:
    first = certificate_for(tmp_path / "c", NAMES, ADDRESSES).certificate.read_bytes()
    assert certificate_for(tmp_path / "c", NAMES, ADDRESSES[:1]).certificate.read_bytes() == first


def test_a_new_address_gets_a_new_one_by_the_same_authority(tmp_path: Path) -> None:
    shown = certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    leaf, authority = shown.certificate.read_bytes(), shown.authority.read_bytes()
    certificate_for(tmp_path / "c", NAMES, [*ADDRESSES, "10.0.0.7"])
    assert shown.certificate.read_bytes() != leaf
    assert shown.authority.read_bytes() == authority


def test_one_that_ends_soon_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "LEAF_DAYS", 30)
    shown = certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    monkeypatch.undo()
    certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    leaf = x509.load_pem_x509_certificate(shown.certificate.read_bytes())
    assert (leaf.not_valid_after_utc - datetime.datetime.now(datetime.UTC)).days > 300


def test_keys_are_nobody_elses_to_read(tmp_path: Path) -> None:
    shown = certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    for key in (shown.key, tmp_path / "c" / "authority.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o700


def test_what_cannot_be_used_is_told_in_words(tmp_path: Path) -> None:
    certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    (tmp_path / "c" / "authority.key").write_text("not a key", encoding="ascii")
    with pytest.raises(BadCertificate) as refused:
        certificate_for(tmp_path / "c", NAMES, ADDRESSES)
    assert str(tmp_path / "c") in refused.value.said("de")
