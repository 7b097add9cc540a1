"""What is The Tomb Raiders' own on the keepsake."""

from __future__ import annotations

from companion.keepsake.panel import Panels, nothing

PANELS = Panels(around=nothing, below=nothing)
