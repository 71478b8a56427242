"""The `laager` command.

Exit codes: 0 well, 1 refused (nothing has changed), 2 wrong use of the command line, 3 a bad file,
4 not sound (`laager verify`), 70 a bug in Laager, 130 broken off with Ctrl-C.

Only what a command needs is imported when it runs: start-up time is part of the experience.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; whatever Laager refuses is told in a sentence, never a traceback."""
    if sys.argv[1:] == ["--version"]:
        # The commonest question of scripts needs nothing of all that follows.
        from laager import __version__

        sys.stdout.write(f"laager {__version__}\n")
        sys.exit(0)
    from laager.cli.ending import run
    from laager.cli.out import speak_utf8

    speak_utf8()
    sys.exit(run())
