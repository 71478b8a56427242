"""The `laager` command. Exit codes: 0 well, 1 refused, 2 wrong use, 3 a bad file, 4 not sound.

Only what a command needs is imported when it runs: start-up time is part of the experience.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; whatever Laager refuses is told in a sentence, never a traceback."""
    from laager.base import DataError, LaagerError

    try:
        from laager.cli.app import app

        app()
    except DataError as err:
        _complain(err.heading or "This will not do:", [str(problem) for problem in err.problems])
        sys.exit(3 if err.code.value in {"bad-data", "broken-log"} else 1)
    except LaagerError as err:
        _complain("", [str(err)])
        sys.exit(1)
    except KeyboardInterrupt:
        _complain("", ["broken off; what was confirmed is kept"])
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)


def _complain(heading: str, lines: list[str]) -> None:
    from laager.cli.out import complain

    complain(heading, lines)
