from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laager.base import DataError, Problem
from laager.base.files import parse_document, read_document
from laager.rules.board.card.files import MAP, LoadedCard, shipped_files
from laager.rules.platoon_leader.card.card import Card
from laager.rules.platoon_leader.card.loading import load_card
from laager.rules.platoon_leader.card.numbers import cheapest, most_cp
from laager.rules.platoon_leader.context import Cg

CARDS = Path(__file__).parent / "cards"
SMALL = (CARDS / "small.yaml").read_text(encoding="utf-8")
DATA: dict[str, Any] = parse_document(SMALL, "small").data
BROKEN: Mapping[str, list[dict[str, Any]]] = read_document(CARDS / "broken.yaml").data


def cases(part: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in BROKEN[part]]


def changed(changes: Mapping[str, str]) -> str:
    text = SMALL
    for old, new in changes.items():
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in small.yaml"
        text = text.replace(old, new)
    return text


def written(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    small_map = (CARDS / "small-map.yaml").read_text(encoding="utf-8")
    (folder / "small-map.yaml").write_text(small_map, encoding="utf-8")
    path = folder / "card.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def line_of(text: str, piece: str) -> int:
    assert text.count(piece) >= 1, f"{piece!r} is not in the changed card"
    return text[: text.index(piece)].count("\n") + 1


def told(problem: Problem) -> str:
    return f"{problem.what}; {problem.right}" if problem.right else problem.what


def compare(problems: tuple[Problem, ...], case: dict[str, Any], text: str) -> None:
    expected = case["says"]
    assert [(p.line, p.field) for p in problems] == [(line_of(text, at), field) for at, field, _ in expected]
    for problem, (_, _, sentence) in zip(problems, expected, strict=True):
        assert told(problem) == sentence


@pytest.mark.parametrize("case", cases("problems"))
def test_what_is_wrong_is_told_with_line_and_advice(case: dict[str, Any], tmp_path: Path) -> None:
    text = changed(case["change"])
    path = written(tmp_path, text)
    with pytest.raises(DataError) as caught:
        load_card(path)
    compare(caught.value.problems, case, text)
    assert {problem.file for problem in caught.value.problems} == {str(path)}


@pytest.mark.parametrize("case", cases("warnings"))
def test_what_is_doubtful_is_told_beside_the_card(case: dict[str, Any], tmp_path: Path) -> None:
    text = changed(case["change"])
    loaded = load_card(written(tmp_path, text))
    compare(loaded.warnings, case, text)


def test_the_small_card_is_without_fault() -> None:
    loaded = load_card(CARDS / "small.yaml")
    assert loaded.warnings == ()
    assert loaded.card.id == "small"
    assert loaded.map.title == "Crossroads"
    assert loaded.document.line(("map",)) == 8


def test_the_walkthrough_begins_as_it_says() -> None:
    from laager.hexmap import strategic_terrain
    from laager.hexmap.coords import expand_ranges

    loaded = load_card(CARDS / "walkthrough.yaml")
    assert loaded.warnings == ()
    strategic = strategic_terrain(loaded.map, tvp=loaded.card.tvp)
    begins = {
        side: [at for at in strategic if at in expand_ranges(half.setup)] for side, half in loaded.card.sides.items()
    }
    assert begins == {"axis": ["C4", "K4"], "allied": ["C8", "G2", "K9"]}


def test_problems_of_card_and_map_come_together(tmp_path: Path) -> None:
    path = written(tmp_path, changed({"elr: 3\n    san: 3\n    cp: 14": "elr: 9\n    san: 3\n    cp: 14"}))
    map_path = tmp_path / "small-map.yaml"
    broken = map_path.read_text(encoding="utf-8").replace("B2, B3", "B2, B33")
    map_path.write_text(broken, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_card(path)
    assert [(Path(p.file).name, p.field) for p in caught.value.problems] == [
        ("card.yaml", "sides.axis.elr"),
        ("small-map.yaml", "terrain.woods[2]"),
    ]


def test_a_card_may_use_a_shipped_map(tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    name = next(iter(shipped_files("pl", MAP)))
    path.write_text(changed({"map: small-map.yaml": f"map: {name}"}), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_card(path)
    # The map is found; what is wrong is that its E4 is no house with storeys.
    assert {problem.what for problem in caught.value.problems} == {
        "there is no Location E4.1",
        "there is no Location E4.2",
    }


def test_a_location_on_a_joined_edge_has_its_tvp_once(tmp_path: Path) -> None:
    joined = {
        "laager": "map/1",
        "id": "joined-map",
        "title": "Joined",
        "source": "house",
        "boards": [
            {"board": "1", "columns": 5, "rows": 4, "half_columns": True},
            {"board": "2", "columns": 5, "rows": 4, "half_columns": True, "right_of": "1"},
        ],
        "buildings": [{"material": "stone", "hexes": ["1E2"]}],
    }
    sides = {
        "axis": {**DATA["sides"]["axis"], "setup": ["1B1-1B4", "1E2"], "entry_hexes": []},
        "allied": {**DATA["sides"]["allied"], "setup": ["2C1-2C4"]},
    }
    card = {
        **DATA,
        "map": "joined-map.yaml",
        "tvp": {"1E2": 1, "2A2": 1},
        "strategic": ["2C3"],
        "objectives": {"campaign": {"points": "tvp"}},
        "sides": sides,
    }
    (tmp_path / "joined-map.yaml").write_text(json.dumps(joined), encoding="utf-8")
    (tmp_path / "card.yaml").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_card(tmp_path / "card.yaml")
    assert [told(problem) for problem in caught.value.problems] == ["2A2 is 1E2, which has TVP already; keep one"]


@pytest.mark.parametrize("text", ["", "[]", "map: 3", "- a\n- b", "map: {a: b}", "a: [", "map: \x00"])
def test_what_is_no_card_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        load_card(written(tmp_path, text))
    assert caught.value.problems


def test_a_card_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        load_card(tmp_path / "nothing.yaml")


def test_every_shipped_card_is_without_fault() -> None:
    assert shipped_files("pl", ""), "at least one campaign ships"
    for name, path in shipped_files("pl", "").items():
        loaded = load_card(path)
        assert loaded.card.id == name
        assert loaded.warnings == ()
        assert loaded.card.source == "house"
    for name, path in shipped_files("pl", MAP).items():
        assert read_document(path).data["id"] == name


# What a side can ever have -----------------------------------------------------------------------


def test_the_most_cp_are_the_best_rolls_or_what_the_card_provides() -> None:
    card = load_card(CARDS / "small.yaml").card
    # axis: 14, 2 by its balance provision, 9 provided for firefight 2, 16 as the best LOW roll
    assert [most_cp(card, "axis", last) for last in (1, 2, 3, None)] == [16, 25, 41, 41]
    assert most_cp(card, "allied") == 16 + 16 + 16


def test_the_lowest_price_is_that_in_reserve_where_it_is_allowed() -> None:
    card = load_card(CARDS / "small.yaml").card
    axis = card.sides["axis"]
    prices = {line.id: cheapest(axis, line) for line in axis.chart}
    assert prices == {"I1": 4, "I2": 6, "A1": 8, "O1": 3}
    without = axis.model_copy(update={"reserves": False})
    assert {line.id: cheapest(without, line) for line in axis.chart} == {line.id: line.cost for line in axis.chart}
    trucks = card.sides["allied"].group("V1")
    assert trucks is not None
    assert cheapest(card.sides["allied"], trucks) == 2


# Mutations ---------------------------------------------------------------------------------------


def paths_in(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [here] if here else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += paths_in(item, (*here, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            found += paths_in(item, (*here, i))
    return found


PATHS = paths_in(DATA)
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(),
    st.sampled_from(["", " ", "A1", "E4.9", "A1-", "é", "axis", "6.0", "1944-08-01", "0", "-", "x" * 300]),
    st.text(max_size=8),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(["A1", "A1-A3", 3, None]), max_size=3),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


def with_change(data: Any, path: tuple[Any, ...], change: tuple[str, Any]) -> Any:
    """Return plain data with the thing at a path left out, replaced, renamed or doubled."""
    if not path:
        return data
    key, *rest = path
    items: Any = dict(data) if isinstance(data, dict) else list(data)
    if rest:
        items[key] = with_change(items[key], tuple(rest), change)
        return items
    kind, value = change
    if kind == "delete":
        del items[key]
    elif kind == "replace":
        items[key] = value
    elif isinstance(items, list):
        items.append(items[int(key)])
    else:
        items[str(value)] = items.pop(key)
    return items


def outcome(path: Path) -> LoadedCard | DataError:
    """Load a card; anything but a card or a DataError with sensible problems is a failure."""
    try:
        loaded = load_card(path)
    except DataError as err:
        refused = err
    else:
        assert Card.model_validate_json(loaded.card.model_dump_json()) == loaded.card
        return loaded
    assert refused.problems
    for problem in refused.problems:
        assert problem.what
        assert problem.file
        assert str(problem)
    return refused


MODEST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MODEST
@given(
    path=st.sampled_from(PATHS), change=st.tuples(st.sampled_from(["delete", "replace", "replace", "rename"]), STRANGE)
)
def test_a_changed_card_is_valid_or_refused(
    path: tuple[str | int, ...], change: tuple[str, Any], tmp_path: Path
) -> None:
    text = json.dumps(with_change(DATA, path, change), ensure_ascii=False)
    outcome(written(tmp_path, text))


@MODEST
@given(
    lines=st.lists(st.integers(0, SMALL.count("\n") - 1), min_size=1, max_size=3),
    how=st.sampled_from(["delete", "double", "indent", "cut"]),
)
def test_a_card_with_lines_disturbed_is_valid_or_refused(lines: list[int], how: str, tmp_path: Path) -> None:
    text = SMALL.splitlines()
    for i in sorted(set(lines), reverse=True):
        if how == "delete":
            del text[i]
        elif how == "double":
            text.insert(i, text[i])
        elif how == "indent":
            text[i] = f" {text[i]}"
        else:
            text[i] = text[i][: len(text[i]) // 2]
    found = outcome(written(tmp_path, "\n".join(text) + "\n"))
    doubled = {SMALL.splitlines()[i] for i in lines}
    keyed = [line for line in doubled if re.match(r"^ *[a-z_]+:", line)]
    if how == "double" and keyed:
        assert isinstance(found, DataError), "a name that stands twice is always refused"


def test_a_setup_area_by_two_corners_is_all_between_them(tmp_path: Path) -> None:
    loaded = load_card(written(tmp_path, changed({"D1-D8, E1-E8": "D1-E8"})))
    cg = Cg(loaded.setting)
    assert cg.hexes(cg.card.sides["axis"].setup) == cg.hexes(("D1-D8", "E1-E8"))
    assert len(cg.hexes(("D1-E8",))) == 16
