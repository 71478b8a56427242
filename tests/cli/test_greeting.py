"""`laager` typed alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from laager.cli import greeting
from laager.cli.asking import menus, person
from laager.cli.asking.menus import BackError

from .conftest import Laager


def test_alone_in_a_pipe_it_says_what_it_is_and_the_ways_in(laager: Laager) -> None:
    told = laager.well()
    assert "Advanced Squad Leader" in told
    assert "laager serve" in told
    assert "laager new training" in told


def test_a_campaign_in_the_folder_comes_first(laager: Laager) -> None:
    laager.well("new", "training")
    lines = [line for line in laager.well().splitlines() if line.startswith("  laager")]
    assert " ".join(lines[0].split()) == "laager next -c training.laager --solo Go on with training.laager"
    assert not any("new training" in line for line in lines)


def chosen(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...] | None) -> None:
    def select(label: str, options: Sequence[tuple[Any, str]], default: Any = None, back: str = "") -> Any:
        if words is None:
            raise BackError
        assert words in [value for value, _ in options]
        return words

    monkeypatch.setattr(greeting, "at_terminal", lambda: True)
    monkeypatch.setattr(menus, "select", select)


def test_at_a_terminal_the_training_campaign_begins_and_asks(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(monkeypatch, greeting.LEARN)
    told = laager.well(stdin="q\n")
    assert "$ laager new training" in told
    assert "Hint: Optional rules count only if both sides tick them." in " ".join(told.split())
    assert (laager.folder / "training.laager").exists()


def test_nothing_now_does_nothing(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(monkeypatch, None)
    laager.well()
    assert list(laager.folder.glob("*")) == []


def test_a_campaign_is_chosen_from_the_table(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    def select(label: str, options: Sequence[tuple[Any, str]], default: Any = None, back: str = "") -> Any:
        values = [value for value, _ in options]
        return greeting.CHOOSE if greeting.CHOOSE in values else "sorgiva"

    for module in (greeting, person):
        monkeypatch.setattr(module, "at_terminal", lambda: True)
    monkeypatch.setattr(menus, "select", select)
    told = laager.well()
    assert "$ laager new" in told
    assert "Eastern" in told
    assert (laager.folder / "sorgiva.laager").exists()


def test_who_chooses_nothing_begins_nothing(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "at_terminal", lambda: True)

    def select(label: str, options: Sequence[tuple[Any, str]], default: Any = None, back: str = "") -> Any:
        assert "training" in [value for value, _ in options]
        raise BackError

    monkeypatch.setattr(menus, "select", select)
    laager.well("new")
    assert list(laager.folder.glob("*")) == []
