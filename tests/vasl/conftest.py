"""What the product takes is measured without the counting of lines, which is no part of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def untraced(request: pytest.FixtureRequest) -> Iterator[None]:
    """Suspend the tracing of coverage for tests that hold hostile files to seconds."""
    tracer = sys.gettrace()
    timed = any(word in request.node.name for word in ("soon", "bomb", "seconds", "bounds"))
    if timed:
        sys.settrace(None)
    yield
    if timed:
        sys.settrace(tracer)
