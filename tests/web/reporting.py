"""What tests of battle reports share: who reports, what is asked, and the battle as a save of VASL."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse

from laager.web.campaigns import tables
from laager.web.campaigns.tables import Asked
from laager.web.models import Game
from laager.web.play.battle import saves
from tests.vasl import board_writer
from tests.vasl.battle_saves import as_recorded
from tests.web.conftest import Desk, People, seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIDES = ("axis", "allied")


def player(people: People, side: str) -> Any:
    return people.client(people.anna if side == "axis" else people.bert)


def asked(game: Game, people: People, side: str) -> Asked:
    with tables.look(seat(game, people.anna if side == "axis" else people.bert, side)) as table:
        return saves.reports_of(table)[0]


def proposal(one: Asked) -> dict[str, Any]:
    """Return the report that the question proposes."""
    assert one.pending.question is not None
    return dict(one.pending.question.default)


def url(game: Game, side: str, mark: str, rest: str = "") -> str:
    return f"/campaign/{game.pk}/{side}/report/{mark}/{rest}"


def board_of(answer: HttpResponse) -> dict[str, Any]:
    """Return what the page gives its script to work with."""
    text = answer.content.decode()
    found = re.search(r'<script id="report-board" type="application/json">(.*?)</script>', text)
    assert found is not None
    made: dict[str, Any] = json.loads(found[1])
    return made


def state_of(game: Game, people: People) -> Any:
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        return table.view.state


def saved(game: Game, people: People) -> Any:
    """Return the battle as counters: every unit where the record has it."""
    return as_recorded(state_of(game, people).units.values(), "RZ", 20)


def doubtful(game: Game, people: People) -> bytes:
    """Return the save of a battle with a squad in it that is in nobody's record."""
    battle = saved(game, people)
    battle.put("B9", battle.counter("8-3-8 Esq", code="ge"), pile=9)
    data: bytes = battle.save()
    return data


def serve_boards(folder: Path, settings: Any) -> Path:
    """Let a folder be that of the server's boards: one as large as the campaign's map."""
    board_writer.Draft("RZ", columns=33, rows=20).write(folder)
    settings.CONFIG = settings.CONFIG.model_copy(update={"boards": str(folder)})
    return folder


def click_hex(one: Desk, name: str) -> None:
    """Bring a hex into sight and click its middle."""
    one.page.evaluate("(name) => document.querySelector('[data-report]').page.view.show(name)", name)
    place = one.page.evaluate(
        """(name) => { const view = document.querySelector('[data-report]').page.view;
        view.stage.scrollIntoView({block: "center"});
        const box = view.hexes.get(name).target.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }""",
        name,
    )
    one.page.mouse.click(*place)


def drop(page: Page, on: str, data: bytes) -> None:
    """Drop a save onto an element of a page."""
    page.evaluate(
        """([on, bytes]) => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "evening.vsav"));
        const zone = document.querySelector(on), happens = {dataTransfer: data, cancelable: true, bubbles: true};
        zone.dispatchEvent(new DragEvent("dragover", happens));
        zone.dispatchEvent(new DragEvent("drop", happens)); }""",
        [on, list(data)],
    )
