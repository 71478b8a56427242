"""Go and play: the battle's own page, from each seat."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from laager.web.campaigns import actions, drafts, tables
from laager.web.models import Game
from laager.web.play.battle.ticks import ticked_boxes
from tests.web.conftest import Desk, People, seat, take_defaults
from tests.web.fielded import fielded
from tests.web.seen import read, sitting, unknown, url

PLAY = ("play", "play-status")


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets", PLAY)


def test_the_table_leads_to_the_battle_and_the_battle_to_all_else(game: Game, people: People) -> None:
    client = people.client(people.anna)
    assert url(game, "axis", "battle") in read(client, url(game, "axis"))
    page = read(client, url(game, "axis", "battle"))
    for rest in ("map", "vasl", "sheets.pdf?id=battle-axis&id=report-axis"):
        assert url(game, "axis", rest) in page
    with tables.look(seat(game, people.anna, "axis")) as table:
        for one in table.asked:
            assert url(game, "axis", f"ask/{one.mark}") in page
    assert client.get(url(game, "axis", "sheets.pdf?id=battle-axis&id=report-axis")).content.startswith(b"%PDF")


def test_the_game_end_dr_is_made_with_one_click(game: Game, people: People) -> None:
    client = people.client(people.anna)
    with tables.look(seat(game, people.anna, "axis")) as table:
        mark, before = table.asked[0].mark, table.campaign.version
    for page in (url(game, "axis", "battle"), url(game, "axis")):
        assert "Make the Game End dr" in read(client, page)
    once = client.post(url(game, "axis", f"ask/{mark}/"), {"do": "give", "view": "proposal"})
    assert once.status_code == 302
    with tables.look(seat(game, people.anna, "axis")) as table:
        told = [one.entry for one in table.view.log if one.entry.number > before]
        answered = next(one.body["value"] for one in told if one.type == "answer")
        wanted = [one.body["label"] for one in told if one.type == "roll"]
        asked = [one.pending.roll.label for one in table.asked if one.pending.roll]
    assert answered["status"] == "roll"
    assert [label for label in wanted + asked if label.startswith("Game End, turn")]


def test_nobody_reads_what_only_the_other_side_knows(game: Game, people: People) -> None:
    for name, user in sitting(game, people).items():
        page = read(people.client(user), url(game, name, "battle"))
        assert not [one for one in unknown(game, user, name) if one in page]
        assert ("The battle: " in page) == (name != "spectator")
        assert page.count("The battle: ") == {"umpire": 2, "spectator": 0}.get(name, 1)


def test_before_the_battle_the_page_says_so(people: People) -> None:
    game = fielded(people, "rzhavets", ("agreements",))
    client = people.client(people.anna)
    assert "No battle is being fought now" in read(client, url(game, "axis", "battle"))
    assert url(game, "axis", "battle") not in read(client, url(game, "axis"))


# The tick list ------------------------------------------------------------------------------------


def boxes(page: str, ticked: bool = False) -> list[str]:
    """Return the boxes of a page's tick list; only those that are ticked."""
    found = re.findall(r'name="tick"\s+value="([^"]+)"\s*(checked)?', page)
    return [value for value, checked in found if checked or not ticked]


def test_ticks_are_kept_for_the_side_and_begin_its_report(game: Game, people: People) -> None:
    anna, bert = people.client(people.anna), people.client(people.bert)
    battle, ticks = url(game, "axis", "battle"), url(game, "axis", "battle/ticks")
    broken, gone = [next(one for one in boxes(read(anna, battle)) if what in one) for what in ("broken", "eliminated")]
    assert anna.post(ticks, {"tick": [broken, gone]}).status_code == 302
    assert boxes(read(anna, battle), ticked=True) == sorted([broken, gone], key=boxes(read(anna, battle)).index)
    assert anna.post(ticks, {"among": broken}).status_code == 204
    assert boxes(read(anna, battle), ticked=True) == [gone]
    assert not boxes(read(bert, url(game, "allied", "battle")), ticked=True)
    assert not boxes(read(people.client(people.cleo), url(game, "umpire", "battle")))
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(both, until="battle-report")
    report = anna.get(url(game, "axis", "report"), follow=True)
    assert list(report.context["board"]["ticks"]) == [gone]
    assert "What you ticked in the battle is entered" in report.content.decode()
    # Another question's draft leaves them alone; the next battle begins without them.
    with tables.look(both[0]) as table:
        mark, value = table.asked[0].mark, table.asked[0].need_question().default
        assert ticked_boxes(table) == (gone,)
    drafts.keep(both[0], mark, value)
    with tables.look(both[0]) as table:
        assert ticked_boxes(table) == (gone,)
    actions.answer(both[0], mark, value)
    with tables.look(both[0]) as table:
        assert not ticked_boxes(table)


def test_only_what_is_on_the_list_can_be_ticked(game: Game, people: People) -> None:
    ticks = url(game, "axis", "battle/ticks")
    theirs = boxes(read(people.client(people.bert), url(game, "allied", "battle")))[0]
    for wrong in (theirs, "AX1:cursed", "\0"):
        assert people.client(people.anna).post(ticks, {"tick": wrong, "among": wrong}).status_code == 404
    assert people.client(people.cleo).post(url(game, "umpire", "battle/ticks"), {}).status_code == 403


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_tick_is_kept_at_once_and_reported(people: People, desk: Callable[..., Desk]) -> None:
    game = fielded(people, "rzhavets", PLAY)
    one = desk(people.anna)
    one.go(url(game, "axis", "battle"))
    one.page.locator("#ticks summary").click()
    gone = one.page.locator('#ticks [value$=":eliminated"]').first
    name = str(gone.get_attribute("value")).partition(":")[0]
    with one.page.expect_response("**/battle/ticks"):
        gone.press("Space")
    found = Axe().run(one.page).response["violations"]
    assert not [fault["id"] for fault in found if fault["impact"] in {"serious", "critical"}]
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="battle-report")
    with one.page.expect_response("**/check"):
        one.go(url(game, "axis", "report"))
    assert one.page.locator(f'[data-changes] .gone[data-unit="{name}"]').count() == 1
    with tables.look(seat(game, people.anna, "axis")) as table:
        kept = drafts.find_draft(table.seat, table.asked[0].mark)
    assert kept is not None
    assert [row["fate"] for row in kept.value["units"] if row["unit"] == name] == ["eliminated"]
