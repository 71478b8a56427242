"""How a command ends: its exit code, and what is said when it did not go well."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from laager.base import DataError, LaagerError, Refusal
from laager.cli.out import complain, complain_json

WELL, REFUSED, WRONG_USE, BAD_FILE, NOT_SOUND, BUG, BROKEN_OFF = 0, 1, 2, 3, 4, 70, 130

OF_FILES = frozenset({Refusal.BAD_DATA, Refusal.BROKEN_LOG})
"""Refusals that speak of what stands in a file."""


class WrongUseError(LaagerError):
    """Options that don't go together, or one that is missing; nothing was done."""

    code = Refusal.BAD_ANSWER


def run(command: Callable[[], int]) -> int:
    """Carry out a command, and return its exit code; what Laager refuses is said in a sentence."""
    try:
        code = command()
        sys.stdout.flush()
    except LaagerError as err:
        _tell(err)
        return _code_of(err)
    except KeyboardInterrupt:
        complain("", ["stopped; what you confirmed is kept"])
        return BROKEN_OFF
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as err:
        name = f"{os.fsdecode(err.filename)}: " if isinstance(err.filename, str | bytes) else ""
        complain("", [f"{name}{err.strerror or err}; nothing more was done"])
        return BAD_FILE
    except Exception as err:
        from laager.cli.bugs import report

        complain("", [report(err)])
        return BUG
    return code


def _code_of(err: LaagerError) -> int:
    if isinstance(err, WrongUseError):
        return WRONG_USE
    of_file = isinstance(err, DataError) or err.code is Refusal.BROKEN_LOG
    return BAD_FILE if of_file and err.code in OF_FILES else REFUSED


def _tell(err: LaagerError) -> None:
    if "--json" in sys.argv:
        complain_json(err)
    elif isinstance(err, DataError):
        heading = err.heading or "This doesn't work:"
        complain(heading, [str(problem) for problem in err.problems])
    else:
        complain("", [str(err)])


def _nobody_reads() -> int:
    """Leave quietly when the reader of a pipe has seen enough (`laager log | head`)."""
    # What is still unwritten would be complained of when Python closes the stream.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return WELL
