"""The setup that is proposed is what a sensible player would do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

import pytest

from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.setup.setup import HaslSetup
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.setup.placements import SetupPlace
from laager.rules.board.setup.posts import field_of_fire
from tests.historical.campaigns import new_campaign


@cache
def first_setups(card: str) -> tuple[tuple[HaslSetup, Mapping[str, SetupPlace]], ...]:
    """Both sides' setups of the Initial Scenario, with what is proposed for each."""
    campaign = new_campaign(card)
    found: list[tuple[HaslSetup, Mapping[str, SetupPlace]]] = []
    while len(found) < 2:
        one = campaign.pending()[0]
        if one.key == "setup":
            asked = HaslSetup(Setting(cast("Hasl", campaign.context), one.side))
            found.append((asked, dict(asked.proposed_places)))
        campaign.answer(one.side, one.key, one.question.default) if one.question else campaign.roll_for(one.side)
    return tuple(found)


@pytest.mark.parametrize("card", ["rijnoord", "sorgiva"])
def test_troops_are_spread_and_hold_what_decides_first(card: str) -> None:
    for asked, proposed in first_setups(card):
        cg, side = asked.cg, asked.side
        troops = [one for one in proposed.values() if one.at and not one.holder and one.unit.kind in {"squad", "crew"}]
        hexes = [hex_of(one.at) for one in troops]
        assert max(map(hexes.count, hexes)) <= 3, side
        assert len(set(hexes)) * 2 >= len(hexes)
        away = [min(cg.map.distance(name, other) for other in hexes if other != name) for name in set(hexes)]
        assert max(cg.map.distance(a, b) for a in hexes for b in hexes) > 8
        assert sum(away) / len(away) > 1
        named = dict.fromkeys(n for one in cg.card.victory.final for n in one.controls)
        places = [set(cg.map.blocks.hexes[name]) & asked.setting.home for name in named if cg.blocks]
        places = [held for held in places if held]
        assert sum(bool(held & set(hexes)) for held in places) >= min(len(places), len(troops) // 4), (side, hexes)


@pytest.mark.parametrize("card", ["rijnoord", "sorgiva"])
def test_each_leader_has_somebody_to_lead_and_no_two_the_same(card: str) -> None:
    for _, proposed in first_setups(card):
        leaders = [one for one in proposed.values() if one.at and not one.holder and one.unit.kind == "leader"]
        for one in leaders:
            led = [mate for mate in proposed.values() if mate.at == one.at and mate.unit.kind == "squad"]
            assert any(mate.unit.group == one.unit.group for mate in led), one.unit.label
        assert len({one.at for one in leaders}) == len(leaders) > 1


@pytest.mark.parametrize("card", ["rijnoord", "sorgiva"])
def test_guns_stand_in_cover_with_a_field_of_fire(card: str) -> None:
    for asked, proposed in first_setups(card):
        cg, guns = asked.cg, [one for one in proposed.values() if one.at and one.unit.kind == "gun"]
        fields = sorted(field_of_fire(cg.map, name) for name in asked.setting.home if is_in_cover(cg, name))
        for gun in guns:
            assert is_in_cover(cg, hex_of(gun.at)), gun.unit.label
            assert field_of_fire(cg.map, hex_of(gun.at)) >= fields[len(fields) // 5], gun.unit.label
