"""`laager patience`: terms about time go by consent, and who is late is said and answered for."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from laager.campaign import recorded
from laager.cli.play import file_session

if TYPE_CHECKING:
    from .conftest import Laager

BEGUN = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)


class Clock(datetime):
    """What stands for `datetime` where the present time is asked for."""

    at = BEGUN

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        """Return the time of the test."""
        return cls.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> type[Clock]:
    monkeypatch.setattr(Clock, "at", BEGUN)
    monkeypatch.setattr(recorded, "datetime", Clock)
    monkeypatch.setattr(file_session, "datetime", Clock)
    return Clock


@pytest.fixture
def campaign(laager: Laager, clock: type[Clock]) -> Laager:
    laager.well("new", "rzhavets", "--file", "rzhavets.laager")
    return laager


def test_terms_go_by_consent(campaign: Laager) -> None:
    assert campaign.well("patience") == "as much time for a move as it takes\n"
    asked = campaign.well("patience", "--days", "7", "--then", "sensible", "--side", "axis")
    assert "allied answers with: laager patience --agree --side allied (or --refuse)" in asked
    assert campaign("patience", "--agree", "--side", "axis").code == 1
    assert "refuse other terms about time" in campaign.well("patience", "--refuse", "--side", "allied")
    campaign.well("patience", "--days", "7", "--then", "sensible", "--side", "axis")
    assert "from now on: 7 days for a move" in campaign.well("patience", "--agree", "--side", "allied")
    terms = "7 days for a move, then the other side can let the sensible commander answer\n"
    assert campaign.well("patience", "--side", "allied") == terms
    assert json.loads(campaign.well("patience", "--json")) == {"days": 7, "then": "sensible", "late": []}


def test_terms_can_be_set_when_a_campaign_begins(laager: Laager, clock: type[Clock]) -> None:
    terms = "7 days for a move, then the umpire can let the sensible commander answer"
    begun = laager.well("new", "training", "--days", "7", "--then", "umpire", "-f", "a.laager")
    assert f"time: {terms}\n" in begun
    clock.at = BEGUN + timedelta(days=7)
    assert laager.well("patience", "-c", "a.laager").startswith(f"{terms}\naxis is late since")
    assert f"; {terms}\n" in laager.well("log", "-c", "a.laager")
    assert "time:" not in laager.well("new", "training", "-f", "b.laager")
    assert laager.well("patience", "-c", "b.laager") == "as much time for a move as it takes\n"


def test_a_copy_keeps_the_terms_unless_others_are_wanted(laager: Laager, clock: type[Clock]) -> None:
    laager.well("new", "training", "--days", "7", "-f", "a.laager")
    for words, days in (((), 7), (("--days", "3"), 3), (("--days", "0"), 0)):
        laager.well("new", "--from", "a.laager", "-f", f"b{days}.laager", *words)
        assert json.loads(laager.well("patience", "-c", f"b{days}.laager", "--json"))["days"] == days


def test_who_is_late_is_said_and_the_commander_answers(campaign: Laager, clock: type[Clock]) -> None:
    campaign.well("patience", "--days", "2", "--then", "sensible", "--side", "axis")
    campaign.well("patience", "--agree", "--side", "allied")
    late = json.loads(campaign.well("status", "--json"))["waiting_for"]
    other = {"axis": "allied", "allied": "axis"}[late[0]]
    clock.at = BEGUN + timedelta(days=2, seconds=-1)
    early = campaign("patience", "--answer-for", late[0], "--side", other)
    assert (early.code, "this side isn't late" in early.err) == (1, True)
    clock.at = BEGUN + timedelta(days=2)
    assert f"{late[0]} is late since 2026-05-03 19:30 UTC" in campaign.well("patience", "--side", other)
    assert json.loads(campaign.well("patience", "--json"))["late"][0] == {
        "side": late[0],
        "waited_since": "2026-05-01T19:30:00+00:00",
        "late_since": "2026-05-03T19:30:00+00:00",
    }
    assert "late; the sensible commander answers" in campaign.well("patience", "--answer-for", late[0], "--side", other)
    assert json.loads(campaign.well("verify", "--json"))["sound"]
