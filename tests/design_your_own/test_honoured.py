"""What a catalogue may say is honoured everywhere: rows of the charts, may_be, equivalent."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError
from laager.catalogue.dyo.write import to_yaml
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.files import DraftTerms, draft_data, load_terms
from laager.rules.design_your_own.lines.infantry import rule_lines
from laager.rules.design_your_own.lines.oba import barred_from_air, number_of
from laager.rules.design_your_own.lines.vehicles import known_op_tanks, op_tank_breaches, op_tanks
from laager.rules.design_your_own.nations import THEATRES, Group, in_theatre, is_theatre, row_of, theatre_id
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.steps.fittings import armor_leaders
from laager.rules.design_your_own.steps.infantry import infantry
from laager.rules.design_your_own.steps.leaders import equivalents
from tests.design_your_own.rules.printed import PRINTED
from tests.steps import refusals

from .harness import cg_of, play, published_cg, tell_values

MINE = """\
laager: dyo-catalogue/1
nation: german
name: German
source: own
capabilities: {elr_row: italian, armor_leader_row: none, air_row: italian}
"""


def elr_by(tmp_path: Path, month: str, text: str) -> int | None:
    """Return the ELR of Germans whose catalogue has this laid over the shipped one."""
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    draft = DraftTerms("t", month, ("german", "russian"), (500, 500), own=("mine.yaml",))
    file = tmp_path / "t.yaml"
    file.write_text(to_yaml(draft_data(draft)), encoding="utf-8")
    return load_terms(file).terms.side("axis").elr


def test_the_row_of_the_elr_chart_is_the_catalogues(tmp_path: Path) -> None:
    assert elr_by(tmp_path, "1943-08", MINE) == 0
    assert elr_by(tmp_path, "1943-08", MINE.replace("elr_row: italian, ", "")) == 4
    with pytest.raises(DataError, match="without a row"):
        elr_by(tmp_path, "1943-08", MINE.replace("elr_row: italian", "elr_row: none"))


def test_the_row_of_the_armor_leader_drm_is_the_catalogues() -> None:
    cg = published_cg("italian", "british", date="1942-06")
    assert row_of(cg.nation("axis"), "armor_leader_row") is Group.ITALIAN
    tell_values(cg, "axis", ("capabilities", "", "armor_leader_row", "none"))
    assert cg.row("axis", "armor_leader_row") is None
    assert play(armor_leaders, cg, "axis").rolls == []


def test_the_row_of_air_support_is_the_catalogues() -> None:
    cg = published_cg("italian", "british", date="1945-03", weather="Clear")
    assert number_of(cg, "axis") is None
    assert barred_from_air(cg, "axis")
    tell_values(cg, "axis", ("capabilities", "", "air_row", "british"))
    number = number_of(cg, "axis")
    assert number is not None
    assert number.value == 7
    assert barred_from_air(cg, "axis") == ()
    tell_values(cg, "axis", ("capabilities", "", "air_row", "none"))
    assert number_of(cg, "axis") is None


def test_a_number_of_its_own_needs_no_row() -> None:
    cg = published_cg("italian", "british", date="1945-03", weather="Clear")
    tell_values(cg, "axis", ("capabilities", "", "air_number", 5))
    assert barred_from_air(cg, "axis") == ()


def engineers(number: int = 4) -> dict[str, Any]:
    return {"lines": [{"type": "4-6-8", "number": number, "engineers": True}]}


@pytest.mark.parametrize(("told", "allowed"), [("assault-engineer", True), ("sapper", False)])
def test_what_a_squad_may_be_bought_as(told: str, allowed: bool) -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("squads", "4-6-8", "may_be", told))
    question = play(infantry, cg, "axis").question("infantry")
    said = refusals(question, engineers())
    assert bool(said) is not allowed
    assert all("the catalogue does not let them be" in one for one in said)


def test_a_roster_is_checked_by_what_a_squad_may_be() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("squads", "4-6-8", "may_be", "sapper"))
    entry = InfantryEntry(type="4-6-8", number=4, capabilities=("assault-engineer",), each=1, total=4)
    cg.state = cg.state.with_ob("axis", infantry=(entry,))
    assert any("does not let them be" in str(one) for one in check_ob(cg, "axis").problems())


def test_squads_count_as_the_catalogue_says() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("squads", "4-6-7", "equivalent", 2))
    play(infantry, cg, "axis", {"infantry": {"lines": [{"type": "4-6-7", "number": 5}]}})
    line = rule_lines(cg.nation("axis"), cg.month, cg.ob("axis").infantry)[0]
    assert line.squads == Fraction(10)
    (fact,) = play(equivalents, cg, "axis").of("equivalency-reckoned")
    assert fact.body()["line"] == 10


# Theatres ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["NW Europe", "nw-europe", "North-West Europe", "NW_EUROPE"])
def test_cromwell_and_ram_op_tanks_are_had_where_they_served(written: str) -> None:
    cg = published_cg("german", "british", theatre=written)
    tanks = [one for one in known_op_tanks(cg, "allied") if one.theatre]
    assert [one.name for one in tanks] == ["Cromwell OP", "Ram OP"]
    for tank in (*tanks, *(one for one in op_tanks(PRINTED, Group.BRITISH) if one.id in ("cromwell", "ram"))):
        told = {"year": 1944, "motorized": True, "battery": "80+"}
        british = Group.BRITISH
        assert op_tank_breaches(tank, group=british, theatre=written, **told) == ()  # type: ignore[arg-type]
        assert op_tank_breaches(tank, group=british, theatre="desert", **told)  # type: ignore[arg-type]


def test_a_theatre_has_one_id_however_it_is_written() -> None:
    for id_, words in THEATRES.items():
        assert {theatre_id(word.upper().replace("-", " ")) for word in (id_, *words)} == {id_}
    assert theatre_id("Lower  Silesia") == "lower-silesia"
    assert in_theatre("ETO", "nw-europe")
    assert not in_theatre("ETO", "burma")
    assert is_theatre("Birma", "burma")
    assert not is_theatre("ETO", "norway")
