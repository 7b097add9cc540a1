"""What one Digside asks of another that has the same secret: nobody between them reads, alters or answers it.

The secret is the token of a house, or the key of the other's owner. It never travels. For each question both make keys
from it and from a number drawn for that question alone (HKDF-SHA256): one proves in a header who asks for what
(HMAC-SHA256 of method, address and turn), one seals what the question brings, and one what is answered
(ChaCha20-Poly1305, over what zlib packs). A question that was listened to can be sent once more as it is; where that
must have no effect, it is asked for a `turn` that the other has named and that is over with it.

Whoever listens can try secrets against what they heard, so a secret has to be drawn and not thought of.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

SCHEME = "Digside"
DRAWN = 16  # bytes of the number that is drawn for a question
SHOWN = re.compile(rf"{SCHEME} ([\w-]{{22}}),([\w.]{{0,64}}),([\w-]{{43}})", re.ASCII | re.IGNORECASE)
LARGEST = 64 * 1024 * 1024  # bytes of what was sealed, unpacked
NONCE = 12
"""Bytes drawn for each sealing: a question that is sent once more is answered anew under the same key."""


class Unsealed(Exception):
    """It was not sealed by who has the secret, or not for this question."""


class Exchange:
    """One question, and what is answered.

    >>> asked = Exchange("a secret that was drawn", "POST", "/api/moves/t", turn="run.1")
    >>> there = exchange_of(asked.authorization, "POST", "/api/moves/t", ["another", "a secret that was drawn"])
    >>> there.turn, there.open(asked.seal(b"all that a table is"))
    ('run.1', b'all that a table is')
    >>> asked.open_answer(there.seal_answer(b"it is here"))
    b'it is here'
    >>> exchange_of(asked.authorization, "POST", "/api/moves/other", ["a secret that was drawn"])

    :param turn: of the other's, for which alone it is asked.
    :param number: drawn for this question.
    """

    def __init__(self, secret: str, method: str, path: str, *, turn: str = "", number: bytes | None = None) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # not waited for by who asks nobody
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        self.secret = secret
        self.turn = turn
        self._number = secrets.token_bytes(DRAWN) if number is None else number
        self._about = "\0".join((method, path, turn)).encode()
        keys = HKDF(SHA256(), 96, salt=self._number, info=b"digside between 1").derive(secret.encode())
        self.proof = hmac.digest(keys[:32], self._about, "sha256")
        self._question, self._answer = ChaCha20Poly1305(keys[32:64]), ChaCha20Poly1305(keys[64:])

    @property
    def authorization(self) -> str:
        """The header that proves who asks."""
        return f"{SCHEME} {_text(self._number)},{self.turn},{_text(self.proof)}"

    def seal(self, brought: bytes) -> bytes:
        """Seal what the question brings."""
        return _sealed(self._question, brought, self._about)

    def open(self, sealed: bytes) -> bytes:
        """What a question brings.

        :raises Unsealed: where that was not sealed for it.
        """
        return _opened(self._question, sealed, self._about)

    def seal_answer(self, told: bytes) -> bytes:
        """Seal what is answered."""
        return _sealed(self._answer, told, self._about)

    def open_answer(self, sealed: bytes) -> bytes:
        """What was answered.

        :raises Unsealed: where that was not sealed for this question.
        """
        return _opened(self._answer, sealed, self._about)


def exchange_of(authorization: str, method: str, path: str, known: Iterable[str]) -> Exchange | None:
    """The question that a header proves to be asked with one of the secrets that are known here; else None."""
    shown = SHOWN.fullmatch(authorization.strip())
    if shown is None:
        return None
    try:
        number, proof = (base64.urlsafe_b64decode(part + "==") for part in (shown[1], shown[3]))
    except binascii.Error:
        return None
    for secret in known:
        found = Exchange(secret, method, path, turn=shown[2], number=number)
        if hmac.compare_digest(found.proof, proof):
            return found
    return None


def is_one(authorization: str | None) -> bool:
    """Whether a header is another Digside's, whatever it proves."""
    return authorization is not None and authorization.lower().startswith(SCHEME.lower() + " ")


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _sealed(key: ChaCha20Poly1305, plain: bytes, about: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + key.encrypt(nonce, zlib.compress(plain, 1), about)


def _opened(key: ChaCha20Poly1305, sealed: bytes, about: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag

    try:
        return zlib.decompressobj().decompress(key.decrypt(sealed[:NONCE], sealed[NONCE:], about), LARGEST)
    except (InvalidTag, ValueError, zlib.error):
        raise Unsealed from None
