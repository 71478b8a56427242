"""The state as parts and fields: plain values lose nothing, and the table of who knows them agrees with the views."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.facts import SPECTATOR, UMPIRE, may_see
from laager.rules.board.knowledge import Known
from laager.rules.board.record import parts
from laager.rules.board.record.parts import Ref, find_line, line_audience, parts_of, refer
from laager.rules.board.state import BoardState
from tests.rules.record.logs import NAMES, Boundary, boundaries, open_log

EVERY = 11
"""Every so manieth boundary of an old campaign is looked at."""
BY_ITEM = {Known.BY_SIDE, Known.BY_UNIT, Known.BY_FORT}


@cache
def sample(name: str) -> list[Boundary]:
    return list(islice(boundaries(open_log(name)), 0, None, EVERY))


def late(name: str = "pl-walkthrough") -> Any:
    return sample(name)[-1].states[UMPIRE]


def state_parts(state: Any) -> list[parts.Part]:
    kind: type[BoardState] = type(state)
    return list(parts_of(kind).values())


@pytest.mark.parametrize("name", NAMES)
def test_plain_values_lose_nothing(name: str) -> None:
    for boundary in sample(name)[::2]:
        state = boundary.states[UMPIRE]
        for part in state_parts(state):
            for line in part.lines(state).values():
                plain = {field: parts.to_plain(getattr(line, field)) for field in part.fields}
                again = parts.from_plain(part.line, plain)
                assert again == {field: getattr(line, field) for field in part.fields}, part.name


@pytest.mark.parametrize("name", NAMES)
def test_the_table_agrees_with_what_views_hold(name: str) -> None:
    for boundary in sample(name)[::2]:
        umpire = boundary.states[UMPIRE]
        for viewer, state in boundary.states.items():
            if viewer != UMPIRE:
                compare(umpire, state, viewer)


def compare(umpire: Any, state: Any, viewer: str) -> None:
    """Check that a viewer knows what the table says, and that nothing else of it is true but by chance."""
    for part in state_parts(umpire):
        mine, lines = part.lines(state), part.lines(umpire)
        assert mine.keys() <= lines.keys(), part.name
        for key, line in lines.items():
            if line_audience(line) is not None and not may_see(line_audience(line), viewer):
                assert key not in mine, (viewer, part.name, key)
                continue
            assert key in mine, (viewer, part.name, key)
            for field in part.fields:
                check_field(umpire, mine[key], Ref(part.name, key, field), viewer)


def check_field(umpire: Any, line: Any, ref: Ref, viewer: str) -> None:
    truth, seen = getattr(find_line(umpire, ref.part, ref.key), ref.field), getattr(line, ref.field)
    known = parts.knowledge(umpire, find_line(umpire, ref.part, ref.key), ref.part, ref.field)
    if isinstance(known, Known) and known in BY_ITEM:
        items = truth if hasattr(truth, "items") else dict.fromkeys(truth)
        mine = seen if hasattr(seen, "items") else dict.fromkeys(seen)
        for item, value in items.items():
            owner = parts.owner_of(umpire, known, parts.to_plain_key(item))
            if viewer == owner:
                assert mine[item] == value, (viewer, ref, item)
            elif known is not Known.BY_SIDE:
                assert item not in mine, (viewer, ref, item)
        return
    audience = parts.who_knows(umpire, ref)
    if ref.field == "san" and not may_see((ref.key,), viewer):
        secret = umpire.sides[ref.key].secret_san if ref.part == "sides" else 0
        assert ref.part != "sides" or seen == truth - secret
    elif may_see(audience, viewer):
        assert seen == truth, (viewer, ref)


@pytest.mark.parametrize("viewer", ["axis", "allied", SPECTATOR])
def test_a_hidden_unit_has_no_audience_but_its_side(viewer: str) -> None:
    for boundary in sample("pl-walkthrough"):
        state = boundary.states[UMPIRE]
        for unit in state.units.values():
            audience = parts.who_knows(state, Ref("units", unit.id, "at"))
            assert may_see(audience, viewer) == (unit.known or viewer == unit.side)


def test_one_field_is_written() -> None:
    state = late()
    unit = next(iter(state.units))
    written = parts.write(state, "units", unit, {"marks": ["broken", "dm"], "at": None})
    assert parts.read(written, Ref("units", unit, "marks")) == ["broken", "dm"]
    assert written.units[unit].at is None
    assert parts.write(state, "sides", "axis", {"cp": 3}).sides["axis"].cp == 3
    assert parts.write(state, "campaign", "", {"option": "B"}).option == "B"


def test_one_item_of_a_mapping_is_written_and_taken_away() -> None:
    state = late()
    written = parts.write(state, "ground", "", {"control[H7]": "allied", "control[G7]": "axis"})
    assert written.ground.control["H7"] == "allied"
    assert len(written.ground.control) == len({*state.ground.control, "H7", "G7"})
    assert parts.read(written, refer("ground", "", "control[H7]")) == "allied"
    gone = parts.write(written, "ground", "", {"control[H7]": None})
    assert "H7" not in gone.ground.control


def test_lines_come_and_go() -> None:
    state = late()
    unit = {"id": "AX99", "side": "axis", "nation": "german", "type": "4-6-7", "kind": "squad"}
    more = parts.add(state, "units", unit)
    assert more.units["AX99"].type == "4-6-7"
    with pytest.raises(DataError, match="AX99 is in units already"):
        parts.add(more, "units", unit)
    assert parts.remove(more, "units", "AX99") == state
    group = next(parts.to_plain(group) for group in state.groups.values())
    more = parts.add(state, "groups", {**group, "id": "I9/9"})
    assert more.groups[group["side"], "I9/9"].rg == group["rg"]


def test_who_lacks_the_line_has_nothing_changed() -> None:
    state = late()
    assert parts.write(state, "units", "AX999", {"name": "A"}) is state


def test_everything_wrong_is_said_at_once() -> None:
    state = late()
    unit = next(iter(state.units))
    with pytest.raises(DataError) as caught:
        parts.write(state, "units", unit, {"marks": ["brocken"], "since": "soon"})
    text = str(caught.value)
    assert f"units.{unit}.marks" in text
    assert f"units.{unit}.since" in text
    with pytest.raises(RefusedError, match="did you mean marks"):
        parts.write(state, "units", unit, {"mark": []})
    with pytest.raises(RefusedError, match="no part"):
        parts.write(state, "unit", unit, {"marks": []})
    with pytest.raises(DataError, match="type"):
        parts.add(state, "units", {"id": "AX99", "side": "axis", "nation": "german", "kind": "squad"})
