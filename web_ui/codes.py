"""Addresses drawn as codes to scan."""

from __future__ import annotations

from io import BytesIO

QUIET = 2  # modules around the code; the screens put it on a light card of its own


def drawn(address: str) -> bytes:
    """An address as a code to scan."""
    import segno  # not before somebody wants to scan one: a start does not wait for it

    out = BytesIO()
    segno.make(address, error="m", micro=False).save(
        out,
        kind="svg",
        xmldecl=False,
        scale=8,
        border=QUIET,
        dark="#1c120b",
        light="#ffffff",
        omitsize=True,
        title=None,
    )
    return out.getvalue()
