"""Whose service it is: the key that makes a device its owner's, and what the owner has chosen.

The key is in an address that is printed at the start; like a table's, it travels behind a ``#``. It lies in the data
folder, where nobody else on the machine can read it, so that ``digside owner`` can print it again or put another in its
place while the service runs.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec
from werkzeug.http import dump_cookie

from companion.refusals import Storage
from companion.whole_file import set_aside, sync_folder
from web_ui.keys import COOKIE_DAYS, bearer

COOKIE = "digside_owner"
FILE = "owner.json"


class OwnerIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of an owner.

    :ivar guests_lay: whether whoever is not the owner may lay tables
    :ivar address: where the service was reached when it last started
    """

    key: str
    guests_lay: bool = True
    address: str | None = None


class Owner:
    """The owner of a data folder.

    >>> import tempfile
    >>> owner = Owner(Path(tempfile.mkdtemp()))
    >>> owner.holds(owner.key), owner.holds("a guess"), owner.guests_lay
    (True, False, True)
    >>> old = owner.key
    >>> owner.change_key()
    >>> owner.holds(old)
    False

    A file that is damaged is set aside: a service that starts then has a new owner's key, and says so.

    :ivar damaged: where a damaged file was set aside.
    :raises Storage: if what is kept of the owner cannot be read, or not written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._damaged: Path | None = None
        self._house = OwnerIdentity(key=_fresh())
        with self._lock:
            if not self._look():
                self._begin()

    @property
    def damaged(self) -> Path | None:
        return self._damaged

    @property
    def key(self) -> str:
        """What makes a device the owner's."""
        return self.house.key

    @property
    def guests_lay(self) -> bool:
        """Whether whoever is not the owner may lay tables."""
        return self.house.guests_lay

    @property
    def house(self) -> OwnerIdentity:
        """What is kept; another process may have changed it meanwhile."""
        with self._lock:
            if not self._look() and self._damaged is not None:
                self._keep(self._house)
            return self._house

    def holds(self, key: str) -> bool:
        """Whether a key is the owner's."""
        return key.isascii() and secrets.compare_digest(key.encode(), self.key.encode())

    def is_shown(self, authorization: str | None, cookies: Mapping[str, str]) -> bool:
        """Whether a request shows the owner's key: in a header, which counts before a cookie."""
        return self.holds(bearer(authorization) if authorization is not None else cookies.get(COOKIE, ""))

    def choose(self, *, guests_lay: bool) -> None:
        """Whether guests may lay tables from now on."""
        self._put(guests_lay=guests_lay)

    def note_address(self, address: str) -> None:
        """Remember where the service is reached, for whoever asks beside it."""
        self._put(address=address)

    def change_key(self) -> None:
        """A new key: every device that was the owner's is a guest's from now on."""
        self._put(key=_fresh())

    def address(self, base: str) -> str:
        """What makes the device the owner's that opens it."""
        return f"{base.rstrip('/')}/owner#{self.key}"

    def _put(self, **changed: object) -> None:
        with self._lock:
            if not self._look() and self._damaged is not None:
                self._keep(self._house)
            house = msgspec.structs.replace(self._house, **changed)
            if house != self._house:
                self._keep(house)

    def _look(self) -> bool:
        """Read the file, if it is another than at the last look; whether there is one."""
        try:
            found = self._file.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
            if stamp != self._stamp:
                self._house = msgspec.json.decode(self._file.read_bytes(), type=OwnerIdentity)
                self._stamp = stamp
        except FileNotFoundError:
            return False
        except ValueError as error:  # the devices that were the owner's until now stay so, if it runs already
            self._damaged = set_aside(self._file, error)
            self._stamp = None
            return False
        except OSError as error:
            raise Storage("web.owner_unread", file=str(self._file), reason=str(error)) from error
        return True

    def _begin(self) -> None:
        """Keep a key for the first time; of several processes of one folder, the first says which."""
        fresh = self._written(self._house)
        try:
            os.link(fresh, self._file)
            sync_folder(self._file.parent)
        except FileExistsError:
            self._look()
        except OSError:  # a card without links
            self._keep(self._house)
        finally:
            fresh.unlink(missing_ok=True)

    def _keep(self, house: OwnerIdentity) -> None:
        """Write the file whole or not at all."""
        fresh = self._written(house)
        try:
            fresh.replace(self._file)
            sync_folder(self._file.parent)
        except OSError as error:
            raise Storage("web.owner_unkept", file=str(self._file), reason=error.strerror or str(error)) from error
        self._house = house
        self._stamp = None

    def _written(self, house: OwnerIdentity) -> Path:
        """What is kept, in a file beside; it is nobody else's to read."""
        fresh = self._file.with_suffix(f".{os.getpid()}.new")
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(house), indent=1) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Storage("web.owner_unkept", file=str(self._file), reason=error.strerror or str(error)) from error
        return fresh


def owner_cookie(key: str | None, *, secure: bool) -> tuple[str, str]:
    """The header that keeps the owner's key in a browser, where no script can read it; or lets it go."""
    age = 24 * 3600 * COOKIE_DAYS * 6 if key else 0
    return ("Set-Cookie", dump_cookie(COOKIE, key or "", max_age=age, httponly=True, samesite="Lax", secure=secure))


def _fresh() -> str:
    return secrets.token_urlsafe(16)
