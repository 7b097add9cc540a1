"""The examples in docstrings hold, in every module of the package."""

from __future__ import annotations

import doctest
import importlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "firmware_bridge", "hardware", "web_ui")


def test_every_example_in_a_docstring_holds() -> None:
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [file for file in listed.split() if file.endswith(".py") and ">>> " in (ROOT / file).read_text("utf-8")]
    modules = [file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for file in files]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in modules}
    assert {name: result.failed for name, result in results.items() if result.failed} == {}
    assert sum(result.attempted for result in results.values()) > 300
