"""So that ``python -m digside`` is the command `digside`, wherever it is installed."""

import sys

from companion.terminal.cli import main

if __name__ == "__main__":
    sys.exit(main())
