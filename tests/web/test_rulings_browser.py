"""A slip is put right in two browsers: picked on the map, listed before and after, asked for, agreed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns.tables import look
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Begin, Desk, People


@pytest.mark.browser
def test_a_slip_is_put_right_in_both_browsers(people: People, begin: Begin, desk: Callable[..., Desk]) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    assert take_defaults([axis, allied], until="battle-report")
    with look(axis) as table:
        units = {unit.id: unit for unit in table.view.state.units.values()}
        slipped = next(unit for unit in units.values() if unit.on_map and unit.kind == "squad" and unit.side == "axis")
        neighbour = min(set(table.ruleset.drawing(table.campaign.context, table.view.state)[0].neighbours(slipped.hex)))
    anna, bert = desk(people.anna), desk(people.bert)
    anna.go(f"/campaign/{game.pk}/axis/changing/")
    anna.page.get_by_role("link", name="Put the record right").click()
    anna.page.locator("[data-stage].drawn").wait_for()
    # Picked as on any map: by its name, or with a click.
    anna.page.get_by_label("Find hex").fill(str(slipped.hex))
    anna.page.get_by_role("button", name="Show", exact=True).click()
    panel = anna.page.locator("[data-panel]")
    own = anna.page.locator(f'input[name="key"][value="{slipped.id}"]')
    panel.locator("details", has=own).last.locator("summary").first.click()
    form = panel.locator("form", has=anna.page.locator(f'input[name="key"][value="{slipped.id}"]'))
    form.get_by_label("Location").fill(neighbour)
    form.get_by_role("button", name="Change it").click()
    changes = anna.page.locator("#changes")
    changes.get_by_text(f"in: {slipped.at} → {neighbour}").first.wait_for()
    changes.get_by_label("Your reason").fill("the squad stood one hex further")
    changes.get_by_role("button", name="Ask the others").click()
    anna.page.get_by_text("It counts when the others agree.").first.wait_for()
    bert.go(f"/campaign/{game.pk}/allied/")
    asked = bert.page.locator("section", has_text="the squad stood one hex further").first
    asked.get_by_text("secret record").wait_for()
    assert slipped.id not in asked.inner_text()
    asked.get_by_role("button", name="Agree").click()
    bert.page.get_by_text("The ruling counts.").wait_for()
    with look(axis) as table:
        after = dict(table.view.state.units)
    load = {unit.id for unit in units.values() if unit.with_unit == slipped.id}
    assert {key for key in after if after[key] != units[key]} == {slipped.id, *load}
    assert after[slipped.id].at == neighbour
