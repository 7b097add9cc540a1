"""Asks another Digside over HTTP. What is secret goes where it is sent, and nowhere else."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from typing import IO, Any, TypeVar

import msgspec

from web_ui.between import Exchange, Unsealed

T = TypeVar("T")


class Sealed(msgspec.Struct, frozen=True):
    """What two Digsides say to each other: JSON, sealed for one question or its answer."""

    sealed: bytes


class _Error(msgspec.Struct, frozen=True):
    """What of a refusal is looked at here."""

    key: str = ""
    message: str = ""


class _Refused(msgspec.Struct, frozen=True):
    """The body of a refusal."""

    error: _Error


class SaysNo(Exception):
    """Another Digside has answered, and says no.

    :ivar status: of HTTP.
    :ivar key: names its sentence in the catalogue of words; empty where that was no answer of a Digside.
    """

    def __init__(self, status: int, error: _Error) -> None:
        super().__init__(error.message or f"HTTP {status}")
        self.status = status
        self.key = error.key


class _Straight(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_straight = urllib.request.build_opener(_Straight)


def opened(request: urllib.request.Request, timeout: float) -> IO[bytes]:
    """What stands behind an address."""
    answer: IO[bytes] = _straight.open(request, timeout=timeout)
    return answer


def sent(request: urllib.request.Request, *, within: float, longest: int) -> bytes:
    """What another Digside answers.

    :param within: seconds that each part of it may take.
    :param longest: bytes of it that are read.
    :raises SaysNo: where it says no.
    :raises OSError: where it does not answer, or with what is no HTTP.
    """
    try:
        with opened(request, timeout=within) as answer:
            return answer.read(longest)
    except urllib.error.HTTPError as refused:
        with refused:
            raise SaysNo(refused.code, _error_of(refused, longest)) from None
    except http.client.HTTPException as garbled:
        raise OSError(str(garbled) or type(garbled).__name__) from garbled


def asked(
    exchange: Exchange,
    request: urllib.request.Request,
    kind: type[T],
    *,
    brings: object = None,
    within: float,
    longest: int,
) -> T:
    """What another Digside answers that has the same secret.

    :param request: where it is asked; what the exchange proves and seals is put into it.
    :raises SaysNo: where it says no. Anybody on the way could say that.
    :raises OSError: where it does not answer, or not as who has the secret.
    """
    request.add_header("Authorization", exchange.authorization)
    if brings is not None:
        request.add_header("Content-Type", "application/json")
        request.data = msgspec.json.encode(Sealed(exchange.seal(msgspec.json.encode(brings))))
    answer = sent(request, within=within, longest=longest)
    try:
        return msgspec.json.decode(exchange.open_answer(msgspec.json.decode(answer, type=Sealed).sealed), type=kind)
    except (Unsealed, ValueError):
        raise OSError("it does not answer as a Digside that has the same secret") from None


def why(error: BaseException) -> str:
    """Why something went wrong, without what Python puts round it."""
    beneath = error.reason if isinstance(error, urllib.error.URLError) else error
    return str((isinstance(beneath, OSError) and beneath.strerror) or beneath)


def _error_of(refused: urllib.error.HTTPError, longest: int) -> _Error:
    try:
        return msgspec.json.decode(refused.read(longest), type=_Refused).error
    except (OSError, http.client.HTTPException, ValueError):
        return _Error()
