"""JSON in canonical form (RFC 8785), so that checksums of it can be compared."""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

LIKE_A_FLOAT = re.compile(rb"[0-9][.eE]")
PLAIN_UP_TO = 21  # digits before the point; beyond that JavaScript writes an exponent
PLAIN_DOWN_TO = -6  # zeros after the point

_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: object) -> bytes:
    """A value as JSON, with its keys in order and its numbers as JavaScript writes them.

    >>> canonical({"odds": [1.0, 0.25, 1e-7], "name": "Ada"})
    b'{"name":"Ada","odds":[1,0.25,1e-7]}'
    """
    return canonical_numbers(_encode(value))


def canonical_numbers(text: bytes) -> bytes:
    """JSON whose keys are in order already, with its numbers as JavaScript writes them."""
    return _encode(_decode(text)) if LIKE_A_FLOAT.search(text) else text


def _number(text: str) -> msgspec.Raw:
    """A float as JavaScript writes it.

    >>> [bytes(_number(each)) for each in ("12.50", "1e21", "1e20", "0.0000012", "-0.0")]
    [b'12.5', b'1e+21', b'100000000000000000000', b'0.0000012', b'0']
    """
    sign, digits, exponent = Decimal(repr(float(text))).normalize().as_tuple()
    if not isinstance(exponent, int) or digits == (0,):
        return msgspec.Raw(b"0")
    minus, figures = "-" * sign, "".join(map(str, digits))
    point = len(figures) + exponent
    if PLAIN_DOWN_TO < point <= PLAIN_UP_TO:
        if exponent >= 0:
            plain = figures + "0" * exponent
        else:
            plain = f"{figures[:point]}.{figures[point:]}" if point > 0 else f"0.{'0' * -point}{figures}"
        return msgspec.Raw(f"{minus}{plain}".encode())
    rest = f".{figures[1:]}" if figures[1:] else ""
    return msgspec.Raw(f"{minus}{figures[0]}{rest}e{point - 1:+d}".encode())


_decode = msgspec.json.Decoder(float_hook=_number).decode
