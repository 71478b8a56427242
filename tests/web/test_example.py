"""The example ruleset of the documentation is played on a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from laager.campaign import ruleset
from laager.web.campaigns import actions, tables
from tests.web.conftest import People, seat

COIN = Path(__file__).parents[2] / "docs" / "examples" / "coin"
PAGES = ("", "log", "units", "sheets", "history", "over", "people/", "rules", "forecasts")


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the example where installed packages are, with its entry point."""
    info = tmp_path / "coin_toss-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coin-toss\nVersion: 1.0\n")
    point = "[laager.rulesets]\ncoin = coin_toss.ruleset:RULESET\n"
    (info / "entry_points.txt").write_text(point)
    monkeypatch.syspath_prepend(str(COIN))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    ruleset.find_ruleset.cache_clear()


@pytest.mark.usefixtures("_installed")
def test_the_example_is_played_to_its_end(people: People) -> None:
    card = COIN / "coin_toss" / "cards" / "penny.yaml"
    seats = {"heads": people.anna, "tails": people.bert}
    game = actions.begin(people.anna, card, "coin", seats)
    clients = {name: people.client(user) for name, user in seats.items()}
    both = [seat(game, user, name) for name, user in seats.items()]
    while True:
        for name, client in clients.items():
            for page in PAGES:
                address = f"/campaign/{game.pk}/{name}/{page}"
                assert client.get(address).status_code == 200, address
            no_map = client.get(f"/campaign/{game.pk}/{name}/map")
            assert (no_map.status_code, b"has no map" in no_map.content) == (404, True)
        for one in both:
            with tables.look(one) as table:
                asked = table.asked
            for question in asked:
                page = f"/campaign/{game.pk}/{one.name}/ask/{question.mark}/"
                assert clients[one.name].get(page).status_code == 200, page
                actions.answer(one, question.mark, 1)
        with tables.look(both[0]) as table:
            if table.view.state.over:
                break
    assert "The campaign is over" in clients["heads"].get(f"/campaign/{game.pk}/heads/over").content.decode()
