"""Every nation of the charts buys to the end by a catalogue of its own, and what it bought is legal."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign.pending import Pending
from laager.catalogue.dyo import DyoMmc
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.sheets.offers import offer
from laager.rules.design_your_own.sheets.prospects import all_prospects, prospects
from laager.rules.design_your_own.sheets.roster import roster, section_for_question
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import by_chance, proven, purchase_of
from tests.design_your_own.made_up import LEADERS, NATIONS, write_terms

Data = dict[str, Any]


def buy_and_check(folder: Path, seed: int, axis: str, allied: str) -> None:
    """Buy by chance between two nations, and check the orders of battle and others like them."""
    rng = Random(seed)
    campaign = purchase_of(write_terms(folder, rng, axis, allied))
    cg = campaign.context
    assert isinstance(cg, Cg)

    def look(wanted: Pending) -> None:
        for render in (offer, prospects, section_for_question):
            render(cg, wanted.side, wanted.key)

    by_chance(campaign, rng, look=look)
    assert campaign.state.over
    proven(campaign)
    with suppress(RefusedError):
        # It has no minor nations by that name.
        vasl_templates(cg)
    for side in SIDES:
        roster(cg, side)
        all_prospects(cg, side)
        for facing in (False, True):
            verdict = check_ob(cg.with_state(cg.state), side, facing=facing)
            assert verdict.legal, (side, facing, [str(one) for one in verdict.broken])
        for _ in range(4):
            data = changed(cg.ob(side).model_dump(mode="json"), cg, side, rng)
            other = cg.with_state(cg.state.having(OrderOfBattle.model_validate(data)))
            check_ob(other, side, facing=rng.random() < 0.5)


def changed(data: Data, cg: Cg, side: str, rng: Random) -> Data:
    """Return an order of battle with other types, dates aside, as one from elsewhere may have."""
    made = deepcopy(data)
    nation = cg.nation(side)
    squads = [one for one in nation.entries_of("squads") if isinstance(one, DyoMmc)]
    for entry in made["infantry"]:
        if squads and rng.random() < 0.5:
            one = rng.choice(squads)
            entry |= {"type": one.key, "kind": one.kind}
        if rng.random() < 0.3:
            entry["purchase"] = rng.choice(["first", "second", "bonus"])
    for led in filter(None, (made["leaders"], *made["allied_leaders"].values())):
        led["held"] = {type_: rng.randint(0, 4) for type_ in rng.sample(LEADERS, 3)}
        for name in ("gained", "lost", "extra", "traded"):
            if rng.random() < 0.3:
                led[name] = rng.choice((*LEADERS, "", "Fritz"))
    for section, entries in (("guns", made["ordnance"]["guns"]), ("vehicles", made["vehicles"]["entries"])):
        known = [one.key for one in nation.entries_of(section)]
        for entry in entries:
            if known and rng.random() < 0.5:
                entry["type"] = rng.choice(known)
    made["bonus"] = rng.choice([made["bonus"], "2½", "7"])
    made["announced_elr"] = rng.choice([made["announced_elr"], rng.randint(0, 5)])
    return made


@pytest.mark.parametrize("nation", NATIONS)
def test_a_nation_buys_to_the_end(nation: str, tmp_path: Path) -> None:
    place = NATIONS.index(nation)
    buy_and_check(tmp_path, place, nation, NATIONS[(place + 4) % len(NATIONS)])


@pytest.mark.soak
@pytest.mark.parametrize("nation", NATIONS)
def test_hundreds_of_purchases_of_a_nation(nation: str, tmp_path: Path) -> None:
    for seed in range(100):
        buy_and_check(tmp_path, 1000 + seed, nation, NATIONS[seed % len(NATIONS)])
