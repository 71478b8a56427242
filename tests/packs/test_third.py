"""Sorgiva, the campaign that is data alone: no code of its own, and everything fits together."""

from __future__ import annotations

from laager.hexmap import HexMap
from laager.rules.board.hasl.sequence import SEQUENCES
from tests.packs.hasl import PACKS, Shipped, built_blocks, faults, overlapping, shipped


def campaign() -> Shipped:
    return shipped("hasl", "sorgiva")


def town() -> HexMap:
    return campaign().loaded.map


def test_the_campaign_fits_together() -> None:
    assert not list(faults(campaign()))
    assert not overlapping(campaign())


def test_it_is_data_alone() -> None:
    assert campaign().loaded.card.ruleset == "hasl"
    assert {path.suffix for path in (PACKS / "hasl").iterdir() if path.is_file()} == {".yaml"}


def test_the_steps_that_it_omits_are_optional_ones() -> None:
    omitted = set(campaign().loaded.card.omit)
    assert omitted <= SEQUENCES.optional
    assert omitted == {"san-adjustment", "ammunition-shortage", "escape", "wounded-leaders", "given-reinforcements"}
    # What is omitted needs no table.
    assert not {"san", "ammunition", "escape", "wounded-leaders"} & set(campaign().tables)


def test_six_blocks_on_both_banks() -> None:
    blocks = town().blocks
    assert set(blocks.hexes) == set("ABCDEF")
    assert all(count >= 3 for count in built_blocks(campaign()).values())
    rows = {name: {int(at.lstrip("ABCDEFGHIJKLMNOP")) for at in blocks.hexes[name]} for name in "CE"}
    assert max(rows["C"]) < min(rows["E"])
    assert blocks.rivers >= {"H7", "H8"}, "the bridge"


def test_three_dates_and_two_nations_of_its_own() -> None:
    card = campaign().loaded.card
    assert [date.id for date in card.dates] == ["22PM", "23AM", "24AM"]
    assert (card.sides["axis"].nation, card.sides["allied"].nation) == ("italian", "french")
    assert card.sides["axis"].chits.attack is None
    assert card.sides["allied"].chits.attack == 1


def test_every_block_is_somebodys_and_the_four_at_the_river_count() -> None:
    card = campaign().loaded.card
    held = {side: set(half.controls) for side, half in card.sides.items()}
    assert held == {"axis": {"A", "B"}, "allied": {"C", "D", "E", "F"}}
    assert set(card.victory.final[0].controls) == held["allied"]
    assert card.victory.final[0].count == 1


def test_the_sums_of_the_designer_notes() -> None:
    one, card = campaign(), campaign().loaded.card
    assert one.given_squads("axis", card.sides["axis"].ob) == 12
    assert one.given_squads("allied", card.sides["allied"].ob) == 12
    # Two platoons each for the points of the start.
    assert 2 * one.line("axis", "I1").cost <= card.sides["axis"].cpp
    assert 2 * one.line("allied", "I1").cost == card.sides["allied"].cpp
    for side, expected in (("axis", 12.5), ("allied", 6.5)):
        points = one.loaded.charts.side(side).cpp
        assert points is not None
        assert points.fixed + 3.5 == expected
