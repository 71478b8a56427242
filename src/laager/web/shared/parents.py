"""Processes that end with the one that started them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing import parent_process


def end_with_parent(end: Callable[[], object]) -> None:
    """Call `end`, in a thread of its own, when the process that started this one is gone, be it killed."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        end()

    threading.Thread(target=wait, name="parent", daemon=True).start()
