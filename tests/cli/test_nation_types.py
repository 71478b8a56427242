"""`laager catalogue list`: what designers look up before they write a chart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from laager.catalogue import load_packaged

from .conftest import Laager

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def types(laager: Laager, *words: str) -> dict[str, dict[str, Any]]:
    return {one["type"]: one for one in json.loads(laager.well("catalogue", "list", *words, "--json"))["types"]}


def test_every_type_of_a_nation_is_listed_by_its_name_on_cards(laager: Laager) -> None:
    german = load_packaged("german")["german"]
    listed = json.loads(laager.well("catalogue", "list", "german", "--json"))["types"]
    assert {(one["type"], one["kind"]) for one in listed} == {
        (text, part[text].kind)
        for part in (german.mmc, german.smc, german.armor_leaders, german.support_weapons, german.guns, german.vehicles)
        for text in part
    }
    assert len(listed) == len({(one["type"], one["kind"]) for one in listed})


def test_a_month_leaves_out_what_there_is_not_yet_or_no_more(laager: Laager) -> None:
    early, late = types(laager, "german", "--date", "1941-06"), types(laager, "german", "--date", "6/1944")
    assert ("PzVD" in early, "PzVD" in late) == (False, True)
    assert ("PzIIA" in early, "PzIIA" in late) == (True, False)
    assert early["4-6-7"]["months"] == "always"
    assert {"8-0", "10-3"} <= set(early)
    soviets = (types(laager, "russian", "-k", "commissar", "-d", month) for month in ("1942-10", "1942-11"))
    assert [bool(commissars) for commissars in soviets] == [True, False]


def test_kinds_are_chosen_and_told_in_words(laager: Laager) -> None:
    out = laager.well("catalogue", "list", "german", "--kind", "squad", "-k", "gun", COLUMNS="200")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "4-6-7 squad first line, half-squad 2-4-7 2 always" in lines
    assert "75L AT PaK 40 gun AT, crew 2-2-8 2 1942-02.." in lines
    assert not [line for line in lines if "leader" in line]
    empty = laager.well("catalogue", "list", "russian", "-k", "commissar", "-d", "1944-01")
    assert empty == "The catalogue of russian has no such type in 1944-01.\n"


def test_nations_are_listed_and_own_files_with_them(laager: Laager) -> None:
    own = ("--own", str(EXAMPLES / "volunteers.yaml"))
    assert "Volunteers" in laager.well("catalogue", "list", *own)
    assert types(laager, "volunteers", *own)["3-3-6"]["traits"] == ["inexperienced"]
    assert "Train No. 3" in types(laager, "volunteers", *own)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("germn", 1, "no nation 'germn' ships with Laager; did you mean german?"),
        ("german --kind squads", 2, "'squads' is not a kind; did you mean squad or half-squad?"),
        ("german --date 1944", 2, "'1944' is not a month"),
        ("--kind squad", 2, "name the nation whose types to list"),
    ],
)
def test_slips_are_told(laager: Laager, words: str, code: int, text: str) -> None:
    ended = laager("catalogue", "list", *words.split())
    assert ended.code == code
    assert text in ended.err
