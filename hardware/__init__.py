"""What stands beside the table: the suction shovel, the panel and the small display. Knows no game."""

from pathlib import Path

FIRMWARE = Path(__file__).parents[1] / "firmware_bridge" / "shipped"
"""The firmware that comes with Digside: a file for each board, and ``images.json``, which lists them."""
