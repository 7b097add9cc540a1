"""What Lighthouse says of the first page, a table and a phone at it: a slow phone, on a machine that is else idle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from tests.bench import node
from tests.bench.limits import judged, limited
from tests.browser.screens import chromium
from tests.browser.tables import Service, Table

WANTED = {"accessibility": 100, "best-practices": 100, "performance": 90}
TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def main() -> None:
    if why_not := node.lacks("lighthouse"):
        print(f"Lighthouse is left out: {why_not}")
        return
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder)).start()
        try:
            table = service.lay("jenseits", 4, mode="referee").begun()
            look("start", f"{service.url}/")
            look("table", table.address())
            look("phone", table.address(), cookie=cookie_of(table))
        finally:
            service.stop()


def cookie_of(table: Table) -> str:
    """What a browser has that has sat down at the first seat."""
    address = f"{table.service.url}/api/tables/{table.id}/enter"
    body = json.dumps({"key": table.seats[0]}).encode()
    asked = urllib.request.Request(address, body, {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(asked) as answer:
        return "; ".join(each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie"))


def look(name: str, address: str, *, cookie: str = "") -> None:
    """Let Lighthouse look at a page, and say what it makes of it."""
    told = audited(address, cookie)
    times = ", ".join(f"{each.replace('-', ' ')} {told['audits'][each]['displayValue']}" for each in TIMES)
    for area, least in WANTED.items():
        category = told["categories"][area]
        missed = [each for each in category["auditRefs"] if each["weight"] and _failed(told, each["id"])]
        more = times if area == "performance" else ", ".join(told["audits"][each["id"]]["title"] for each in missed)
        limited(f"{name}, {area}", 100 * category["score"], "points", at_least=least, more=more)


def _failed(told: Any, audit: str) -> bool:
    score = told["audits"][audit]["score"]
    return score is not None and score < 1


def audited(address: str, cookie: str) -> Any:
    """What it writes of a page that is looked at as a browser does which has seen nothing yet."""
    program = str(node.FOLDER / "node_modules" / ".bin" / "lighthouse")
    wishes = ("--quiet", "--output=json", f"--only-categories={','.join(WANTED)}")
    shown = (f"--extra-headers={json.dumps({'Cookie': cookie})}",) if cookie else ()
    command = [program, address, *wishes, *shown, "--chrome-flags=--headless=new --no-sandbox"]
    done = subprocess.run(command, env=os.environ | {"CHROME_PATH": chromium()}, capture_output=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(judged({"lighthouse": main}))
