"""Dates can be read one way only."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import formats, translation


@pytest.mark.parametrize(("language", "told"), [("en", "2 Nov 2026, 19:05"), ("de", "02.11.2026 19:05")])
def test_a_day_is_never_taken_for_a_month(language: str, told: str) -> None:
    at = datetime(2026, 11, 2, 19, 5, tzinfo=UTC)
    with translation.override(language):
        assert formats.date_format(at, "SHORT_DATETIME_FORMAT") == told
