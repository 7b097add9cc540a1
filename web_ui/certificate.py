"""A certificate of the service's own, and the small authority that signs it, for a house without a domain.

A tablet trusts the authority once; the certificate is then made anew whenever the machine's names or addresses change.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.refusals import Refusal
from companion.whole_file import write_whole

AUTHORITY_DAYS = 3 * 365
HOME_NAMES = ("local", "lan", "internal", "home.arpa", "localhost")
HOME_NETWORKS = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "127.0.0.0/8",
        "fc00::/7",
        "fe80::/10",
        "::1/128",
    )
)
"""Whatever a device trusts this authority for: names and addresses of a home, and of nothing on the internet."""
LEAF_DAYS = 390  # longer, and iPads refuse it
RENEW_DAYS = 60
DAY = datetime.timedelta(days=1)


class CertificateFiles(NamedTuple):
    """The files of a service that speaks HTTPS: what it shows, its key, and the authority a tablet trusts."""

    certificate: Path
    key: Path
    authority: Path


class BadCertificate(Refusal):
    """What lies in the folder cannot be used."""

    code = "bad_certificate"


def certificate_for(folder: Path, names: Sequence[str], addresses: Sequence[str]) -> CertificateFiles:
    """The certificate for these names and addresses; made, or made anew, where the one there does not fit."""
    shown = CertificateFiles(folder / "service.crt", folder / "service.key", folder / "authority.crt")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        wanted = _constraints(names, addresses)
        authority, authority_key = _authority(shown.authority, folder / "authority.key", wanted)
        if not _fits(shown, names, addresses, authority):
            _sign(shown, names, addresses, authority, authority_key)
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(shown.certificate, shown.key)
    except (ValueError, OSError, TypeError) as error:
        raise BadCertificate("web.bad_certificate", folder=str(folder), reason=str(error)) from error
    return shown


def _authority(
    path: Path, key_path: Path, wanted: Sequence[x509.GeneralName]
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The authority that lies there, if it is good for a while and for all that is wanted and no more; or a new one."""
    if path.exists() and key_path.exists():
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError("the authority's key is of another kind")
        authority = x509.load_pem_x509_certificate(path.read_bytes())
        good_for = authority.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
        if good_for > RENEW_DAYS * DAY and set(wanted) <= set(_permitted(authority)):
            return authority, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Digside at {os.uname().nodename}"[:64])])
    usage = _usage(certs=True)
    authority = (
        _begun(name, name, key.public_key(), AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(wanted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep(key_path, _pem_of(key), private=True)
    _keep(path, authority.public_bytes(serialization.Encoding.PEM))
    return authority, key


def _sign(
    shown: CertificateFiles,
    names: Sequence[str],
    addresses: Sequence[str],
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Digside")])
    issued_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    leaf = (
        _begun(subject, authority.subject, key.public_key(), min(LEAF_DAYS, _days_left(authority)))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(certs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_alternatives(names, addresses)), critical=False)
        .add_extension(issued_by, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    _keep(shown.key, _pem_of(key), private=True)
    _keep(shown.certificate, leaf.public_bytes(serialization.Encoding.PEM))


def _constraints(names: Sequence[str], addresses: Sequence[str]) -> list[x509.GeneralName]:
    """What the authority may sign for: names and addresses of homes, and those of this machine that are none."""
    own = [name for name in dict.fromkeys(names) if not name.endswith(tuple(f".{each}" for each in HOME_NAMES))]
    told: list[x509.GeneralName] = [x509.DNSName(name) for name in (*HOME_NAMES, *own) if name]
    told += [x509.IPAddress(network) for network in HOME_NETWORKS]
    numbers = [ipaddress.ip_address(each) for each in dict.fromkeys(addresses)]
    for number in numbers:
        if not any(number.version == network.version and number in network for network in HOME_NETWORKS):
            told.append(x509.IPAddress(ipaddress.ip_network(number)))
    return list(dict.fromkeys(told))


def _permitted(authority: x509.Certificate) -> Sequence[x509.GeneralName]:
    """What an authority may sign for; nothing that is told, where it is bound to nothing."""
    try:
        bound = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:
        return ()
    return bound.permitted_subtrees or ()


def _days_left(authority: x509.Certificate) -> int:
    return (authority.not_valid_after_utc - datetime.datetime.now(datetime.UTC)).days


def _fits(shown: CertificateFiles, names: Sequence[str], addresses: Sequence[str], authority: x509.Certificate) -> bool:
    """Whether the certificate that lies there is for all of these, by this authority, and good for a while."""
    if not (shown.certificate.exists() and shown.key.exists()):
        return False
    leaf = x509.load_pem_x509_certificate(shown.certificate.read_bytes())
    named = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    good_for = leaf.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    wanted = set(_alternatives(names, addresses))
    if leaf.issuer != authority.subject or not wanted <= set(named) or good_for <= RENEW_DAYS * DAY:
        return False
    try:
        leaf.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False  # by the authority before this one, which went by the same name
    return True


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)  # a Pi without a network wakes up in the past
        .not_valid_after(now + days * DAY)
    )


def _usage(*, certs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=certs,
        crl_sign=certs,
        encipher_only=False,
        decipher_only=False,
    )


def _alternatives(names: Sequence[str], addresses: Sequence[str]) -> list[x509.GeneralName]:
    told: list[x509.GeneralName] = [x509.DNSName(name) for name in dict.fromkeys(names)]
    return told + [x509.IPAddress(ipaddress.ip_address(each)) for each in dict.fromkeys(addresses)]


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _keep(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all; a key is nobody else's to read."""
    write_whole(path, content, mode=0o600 if private else 0o644)
