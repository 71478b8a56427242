"""What happens when Laager itself is at fault: a line for the player, the details in a file.

The line names nothing that a campaign holds, because the other side may be looking at the screen.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from datetime import datetime
from pathlib import Path

from laager.base import disk


def report(err: Exception) -> str:
    """Write the traceback to a file next to the campaign, or where there is room; say where."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    name = f"laager-bug-{stamp}-{os.getpid()}.txt"
    text = _details(err)
    where = _write_private(name, text)
    outcome = f"the details are in {where}" if where else "the details couldn't be saved"
    return f"this is a bug in Laager ({type(err).__name__}); {outcome}; what you confirmed before is kept"


def _details(err: Exception) -> str:
    from laager import __version__

    return "\n".join(
        [
            "A bug in Laager. Please send this file to its makers. It may hold a secret of your",
            "campaign: look through it, and do not show it to the other side.",
            "",
            f"laager {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"command: {' '.join(['laager', *_words()])}",
            "",
            "".join(traceback.format_exception(err)),
        ]
    )


def _words() -> list[str]:
    """Return the words of the command line; a token that stands there is nobody's business."""
    words = list(sys.argv[1:])
    for i, word in enumerate(words):
        if word.startswith("--token="):
            words[i] = "--token=…"
        elif i and words[i - 1] == "--token":
            words[i] = "…"
    return words


def _write_private(name: str, text: str) -> Path | None:
    for folder in (_campaign_folder(), Path(tempfile.gettempdir())):
        path = folder / name
        try:
            # For nobody else's eyes: there may be secrets in it.
            disk.write_private(path, text)
        except OSError:
            continue
        return path
    return None


def _campaign_folder() -> Path:
    """Return the folder of the campaign that the command line names, else the present one."""
    words = sys.argv[1:]
    named = os.environ.get("LAAGER_CAMPAIGN", "")
    for i, word in enumerate(words):
        if word in {"-c", "--campaign"} and i + 1 < len(words):
            named = words[i + 1]
        elif word.startswith("--campaign="):
            named = word.partition("=")[2]
    return Path(named).parent if named else Path()
