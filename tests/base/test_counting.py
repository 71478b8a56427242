from __future__ import annotations

from laager.base.counting import count_of, plural


def test_numbers_of_things_know_the_plural() -> None:
    assert [count_of(n, "leader") for n in (0, 1, 2)] == ["0 leaders", "1 leader", "2 leaders"]
    assert [count_of(n, "hex", "hexes") for n in (1, 2)] == ["1 hex", "2 hexes"]
    assert plural(2.5, "squad") == "squads"
