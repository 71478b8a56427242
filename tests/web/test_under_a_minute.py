"""The map of a slip that was noticed a firefight later is put right in both seats in under a minute.

Every click and keystroke is counted. Nothing else changes: not the sheets, not the map, not what is asked, and the log
only grows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from laager import sheets as paper
from laager.sheets.csv import csv_of
from laager.web.campaigns.tables import look
from tests.web.conftest import seat
from tests.web.test_reopening_browser import play_until_second_report

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, Desk, People

WHY = "it stood in the next hex"
A_CLICK_S, A_KEY_S, A_THOUGHT_S = 1.1, 0.28, 1.35
"""How long practised people need to point and click, to press a key, and to make up their mind before a click."""
A_MINUTE_S = 60


@dataclass
class Hand:
    """Clicks and types for somebody, and counts both."""

    clicks: int = 0
    keys: int = 0
    done: list[str] = field(default_factory=list)

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def write(self, target: Locator, text: str) -> None:
        """Replace what a field holds: a click that selects it, and a key for each letter."""
        target.click(click_count=3)
        target.press_sequentially(text)
        self.clicks += 1
        self.keys += len(text)

    @property
    def seconds(self) -> float:
        return self.clicks * (A_CLICK_S + A_THOUGHT_S) + self.keys * A_KEY_S


def all_of(one: Seat) -> dict[str, Any]:
    """Return all that a seat sees: its sheets line by line, the map, what is asked of whom, the log."""
    with look(one) as table:
        viewer, campaign = table.view.viewer, table.campaign
        drawn = table.ruleset.drawing(campaign.context, table.view.state)[1]
        forms = [offer for offer in paper.catalogue(campaign, viewer, "en") if offer.id not in ("diary", "rulings")]
        return {
            "sheets": {form.id: csv_of(paper.plain(campaign, viewer, form.id)).splitlines() for form in forms
                       if "csv" in form.kinds},
            "map": sorted(map(repr, (*drawn.units, *drawn.forts))),
            "asked": [(asked.pending.side, asked.pending.key) for asked in table.asked],
            "waiting": list(table.view.waiting_for),
            "units": dict(table.view.state.units),
            "log": [(seen.number, seen.entry.type, repr(seen.entry.body)) for seen in table.view.log],
        }  # fmt: skip


@pytest.mark.browser
def test_a_slip_on_the_map_is_put_right_in_under_a_minute(
    people: People, begin: Begin, desk: Callable[..., Desk]
) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    play_until_second_report([axis, allied])
    before = {one.name: all_of(one) for one in (axis, allied)}
    units = {**before["axis"]["units"], **before["allied"]["units"]}
    laden = {unit.with_unit for unit in units.values()}
    squad = next(
        unit for unit in units.values()
        if unit.known and unit.on_map and unit.kind == "squad" and unit.id not in laden
    )  # fmt: skip
    mine, theirs = (axis, allied) if squad.side == "axis" else (allied, axis)
    with look(mine) as table:
        to = min(set(table.ruleset.drawing(table.campaign.context, table.view.state)[0].neighbours(squad.hex)))
    players = {"axis": people.anna, "allied": people.bert}
    anna, bert, hand = desk(players[mine.name]), desk(players[theirs.name]), Hand()
    anna.go(f"/campaign/{game.pk}/{mine.name}/ruling/")
    anna.page.locator("[data-stage].drawn").wait_for()
    hand.write(anna.page.get_by_label("Find hex"), str(squad.hex))
    hand.click(anna.page.get_by_role("button", name="Show", exact=True))
    panel = anna.page.locator("[data-panel]")
    hand.click(panel.locator(f"#line-units-{squad.id} > summary"))
    form = panel.locator("form", has=anna.page.locator(f'input[name="key"][value="{squad.id}"]'))
    hand.write(form.get_by_label("Location"), to)
    hand.click(form.get_by_role("button", name="Change it"))
    changes = anna.page.locator("#changes")
    hand.write(changes.get_by_label("Your reason"), WHY)
    hand.click(changes.get_by_role("button", name="Ask the others"))
    anna.page.get_by_text("It counts when the others agree.").first.wait_for()
    bert.go(f"/campaign/{game.pk}/{theirs.name}/")
    hand.click(bert.page.locator("section", has_text=WHY).first.get_by_role("button", name="Agree"))
    bert.page.get_by_text("The ruling counts.").wait_for()
    assert (hand.clicks, hand.keys) <= (8, 40)
    assert hand.seconds < A_MINUTE_S, hand
    for one in (axis, allied):
        was, now = before[one.name], all_of(one)
        assert now["units"] == {**was["units"], squad.id: was["units"][squad.id].but(at=to)}
        assert (now["asked"], now["waiting"]) == (was["asked"], was["waiting"])
        moved = [mark for mark in (*was["map"], *now["map"]) if (mark in was["map"]) != (mark in now["map"])]
        assert all(squad.hex in mark or to in mark for mark in moved), moved
        for name, lines in was["sheets"].items():
            changed = [
                line for line in (*lines, *now["sheets"][name]) if (line in lines) != (line in now["sheets"][name])
            ]
            assert all(squad.id in line or squad.hex in line or to in line for line in changed), (name, changed)
        assert now["log"][: len(was["log"])] == was["log"]
        assert {kind for _, kind, _ in now["log"][len(was["log"]) :]} <= {
            "ruling-asked", "undo", "ruling", "ruled", "step", "roll", "answer", "fact",
        }  # fmt: skip
