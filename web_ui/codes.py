"""QR codes."""

from __future__ import annotations

from io import BytesIO

QUIET = 2  # modules of margin; screens add a light card around the code


def qr_code(address: str) -> bytes:
    """The QR code of an address, as SVG."""
    import segno  # imported here, as it would slow down every start

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
