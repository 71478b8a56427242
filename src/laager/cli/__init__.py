"""The `laager` command.

Exit codes: 0 well, 1 refused (nothing has changed), 2 wrong use of the command line, 3 a bad file,
4 not sound (`laager verify`), 70 a bug in Laager, 130 broken off with Ctrl-C.

Only what a command needs is imported when it runs: start-up time is part of the experience.
"""

from __future__ import annotations

import gc
import os
import sys

COLLECT_AFTER = (100_000, 10, 10)
"""How many objects are made before the garbage collector looks at new ones; every how often at older and all.

A command ends soon: to look for circles among what it has just read takes longer than it saves.
"""


def main() -> None:
    """Run the command line; what Laager refuses is said in a sentence, never as a traceback."""
    gc.set_threshold(*COLLECT_AFTER)
    # Threads for small matrices wait for each other, and cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            # Closed by the caller (`laager next <&-`): an input that ended, an output that nobody reads.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    if sys.argv[1:] == ["--version"]:
        # The commonest question of scripts needs nothing of all that follows.
        from laager import __version__

        sys.stdout.write(f"laager {__version__}\n")
        sys.exit(0)
    from laager.cli.ending import run
    from laager.cli.out import speak_utf8

    speak_utf8()
    sys.exit(run(_carry_out))


def _carry_out() -> int:
    """Carry out the command that sys.argv names, and return its exit code."""
    from laager.cli.app import alone

    try:
        alone(sys.argv[1:])(prog_name="laager")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
