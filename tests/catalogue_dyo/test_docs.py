"""The page for owners of the rulebook: its example is a good file, its ways to write mean one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from laager.base.files import parse_document
from laager.catalogue.dyo import GROUPS, UNKNOWN, Month, OriginKind, gaps, load_dyo
from laager.catalogue.dyo.fields import dates, rf
from laager.catalogue.dyo.load import SetName
from laager.catalogue.dyo.values import read_series

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "my-german.yaml"
PAGE = (DOCS / "cards" / "dyo-catalogue.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("set_", ["none", "published", "house"])
def test_the_example_is_a_good_file_over_every_set(set_: SetName) -> None:
    found = load_dyo(set=set_, own=[EXAMPLE])
    assert not found.warnings
    german = found["german"]
    assert german.line.lg.at(Month(1944, 9)) == 4
    assert german.mmc("4-4-7").bpv == 9
    assert german.origin("vehicles", "PzIVH", "rf").source == "an article in a magazine"
    assert german.origin("support_weapons", "HMG", "ratio").source == "our own reckoning"
    assert german.origin("guns", "50L AT PaK 38", "bpv").kind is OriginKind.EXAMPLE
    assert german.gun("50L AT PaK 38") not in german.guns(Month(1945, 1))
    assert german.knows("transport")
    assert (german.transport(Month(1944, 9)) == ()) == (set_ != "house")


def test_the_example_leaves_what_it_does_not_know_to_the_set() -> None:
    house = load_dyo("german")["german"].vehicle("PzIVH")
    over = load_dyo(own=[EXAMPLE])["german"].vehicle("PzIVH")
    assert over.bpv == house.bpv
    assert over.rf.at(Month(1944, 9)) == house.rf.at(Month(1944, 9))
    alone = load_dyo(set="none", own=[EXAMPLE])["german"].vehicle("PzIVH")
    assert alone.rf.at(Month(1944, 9)) is UNKNOWN


def test_the_example_fills_gaps() -> None:
    september = Month(1944, 9)
    before = gaps(load_dyo("german", set="published")["german"], september)
    after = gaps(load_dyo(set="published", own=[EXAMPLE])["german"], september)
    fields = {(gap.section, gap.type, gap.field) for gap in after}
    told = {(gap.section, gap.type, gap.field) for gap in before} - fields
    assert ("squads", "4-4-7", "bpv") in told
    assert ("support_weapons", "HMG", "ratio") in told
    assert ("transport", "", "") in told


def test_all_ways_to_write_a_series_mean_the_same() -> None:
    block = PAGE.split("These all mean the same:")[1].split("```")[1].removeprefix("yaml\n")
    texts = re.split(r"^(?=rf:)", block, flags=re.MULTILINE)[1:]
    found = [read_series(parse_document(text, "page").data["rf"], rf) for text in texts]
    assert len(found) == 3
    assert found[0].months == found[1].months == found[2].months


def test_all_ways_to_write_dates_are_read() -> None:
    line = PAGE.split("**Dates** only say")[1].split("\n\n")[0]
    for code in re.findall(r"`([^`]+)`", line)[:3]:
        assert dates(parse_document(f"x: {code}", "page").data["x"]).values


def test_the_groups_are_named() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `group`"))
    assert tuple(re.findall(r"`([^`]+)`", row)[1:]) == GROUPS
