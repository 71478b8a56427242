"""Forms as PDF, laid out in a process of their own."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING

from laager.web.shared import processes
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.web.models import Player

KEPT = 16 * 2**20
"""How many bytes of PDFs a worker keeps in memory."""

PRINTED: Recent[str, bytes] = Recent(200, KEPT, len)
"""The PDFs that were made last, by who asked and what is in them."""


def pdf(reader: Player, make: Callable[[], bytes]) -> bytes:
    """Make what `sheets.prepare_pdf` has prepared for somebody. Raises RefusedError as `Processes.do` does."""
    key = hashlib.sha256(pickle.dumps((reader.pk, make))).hexdigest()
    return PRINTED.get(key, lambda: processes.SLOW.do(reader.pk, make))
