from __future__ import annotations

import pytest

from laager.base import DataError
from laager.hexmap.ranges import expand, span


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C4", "C4"),
        ("C4-C6", "C4 C5 C6"),
        ("C6 - C4", "C6 C5 C4"),
        ("Y2-BB2", "Y2 Z2 AA2 BB2"),
        ("20C4-20D4", "20C4 20D4"),
    ],
)
def test_spans(text: str, names: str) -> None:
    assert span(text) == names.split()


def test_every_bad_range_is_told() -> None:
    assert expand(["A1", "B1-B2"]) == ["A1", "B1", "B2"]
    with pytest.raises(DataError) as caught:
        expand(["A1", "x", "A1-B2", "20C4-C6", "A1-A2-A3"])
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == [
        *("[2]", "[3]", "[4]", "[5]"),
    ]
