"""The example commander of the documentation, installed as a package of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import laager
from laager.campaign.views import view
from laager.commanders import commander_names, load_commander
from laager.commanders.seats import orders_of

STEADY = Path(__file__).parents[2] / "docs" / "examples" / "commander"


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the example where installed packages are, with its entry point."""
    info = tmp_path / "steady_commander-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: steady-commander\nVersion: 1.0\n")
    points = (STEADY / "pyproject.toml").read_text()
    assert 'steady = "steady.commander:Steady"' in points
    (info / "entry_points.txt").write_text("[laager.commanders]\nsteady = steady.commander:Steady\n")
    monkeypatch.syspath_prepend(str(STEADY))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("card", ["training", "sorgiva"])
def test_the_example_holds_a_seat_and_never_attacks_by_choice(card: str) -> None:
    assert "steady" in commander_names()
    referee = laager.new(card, seed=bytes(32), commanders={"allied": "steady"})
    while referee.pending:
        if orders := orders_of(view(referee._campaign, "allied")):
            assert orders.startswith("Hold. All ") or referee.over
        referee.answer(referee.pending[0].side, referee.pending[0].key)
    assert referee.over
    values = [entry.body for entry in referee._campaign.entries if entry.type == "answer"]
    own = [body for body in values if body["side"] == "allied"]
    assert not any(body["key"] == "purchases" and body["value"].get("attack") for body in own)
    assert not any(body["key"] == "chit" and body["value"] == "attack" for body in own)
    assert referee.verify().sound


def test_it_is_not_there_without_being_installed() -> None:
    assert "steady" not in commander_names()
    with pytest.raises(laager.RefusedError, match="there is no commander 'steady'"):
        load_commander("steady")
