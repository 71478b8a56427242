"""What is stored beside a look: nobody misses it, and on a full disk people go on reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import Error


@contextmanager
def store_if_possible() -> Iterator[None]:
    """Go on without what is stored inside if the database doesn't take it. Not for use within a transaction."""
    with suppress(Error):
        yield
