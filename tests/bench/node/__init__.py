"""What benches take from npm: installed in this folder when it is wanted first, where there is Node.js."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent
INSTALL = ("npm", "ci", "--omit=optional", "--omit=peer", "--no-audit", "--no-fund", "--silent")


def lacks(package: str) -> str | None:
    """Why a package cannot be had; None where it is here."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "there is no Node.js with npm on this machine"
    if (FOLDER / "node_modules" / package).is_dir():
        return None
    done = subprocess.run(INSTALL, cwd=FOLDER, capture_output=True, text=True, check=False)
    return f"npm could not install it: {done.stderr.strip()[-200:]}" if done.returncode else None
