"""Counts errors by their place in the program, for the host's page: module, line and type, and nothing else."""

from __future__ import annotations

import logging
from collections import Counter
from datetime import UTC, datetime
from threading import Lock
from types import TracebackType

MOST_PLACES = 100
"""How many places are kept: those seen last."""
_LOCK = Lock()
_COUNTS: Counter[tuple[str, str]] = Counter()
"""What happened in this process since it was stored last."""


class ErrorCounter(logging.Handler):
    """Counts exceptions that are logged as errors; they are stored later, since the database may be what failed."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count an error."""
        if record.exc_info and record.exc_info[0] is not None:
            with _LOCK:
                _COUNTS[find_place(record.exc_info[2]), record.exc_info[0].__name__[:100]] += 1


def find_place(trace: TracebackType | None) -> str:
    """Return the innermost module of Laager with its line; of another package if Laager had no part in it."""
    place = inner = "-"
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", "-"))
        inner = f"{module}:{trace.tb_lineno}"
        if module.partition(".")[0] == "laager":
            place = inner
        trace = trace.tb_next
    return (inner if place == "-" else place)[:200]


def store_counts() -> None:
    """Add what this process has counted to what is stored. What can't be stored is tried again."""
    from django.db import Error, transaction
    from django.db.models import F

    from laager.web.models import ErrorPlace

    with _LOCK:
        counts = dict(_COUNTS)
        _COUNTS.clear()
    if not counts:
        return
    try:
        with transaction.atomic():
            for (place, kind), number in counts.items():
                today = datetime.now(UTC).date()
                row, _made = ErrorPlace.objects.get_or_create(place=place, kind=kind, defaults={"seen": today})
                ErrorPlace.objects.filter(pk=row.pk).update(count=F("count") + number, seen=today)
            kept = ErrorPlace.objects.order_by("-seen", "-pk").values("pk")[:MOST_PLACES]
            ErrorPlace.objects.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
    except Error:
        with _LOCK:
            _COUNTS.update(counts)
        raise
