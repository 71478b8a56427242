"""Single values: what is read, what is refused, and where a value is said to come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from laager.catalogue.dyo import UNKNOWN, Battery, Origin, OriginKind
from laager.catalogue.dyo import fields as f
from laager.catalogue.dyo.battery import read_battery
from laager.catalogue.dyo.values import read_value

REFUSED: list[tuple[Callable[[Any], Any], Any, str]] = [
    (f.half, "some", "'some' is not a valid number of squads; write 0, 0.5, 1 …"),
    (f.half, 0.3, "0.3 is not a valid number of squads; write 0, 0.5, 1 …"),
    (f.flag, 2, "2 is neither yes nor no; write true, false or unknown"),
    (f.text, True, "True is not text; write a word, none or unknown"),
    (f.text, "", "'' is not text; write a word, none or unknown"),
    (f.words, 3, "3 is not a list; write [one, two]"),
    (f.words, ["a, b"], "'a, b' has a comma; write each word by itself"),
    (f.by_field, 3, "3 are not sources; write field: source for each"),
    (f.grade, "veteran", "'veteran' is not a valid class; "),
    (read_battery, "70+ 0", "'70+ 0' costs nothing; write a BPV above 0, or ?"),
    (read_battery, "cannon", "'cannon' is not a battery; "),
]


@pytest.mark.parametrize(("read", "raw", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(read: Callable[[Any], Any], raw: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match="; ") as caught:
        read(raw)
    assert str(caught.value).startswith(sentence)


READ: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (f.number(0, 99, "number"), " 12 ", 12),
    (f.half, "0.5", f.half(0.5)),
    (f.flag, "Yes", True),
    (f.flag, False, False),
    (f.words, "-", ()),
    (f.words, "one, two ,", ("one", "two")),
    (f.words, ["one", 2], ("one", "2")),
    (f.by_field, "bpv = p. 3 | rf = a = b", {"bpv": "p. 3", "rf": "a = b"}),
    (f.note, " two\n lines ", "two lines"),
    (f.note, "", ""),
    (read_battery, "80+M 92", Battery("80+", "M", 92)),
    (read_battery, "150 R 92", Battery("150", "R", 92)),
    (read_battery, "70+", Battery("70+")),
    (read_battery, Battery("70+"), Battery("70+")),
]


@pytest.mark.parametrize(("read", "raw", "value"), READ, ids=range(len(READ)))
def test_what_is_read(read: Callable[[Any], Any], raw: Any, value: Any) -> None:
    assert read(raw) == value


def test_none_and_unknown_are_read_by_every_field() -> None:
    assert read_value("none", f.rf) is None
    assert read_value(None, f.rf) is None
    assert read_value("unknown", f.rf) is UNKNOWN
    assert read_value(UNKNOWN, f.rf) is UNKNOWN


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("DYO H1.26", OriginKind.PUBLISHED, "published (DYO H1.26)"),
        ("house", OriginKind.HOUSE, "house"),
        ("house, a guess", OriginKind.HOUSE, "house (house, a guess)"),
        ("example", OriginKind.EXAMPLE, "example"),
        ("Chapter H, p. 12", OriginKind.USER, "user (Chapter H, p. 12)"),
        ("housekeeping", OriginKind.USER, "user (housekeeping)"),
        ("", OriginKind.NOWHERE, "nowhere"),
    ],
)
def test_origins(source: str, kind: OriginKind, words: str) -> None:
    assert (Origin(source).kind, Origin(source).words) == (kind, words)


def test_batteries_that_fill_each_other() -> None:
    known, open_ = Battery("70+", "", 60), Battery("70+")
    assert open_.with_bpv_of(known) == known == known.with_bpv_of(open_)
    assert open_.with_bpv_of(open_) == open_
    assert open_.with_bpv_of(Battery("70+", "M", 60)) is None
    assert open_.with_bpv_of(UNKNOWN) is None
    assert Battery("70+").words == "70+mm OBA"
