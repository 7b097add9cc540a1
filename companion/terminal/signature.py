"""Who built a package file: its signature, in the file itself, and the key by which it is checked.

A package is an `ar` archive; `make deb` adds a member to its end that dpkg passes over, as its name begins with `_`.
In it is an Ed25519 signature over all that comes before it, and the public key. Whoever builds packages has the private
key, in a file of their own; the public one is in each package, and so on each machine that has installed one.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.refusals import AsTyped, Malformed, Missing
from companion.whole_file import write_whole

MEMBER = b"_digside"
START = b"!<arch>\n"
HEADER = 60
TRUSTED = Path("/opt/digside/signing.pub")
"""The key of whoever built the version that is installed: an update is to be from them, too."""


class Signature(msgspec.Struct, frozen=True):
    """What stands in the member: key and signature, in hexadecimal digits."""

    key: str
    signature: str


class Signed(NamedTuple):
    """A signature that holds: the fingerprint of its key, and whether that is the one that is known here."""

    fingerprint: str
    is_known: bool


def fingerprint(key: str) -> str:
    """A public key as people compare it.

    >>> fingerprint("00" * 32)
    '6668-7aad-f862-bd77-6c8f-c18b-8e9f-8e20'
    """
    digits = hashlib.sha256(bytes.fromhex(key)).hexdigest()[:32]
    return "-".join(digits[at : at + 4] for at in range(0, 32, 4))


def made_key(file: Path) -> str:
    """The public key that belongs to a private one, which is made and kept where there is none.

    :raises Missing: where what makes keys is not installed.
    """
    ed25519, _ = _cryptography()
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(file, ed25519.Ed25519PrivateKey.generate().private_bytes_raw().hex().encode() + b"\n")
    return str(_private(file).public_key().public_bytes_raw().hex())


def sign(package: Path, key_file: Path) -> str:
    """Add a signature to a package file; the fingerprint of its key."""
    content = _parted(package.read_bytes())[0]
    key = made_key(key_file)
    signature = Signature(key, _private(key_file).sign(_digest(content)).hex())
    package.write_bytes(content + _member(msgspec.json.encode(signature)))
    return fingerprint(key)


def known_key(file: Path = TRUSTED) -> str | None:
    """The key that is known here; None where no version that is installed had one."""
    try:
        key = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return key if len(key) == 64 and not set(key) - set("0123456789abcdef") else None


def checked(package: Path, known: str | None) -> Signed | None:
    """Whose signature a package file has; None where it has none.

    :raises Malformed: where it has one that does not belong to it: something was changed.
    :raises Missing: where what checks it is not installed.
    """
    content, told = _parted(package.read_bytes())
    if told is None:
        return None
    ed25519, invalid = _cryptography()
    try:
        signature = msgspec.json.decode(told, type=Signature)
        key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.signature), _digest(content))
    except (msgspec.DecodeError, ValueError, invalid):
        raise Malformed("cli.update_altered", file=AsTyped(package)) from None
    return Signed(fingerprint(signature.key), signature.key == known)


def _parted(content: bytes) -> tuple[bytes, bytes | None]:
    """All members but the signature, and that. It is the last one; what comes behind it has no signature.

    :raises Malformed: where a signature stands anywhere else.
    """
    at, found = len(START), None
    while content.startswith(START) and at + HEADER <= len(content):
        name, size = content[at : at + 16].rstrip(b" /"), content[at + 48 : at + 58].strip()
        if not size.isdigit():
            break
        end = at + HEADER + int(size)
        if name == MEMBER:
            found = at, content[at + HEADER : end]
        at = end + end % 2
    if found is None and MEMBER.ljust(16) in content:
        raise Malformed("cli.update_altered", file=AsTyped("-"))
    if found is None:
        return content, None
    begins, told = found
    if content[begins:] != _member(told):
        raise Malformed("cli.update_altered", file=AsTyped("-"))
    return content[:begins], told


def _member(body: bytes) -> bytes:
    head = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (MEMBER, 0, 0, 0, b"100644", len(body))
    return head + body + b"\n" * (len(body) % 2)


def _digest(content: bytes) -> bytes:
    return hashlib.sha512(b"digside package 1\0" + content).digest()


def _private(file: Path) -> Any:
    ed25519, _ = _cryptography()
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.read_text("ascii").strip()))


def _cryptography() -> tuple[Any, type[Exception]]:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise Missing("cli.no_cryptography") from None
    return ed25519, InvalidSignature
