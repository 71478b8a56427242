"""LOS on the map of a campaign from the boards' terrain data: for who has the boards, as VASL decides it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from laager.los.exact import keeping, readiness
from laager.los.exact.compiled import has_numba
from laager.los.questions import board_engine
from laager.web.campaigns import actions, los
from laager.web.shared import processes
from tests.cli.conftest import laager
from tests.los.boards import BOARDS, ORACLE, needs_boards, needs_oracle, rows_of
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft
from tests.vasl.test_report_command import PL, numbered
from tests.web.conftest import People

if TYPE_CHECKING:
    from pathlib import Path

    from laager.web.models import Game
    from tests.cli.conftest import Laager

__all__ = ["laager"]

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(not has_numba(), reason="Numba isn't installed")]


@pytest.fixture(autouse=True)
def compiled() -> None:
    readiness.compile_now()
    board_engine.forget()
    los.LAST_LOOKS.clear()


def begun(laager: Laager, people: People, board: Path, number: str) -> Game:
    """Begin a campaign on the map of a board."""
    laager.well("vasl", "import", board, "-o", laager.folder / "walkthrough-map.yaml")
    text = numbered((PL / "walkthrough.yaml").read_text("utf-8"))
    card = laager.folder / "card.yaml"
    card.write_text(text.replace('"20', f'"{number}').replace("-20", f"-{number}"), "utf-8")
    return actions.begin(people.anna, card, "pl", {"axis": people.anna, "allied": people.bert})


@pytest.fixture
def game(laager: Laager, people: People) -> Game:
    """A campaign on a board of our own, which only one of the players has."""
    draft = Draft("20", columns=14, rows=10)
    draft.fill("D5", w.WOODS)
    draft.fill("D7", w.GRAIN)
    draft.box("F5", w.STONE_2, 20)
    draft.write(laager.folder)
    data = (laager.folder / "bd20").read_bytes()
    people.anna.boards.create(name="bd20", sha256=hashlib.sha256(data).hexdigest(), size=len(data), data=data)
    return begun(laager, people, laager.folder / "bd20", "20")


Asked = Callable[..., Any]


def asking(people: People, game: Game, side: str) -> Asked:
    client = people.client(people.anna if side == "axis" else people.bert)

    def ask(**wish: str) -> Any:
        return client.get(f"/campaign/{game.pk}/{side}/map/sight?{urlencode(wish | {'format': 'json'})}").json()

    return ask


def test_who_has_the_board_gets_what_vasl_says(game: Game, people: People) -> None:
    mine, theirs = asking(people, game, "axis"), asking(people, game, "allied")
    seen = mine(see="from", spot="20D3")
    assert (seen["approximate"], seen["engine"], list(seen["boards"])) == (False, "VASL 1", ["bd20"])
    assert "20D8" in seen["hexes"]["blocked"]
    assert theirs(see="from", spot="20D3")["approximate"]
    line = mine(see="line", spot="20D3", other="20D6")["sight"]
    assert (line["clear"], line["rule"], line["block"]["hex"]) == (False, "A6.2", "20D5")
    assert mine(see="line", spot="20B6", other="20F8")["sight"]["hindrances"] == [{"hex": "20D7", "drm": 1}]


def test_the_process_is_sent_a_board_once_and_only_for_who_has_it(
    game: Game, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = asking(people, game, "axis"), asking(people, game, "allied")
    processes.SIGHT.close()
    sent: list[Any] = []
    real = processes.SIGHT.do

    def noted(who: int, job: Any, *args: Any) -> Any:
        sent.append(args[-1] if args[-1] is None else sorted(args[-1]))
        return real(who, job, *args)

    monkeypatch.setattr(processes.SIGHT, "do", noted)
    for spot in ("20D3", "20D4"):
        assert not mine(see="from", spot=spot)["approximate"]
        assert theirs(see="from", spot=spot)["approximate"]
    # The map isn't there, then its boards aren't, then both are; afterwards a mark does for the map.
    assert sent == [[], [], ["bd20"], None, [], None]


def test_what_is_seen_while_the_engine_is_compiled_is_looked_at_again(
    game: Game, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = asking(people, game, "axis")
    real, lasts = processes.SIGHT.do, iter((False, True))
    asked: list[int] = []

    def compiling(who: int, job: Any, *args: Any) -> Any:
        seen, _ = real(who, job, *args[:-1], None)
        asked.append(who)
        return seen, next(lasts)

    monkeypatch.setattr(processes.SIGHT, "do", compiling)
    for _ in range(3):
        assert mine(see="from", spot="20D3")["approximate"]
    assert len(asked) == 2


def test_the_table_of_all_pairs_is_made_after_a_look_by_who_has_the_board(
    game: Game, people: People, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In this process, as the one for LOS does it."""
    folder = tmp_path / "tables"
    folder.mkdir()
    monkeypatch.setattr(readiness, "cache_folder", lambda: folder)
    monkeypatch.setattr(processes.SIGHT, "do", lambda who, job, *args: job(*args))
    mine, theirs = asking(people, game, "axis"), asking(people, game, "allied")
    looks = ({"see": "from", "spot": "20D3"}, {"see": "hull", "spot": "20F5.2"}, {"see": "to", "spot": "20D3"})
    rough = [theirs(**look) for look in looks]
    keeping.wait_for_tables()
    assert not list(folder.iterdir()), "who hasn't got the board makes no table"
    exact = [mine(**look) for look in looks]
    keeping.wait_for_tables()
    assert list(folder.glob("*-0.lospairs"))
    los.LAST_LOOKS.clear()
    assert [mine(**look) for look in looks] == exact
    assert [theirs(**look) for look in looks] == rough


def test_dead_ground_by_level_and_from_both_ends(game: Game, people: People) -> None:
    mine = asking(people, game, "axis")
    hull = mine(see="hull", spot="20D3")
    assert hull["labels"]["20D6"] == "↑2"
    assert {"20D6"} <= set(hull["hexes"]["upper"])
    for level, kind in (("0", "blocked"), ("1", "blocked"), ("2", "clear")):
        assert "20D6" in mine(see="from", spot="20D3", level=level)["hexes"][kind]
    forth = mine(see="from", spot="20F5.2", level="0")["hexes"]
    back = mine(see="to", spot="20F5.2")["hexes"]
    assert set(forth["blocked"]) == set(back["blocked"])


@needs_boards
@needs_oracle
def test_on_a_real_board_the_page_says_what_vasl_says(laager: Laager, people: People, settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"boards": str(BOARDS)})
    ask = asking(people, begun(laager, people, BOARDS / "bd01", "1"), "axis")
    rows = [row for row in rows_of(ORACLE / "los" / "bd01.csv") if ":" not in row["source"] + row["target"]]
    views: dict[str, Any] = {}
    for row in rows[:8] + [row for row in rows if row["blocked"] == "0"][:8]:
        source, target = f"1{row['source']}", f"1{row['target']}"
        line = ask(see="line", spot=source, other=target)["sight"]
        assert line["clear"] is (row["blocked"] == "0"), row
        assert line["hindrance"] == int(row["hindrance"])
        assert not line["approximate"]
        if source not in views:
            views[source] = ask(see="from", spot=source, level="0")["hexes"]
        view = views[source]
        kind = "blocked" if row["blocked"] == "1" else "hindered" if row["hindrance"] != "0" else "clear"
        assert target == source or target in view[kind], row
