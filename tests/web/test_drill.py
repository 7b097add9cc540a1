"""A drill for owners: the Pi is gone from one moment to the next, and another goes on in its place."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from companion.play import backups, restoring
from tests.web.broker import until
from tests.web.live import Live
from web_ui.copies import FOLDER, TOKEN
from web_ui.hub_client import look_at_hub

pytestmark = pytest.mark.slow


def goes_on(data: Path, path: str, laid: Any, seq: int) -> int:
    """A service over this folder has the table as it was, with every key; the next step is taken there."""
    live = Live(data)
    try:
        assert live.call("GET", path)[1]["seq"] == seq
        assert live.award(path, laid["seats"][1], seq, 1)[0] == 200
        status, view = live.dial(path, laid["host"], seq + 1)
        assert (status, view["seq"]) == (200, seq + 2)
        return seq + 2
    finally:
        live.stop()


def test_another_pi_goes_on_from_the_hubs_copies_or_from_a_backup(tmp_path: Path) -> None:
    """As docs/hosting.md says: the folder of copies is a data folder; so is an empty one with a backup put back."""
    pi, copies = tmp_path / "pi", tmp_path / "hub"
    for folder in (pi, copies):
        folder.mkdir()
        (folder / TOKEN).write_text("what both of them know")
    hub = Live(copies, settings={"keeps_copies": True})
    live = Live(pi, settings={"hub": f"http://127.0.0.1:{hub.port}"})
    path, laid = live.lay()
    seq = live.call("GET", path)[1]["seq"]
    assert live.dial(path, laid["host"], seq)[0] == 200
    backed_up, _ = backups.back_up(pi)
    assert live.dial(path, laid["host"], seq + 1)[0] == 200
    until(lambda: (look := look_at_hub(pi)) and (look.state, look.lacks) == ("online", 0), "the copy")
    live.stop(signal.SIGKILL)
    hub.stop()
    elsewhere = shutil.copy(backed_up, tmp_path)
    shutil.rmtree(pi)

    shutil.copytree(copies / FOLDER, tmp_path / "new")
    goes_on(tmp_path / "new", path, laid, seq + 2)
    (tmp_path / "fresh").mkdir()
    restoring.restore(Path(elsewhere), tmp_path / "fresh")
    goes_on(tmp_path / "fresh", path, laid, seq + 2)  # that it was put back is in the log, too
