"""A unit forgotten in a battle report is put right in two browsers a firefight later, and nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns import actions
from laager.web.campaigns.tables import look
from tests.web.conftest import seat
from tests.web.reporting import click_hex

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, Desk, People

WHY = "the squad was lost, and we forgot it"


def play_until_second_report(seats: list[Seat]) -> None:
    """Nobody buys groups, the Axis attack, the rest is as proposed; the second battle is to be reported by the Axis.

    So the CP are there to attack with, and squads stand on the map for all to see.
    """
    reports = 0
    while True:
        for one in seats:
            with look(one) as table:
                asked = table.asked[:1]
            if asked:
                break
        question = asked[0].need_question()
        reports += question.key == "battle-report" and one.name == "axis"
        if reports == 2:
            return
        value = question.default
        if question.key == "purchases":
            value = {**value, "groups": []}
        if isinstance(value, dict) and "attack" in value:
            value = {**value, "attack": one.name == "axis"}
        actions.answer(one, asked[0].mark, value)


@pytest.mark.browser
def test_a_slip_noticed_later_is_put_right_in_both_browsers(
    people: People, begin: Begin, desk: Callable[..., Desk]
) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    play_until_second_report([axis, allied])
    with look(axis) as table:
        before = dict(table.view.state.units)
        asked = [each.pending.key for each in table.asked]
        laden = {unit.with_unit for unit in before.values()}
        of_side = (unit for unit in before.values() if unit.side == "axis" and unit.on_map and unit.kind == "squad")
        report = next(seen for seen in table.view.log if seen.entry.body.get("key") == "battle-report")
        rows = {row["unit"]: row for row in report.entry.body["value"]["units"]}
        laden |= {row["with"] for row in rows.values()}
        squad = next(unit for unit in of_side if unit.id not in laden and unit.id in rows)
        where = rows[squad.id]["at"]
    anna, bert = desk(people.anna), desk(people.bert)
    anna.go(f"/campaign/{game.pk}/axis/log")
    anna.page.get_by_role("link", name="I forgot something in my battle report").click()
    anna.page.get_by_label("What was forgotten, and why").fill(WHY)
    anna.page.get_by_role("button", name="Ask to open it again").click()
    bert.go(f"/campaign/{game.pk}/allied/")
    bert.page.locator("section", has_text=WHY).first.get_by_role("button", name="Agree").click()
    bert.page.get_by_text("The ruling counts.").wait_for()
    anna.go(f"/campaign/{game.pk}/axis/")
    anna.page.get_by_role("link", name="Report on the map").click()
    anna.page.locator("[data-stage].drawn").wait_for()
    click_hex(anna, where)
    anna.page.locator(f'.report-there [data-keep="eliminated-{squad.id}"]').click()
    anna.page.get_by_role("button", name="Submit the report").click()
    anna.page.get_by_text("After the ruling").wait_for()
    anna.page.get_by_role("button", name="As before, and onward").click()
    anna.page.get_by_text("You answered as before.").wait_for()
    # The squad had been set up again for the second battle: that is asked anew, with all others where they stood.
    give_what_is_left(axis)
    with look(axis) as table:
        after = dict(table.view.state.units)
        assert [each.pending.key for each in table.asked] == asked
        assert not after[squad.id].in_play
        assert {name: after[name] for name in before if name != squad.id} == {
            name: unit for name, unit in before.items() if name != squad.id
        }


def give_what_is_left(one: Seat) -> None:
    """Take the proposal where an old answer doesn't hold, and go on as before."""
    while True:
        with look(one) as table:
            open_ = [each for each in table.asked if each.pending.former is not None]
        if not open_:
            return
        question = open_[0].need_question()
        actions.answer(one, open_[0].mark, question.default)
