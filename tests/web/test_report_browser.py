"""Battles reported on the map and from saves of VASL, in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from laager.rules.board.units import HIDING
from laager.web.campaigns import tables
from laager.web.models import Draft, Game
from laager.web.play.battle import saves
from tests.web.conftest import Desk, People, seat
from tests.web.fielded import fielded
from tests.web.reporting import (
    SIDES,
    asked,
    board_of,
    click_hex,
    doubtful,
    drop,
    player,
    proposal,
    serve_boards,
    state_of,
    url,
)
from tests.web.seen import read, sitting
from tests.web.serving import until

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets")


@pytest.fixture
def boards(tmp_path: Path, settings: Any) -> Path:
    return serve_boards(tmp_path, settings)


def kept(game: Game) -> dict[str, Any]:
    """Return what the German page has kept of its report; empty if nothing."""
    found = Draft.objects.filter(game=game, seat="axis").first()
    return found.value if found is not None else {"units": [], "control": []}


@pytest.mark.browser
@pytest.mark.parametrize("width", [pytest.param(1366, marks=pytest.mark.soak), 390])
def test_units_are_placed_and_control_is_clicked(
    width: int, game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    unit = next(
        one for one in state_of(game, people).units.values()
        if one.side == "axis" and one.kind == "squad" and one.in_play
    )  # fmt: skip
    anna = desk(people.anna, width=width)
    anna.go(f"/campaign/{game.pk}/axis/report")
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.locator("[data-all-units] summary").click()
    page.locator(f'[data-all-units] .unit-chip[data-unit="{unit.id}"]').click()
    with page.expect_response("**/check"):
        click_hex(anna, "J16")
    assert page.get_by_label("Location", exact=True).input_value() == "J16"
    page.get_by_text("More: markers").click()
    with page.expect_response("**/check"):
        page.get_by_label("cx", exact=True).check()
    page.get_by_role("button", name="Done").click()
    with page.expect_response("**/check"):
        page.locator("[data-brushes] input[value=axis]").check()
        click_hex(anna, "L18")
    value = kept(game)
    row = next(one for one in value["units"] if one["unit"] == unit.id)
    assert (row["fate"], row["at"]) == ("on-map", "J16")
    assert "cx" in row["marks"]
    assert all(one["side"] == "axis" for one in value["control"])
    page.evaluate("document.querySelector('[data-report]').page.dirty = false")
    page.get_by_role("button", name="Submit the report").click()
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    with tables.look(seat(game, people.anna, "axis")) as table:
        given = [e for e in table.view.log if e.entry.type == "answer"][-1].entry.body
        still = saves.reports_of(table)
    assert bool(still) != (given.get("key") == "battle-report")
    if still:
        assert page.locator(".refused").is_visible()
    else:
        assert "J16" in json.dumps(given)


@pytest.mark.browser
def test_a_first_pass_says_only_what_changed(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    units = [one for one in state_of(game, people).units.values() if one.side == "axis" and one.on_map]
    squad = next(one for one in units if one.kind == "squad")
    (other, *_) = {one.hex for one in units if one.kind == "squad"} - {squad.hex}
    one = asked(game, people, "axis")
    board = board_of(player(people, "axis").get(url(game, "axis", one.mark)))
    goal = next(
        name for name, there in board["strategic"].items()
        if there == [name] and board["control"].get(name) == "allied"
    )  # fmt: skip
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/")
    page = anna.page
    page.get_by_role("link", name="Report on the map").click()
    page.wait_for_selector(".map-stage.drawn")
    click_hex(anna, squad.hex)
    page.locator(f'[data-keep="broken-{squad.id}"]').click()
    page.locator(".report-there button[data-do=eliminated]").last.click()
    assert page.locator("[data-changes] .count").inner_text() == "2"
    page.locator("[data-brushes] input[value=move]").check()
    click_hex(anna, other)
    click_hex(anna, goal)
    page.locator("[data-take]").click()
    # Each click is kept a moment after it.
    until(lambda: kept(game)["control"] == [{"location": goal, "side": "axis"}])
    value, before = kept(game), proposal(one)
    changed = {row["unit"]: row for row in value["units"] if row not in before["units"]}
    assert "broken" in changed[squad.id]["marks"]
    assert HIDING.isdisjoint(changed[squad.id]["marks"])
    assert [row["fate"] for row in changed.values()].count("eliminated") == 1
    moved = {one.id for one in units if one.hex == other}
    assert {row["unit"] for row in changed.values() if row.get("at") == goal} == moved
    # All but that is as it was, and the way back leads there.
    assert {name: rows for name, rows in value.items() if name not in {"units", "control"}} == {
        name: rows for name, rows in before.items() if name not in {"units", "control"}
    }
    while page.locator("[data-changes] .changes").count():
        page.locator("[data-changes] button.plain").last.click()
    until(lambda: sorted(kept(game)["units"], key=str) == sorted(before["units"], key=str))
    page.get_by_role("button", name="Submit the report").click()
    page.wait_for_url("**/axis/**?since=*")


def test_a_save_can_be_dropped_where_the_report_is_asked_of_the_seat(game: Game, people: People) -> None:
    for name, user in sitting(game, people).items():
        page = read(people.client(user), f"/campaign/{game.pk}/{name}/")
        expected = [url(game, name, asked(game, people, name).mark)] if name in SIDES else []
        assert re.findall(r'data-save-page="([^"]*)"', page) == expected


@pytest.mark.browser
@pytest.mark.usefixtures("boards")
def test_a_save_dropped_on_the_table_opens_the_report_filled_in(
    game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    data = doubtful(game, people)
    anna = desk(people.anna)
    page = anna.page
    anna.go(f"/campaign/{game.pk}/axis/")
    page.wait_for_selector("[data-save-page]")
    drop(page, "header", data)
    page.wait_for_url("**/axis/report/*/")
    page.wait_for_selector("[data-findings]")
    assert "evening.vsav" in page.locator("[data-proposal]").inner_text()
    # The file is there for the choices, and is not read again with the next visit.
    with page.expect_response("**/save"):
        page.get_by_role("button", name="Read it again").click()
    page.reload()
    page.wait_for_selector(".map-stage.drawn")
    assert not page.locator("[data-findings]").count()
    # Where no report is asked nothing is taken.
    anna.go(f"/campaign/{game.pk}/axis/log")
    drop(page, "body", data)
    assert page.url.endswith("/log")


@pytest.mark.browser
@pytest.mark.usefixtures("boards")
def test_a_save_is_dropped_and_its_proposal_shown(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    data = doubtful(game, people)
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/report")
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    drop(page, "[data-stage]", data)
    page.wait_for_selector("[data-findings]")
    assert "evening.vsav" in page.locator("[data-proposal]").inner_text()
    unknown = page.locator("[data-findings=unknown] select, [data-findings=to-confirm] select")
    unknown.first.select_option(index=1)
    with page.expect_response("**/save"):
        page.get_by_role("button", name="Read it again").click()
    page.wait_for_selector("[data-findings=certain] input[type=hidden]", state="attached")
    assert page.locator("[data-findings=certain] input[type=hidden]").count() == 1
    bad: FilePayload = {"name": "bad.vsav", "mimeType": "application/zip", "buffer": b"no"}
    page.set_input_files("#report-save", files=[bad])
    page.get_by_role("button", name="Read it", exact=True).click()
    page.wait_for_selector("[data-refusal] .refused")


@pytest.mark.browser
def test_a_hex_of_a_form_is_picked_on_the_map(people: People, desk: Callable[..., Desk]) -> None:
    game = fielded(people, "rzhavets", ("setup",))
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        side = table.asked[0].pending.side
    who = people.anna if side == "axis" else people.bert
    with tables.look(seat(game, who, side)) as table:
        mark = table.asked[0].mark
    one = desk(who, width=390)
    one.go(f"/campaign/{game.pk}/{side}/ask/{mark}/")
    page = one.page
    field = page.locator("input[data-hex=one]").first
    before = field.input_value()
    page.locator(".hexpick-open").first.click()
    page.wait_for_selector(".hexpick .map-stage.drawn")
    page.wait_for_selector(".hexpick .hex-others", state="attached")
    told = page.locator(".hexpick [role=status]")
    assert "Pale: where this can't be. Shaded: where the other rows go" in told.inner_text()
    with tables.look(seat(game, who, side)) as table:
        question = table.asked[0].need_question()
    assert question.placing is not None
    unit = page.locator("[data-row]").first.locator("select, input[list]").first.input_value()
    pale = page.locator(".hexpick .hex-barred").get_attribute("d")
    everywhere = page.locator(".hexpick [data-hex]").count()
    assert pale is not None
    assert pale.count("M") == everywhere - len(question.placing.allowed()[unit])
    # The shading lets the pointer through to the hex below, which says who goes there.
    x, y = page.evaluate(
        "() => { const all = document.querySelector('.hexpick .hex-others'), at = all.getPointAtLength(0),"
        " to = new DOMPoint(at.x, at.y).matrixTransform(all.getScreenCTM()); return [to.x, to.y]; }"
    )
    page.mouse.move(x + 4, y + 4)
    page.wait_for_function("() => /: 4-4-7 .* of I1/.test(document.querySelector('.hexpick [role=status]').innerText)")
    stage = page.locator(".hexpick [data-stage]")
    stage.focus()
    page.keyboard.press("Escape" if page.locator(".hexpick .hex-chosen").count() else "+")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    chips = page.locator(".hexpick .toolbar button.primary")
    page.wait_for_function(
        "() => !document.querySelector('.hexpick').open || document.querySelector('.hexpick .toolbar button.primary')"
    )
    if chips.count():
        chips.first.click()
    page.wait_for_function("() => !document.querySelector('.hexpick').open")
    assert field.input_value() != before
    assert re.fullmatch(r"[A-Z]+[0-9]+(\.\w+)?", field.input_value())
