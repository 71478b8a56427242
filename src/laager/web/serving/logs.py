"""Logs as JSON lines. Neither addresses with one-time keys nor answers are ever in them."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """One JSON object a line: when, how grave, where from, what, and the error if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": _request_words(record),
        }
        extra = getattr(record, "facts", None)
        if isinstance(extra, dict):
            line |= extra
        if record.exc_info and record.exc_info[0] is not None:
            # The kind of the error and where it was, not its text: that may quote an answer.
            line["error"] = record.exc_info[0].__name__
            line["where"] = _error_places(record)
        return json.dumps(line, ensure_ascii=False, default=str)


def _request_words(record: logging.LogRecord) -> str:
    request = getattr(record, "request", None)
    if request is None or not hasattr(request, "resolver_match"):
        return record.getMessage()
    # Django's own words would quote the address, which may hold a key.
    from laager.web.serving.middleware import route_of

    status = getattr(record, "status_code", "")
    return f"{status} {request.method} {route_of(request)}".strip()


def _error_places(record: logging.LogRecord) -> list[str]:
    assert record.exc_info
    trace = record.exc_info[2]
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places[-8:]
