"""A host that holds a card, to be killed: python -m tests.firmware_bridge.client PORT (renew | hang)"""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from firmware_bridge.board import Board, BoardRefused, LinkLost


def holds(board: Board) -> bool:
    """Grip; on a busy computer an answer may come too late, and a lease be over before it is used."""
    with suppress(LinkLost, BoardRefused):
        board.clear_fault()
        board.renew()
        board.valve(True)
        board.pump(220)
        return True
    return False


def main() -> None:
    port, mode = sys.argv[1:]
    with Board(port) as board:
        if not board.wait(5.0):
            sys.exit("no board")
        while not holds(board):
            time.sleep(0.1)
        print("on", flush=True)
        while mode == "renew":
            with suppress(LinkLost):  # goes on, as the rig's loop does
                board.renew()
            time.sleep(0.2)
        time.sleep(30)  # the loop that knows the state hangs; the link's own threads go on


if __name__ == "__main__":
    main()
