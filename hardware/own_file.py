"""Where the choice of what stands beside the tables is kept. To look for it takes none of what drives a rig."""

import os.path
from pathlib import Path

OWN_FILE = "rig.toml"


def default_rig(data: Path) -> str:
    """What to open when nobody said: the data folder's own file, else nothing; what is found may be another's."""
    return str(data / OWN_FILE) if is_chosen(data) else "none"


def is_chosen(data: Path) -> bool:
    """Whether somebody has chosen what stands beside the tables of a folder."""
    return os.path.exists(data / OWN_FILE)
