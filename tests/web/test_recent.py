"""What a worker keeps in memory is bounded, by number and by bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from laager.web.campaigns import tables
from laager.web.shared.recent import Recent
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.once


def test_the_oldest_go_when_all_is_too_much() -> None:
    kept: Recent[str, bytearray] = Recent(10, 100, len)
    made: list[str] = []

    def get(key: str, size: int) -> bytearray:
        def make() -> bytearray:
            made.append(key)
            return bytearray(size)

        return kept.get(key, make)

    for key in "abc":
        get(key, 30)
    get("a", 30)
    get("d", 30)
    # Of four times 30 bytes one was too much: the one that nobody has asked for since.
    assert kept.bytes == 90
    for key in "acd":
        get(key, 30)
    assert made == ["a", "b", "c", "d"]
    # One that is larger than everything together is kept as long as it is the last.
    assert len(get("e", 500)) == 500
    assert kept.bytes == 500
    get("f", 1)
    assert kept.bytes == 1
    kept.clear()
    assert kept.bytes == 0


def test_what_grows_is_weighed_anew() -> None:
    kept: Recent[str, bytearray] = Recent(10, 100, len)
    small, other = bytearray(10), bytearray(20)
    kept.get("small", lambda: small)
    kept.get("other", lambda: other)
    other.extend(bytes(85))
    kept.weigh("other")
    assert kept.bytes == 105
    kept.get("new", lambda: bytearray(1))
    kept.weigh("gone")
    assert kept.bytes == 1


def test_a_worker_closes_the_campaigns_not_used_for_longest(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf: Recent[UUID, tables.Held] = Recent(1000, 3 * tables.OF_A_CAMPAIGN, tables._weight)
    monkeypatch.setattr(tables, "SHELF", shelf)
    seats = [seat(begin(), people.anna, "axis") for _ in range(4)]
    for one in seats:
        with tables.look(one) as table:
            entries = len(table.campaign.entries)
    # Each weighs a little more than a campaign without entries: two find room.
    assert shelf.bytes == 2 * (tables.OF_A_CAMPAIGN + entries * tables.OF_AN_ENTRY)
    both = [seats[0], seat(seats[0].game, people.bert, "allied")]
    assert take_defaults(both, most=2) == 2
    with tables.look(seats[0]) as table:
        grown = len(table.campaign.entries)
    assert grown > entries
    assert shelf.bytes == 2 * tables.OF_A_CAMPAIGN + (grown + entries) * tables.OF_AN_ENTRY
