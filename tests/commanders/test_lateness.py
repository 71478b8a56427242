"""The calendar of patience: who is late counts from what everybody could see, and the log proves what was done then."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from laager.base import RefusedError
from laager.campaign import patience
from laager.campaign.audit import audit
from laager.campaign.describing import wishes
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.log import MemoryStore
from laager.campaign.patience import Patience, late_sides, patience_of
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import view
from laager.commanders.lateness import answer_late
from laager.simulation.plan import CLOCK, read_plan

DAYS = timedelta(days=1)


class Table:
    """A campaign that waits for both sides' purchases, and its clock."""

    def __init__(self, terms: Patience) -> None:
        self.now = CLOCK
        plan = read_plan("rzhavets", axis="chance", allied="chance")
        opening, *rest = plan.opening(1)
        store = MemoryStore()
        store.append([replace(opening, body=opening.body | patience.patience_setting(terms)), *rest])
        self.campaign = Campaign(store, clock=lambda: self.now)
        self.campaign.advance()
        while True:
            asked = self.campaign.pending()
            if [each.key for each in asked] == ["purchases", "purchases"]:
                return
            assert asked[0].question is not None
            self.campaign.answer(asked[0].side, asked[0].key, asked[0].question.default)

    def answer(self, side: str) -> None:
        """Give all that a side is asked as proposed, in secret."""
        step = self.campaign.step
        while (asked := [each for each in self.campaign.pending() if each.side == side]) and self.campaign.step is step:
            assert asked[0].question is not None
            self.campaign.answer(side, asked[0].key, asked[0].question.default)

    def late(self) -> list[tuple[str, datetime]]:
        """Return who is late, and since when."""
        return [(late.side, late.late_since) for late in late_sides(self.campaign, self.now)]

    def faults(self) -> list[str]:
        """Return what the audit finds in the log as it is stored."""
        return [finding.what for finding in audit(Campaign(self.campaign.store)).findings]


def test_without_terms_nobody_is_late() -> None:
    table = Table(Patience())
    table.now += 1000 * DAYS
    assert table.late() == []
    assert "patience" not in table.campaign.opening


def test_who_is_late_counts_from_what_everybody_saw() -> None:
    """Two worlds: one side answers in secret on the sixth day, or not at all; nobody else sees when."""
    seen = []
    for answers in (True, False):
        table = Table(Patience(7, "sensible"))
        begun = table.now
        table.now = begun + 6 * DAYS
        if answers:
            table.answer("axis")
        assert table.late() == []
        table.now = begun + 7 * DAYS
        sides = ["allied"] if answers else ["axis", "allied"]
        assert table.late() == [(side, begun + 7 * DAYS) for side in sides]
        # Who is waited for is on every table; the times are the same in both worlds.
        assert list(view(table.campaign, SPECTATOR).waiting_for) == sides
        seen.append(late_sides(table.campaign, table.now)[-1])
    assert seen[0] == seen[1]


def test_requests_of_the_sides_do_not_start_the_time_anew() -> None:
    from laager.campaign import ending

    table = Table(Patience(7))
    table.now += 6 * DAYS
    ending.propose(table.campaign, "axis")
    table.now += DAYS
    assert [side for side, _ in table.late()] == ["axis", "allied"]


@pytest.mark.parametrize(("then", "may"), [("remind", ()), ("umpire", (UMPIRE,)), ("sensible", ("allied", UMPIRE))])
def test_only_who_may_by_the_terms_lets_the_commander_answer(then: str, may: tuple[str, ...]) -> None:
    for by in ("axis", "allied", UMPIRE, SPECTATOR):
        table = Table(Patience(7, then))
        table.answer("allied")
        table.now += 7 * DAYS - timedelta(seconds=1)
        with pytest.raises(RefusedError):
            answer_late(table.campaign, by, "axis", table.now)
        table.now += timedelta(seconds=1)
        before = len(table.campaign.entries)
        if by not in may:
            with pytest.raises(RefusedError):
                answer_late(table.campaign, by, "axis", table.now)
            assert len(table.campaign.entries) == before
            continue
        assert answer_late(table.campaign, by, "axis", table.now).answers > 0
        late, answer = table.campaign.entries[before : before + 2]
        assert (late.type, late.body["by"], late.body["side"]) == ("late", by, "axis")
        assert (answer.type, answer.body["side"]) == ("answer", "axis")
        assert late.body["since"] == table.now.isoformat(timespec="seconds")
        assert table.faults() == []
        assert "axis" not in [each.side for each in table.campaign.pending() if each.key == "purchases"]


def test_the_other_side_learns_nothing_of_a_secret_answer() -> None:
    table = Table(Patience(7, "sensible"))
    table.now += 7 * DAYS
    answer_late(table.campaign, "allied", "axis", table.now)
    told = [entry.entry.type for entry in view(table.campaign, "allied").log[-2:]]
    assert "late" in told
    assert not any(entry.entry.type == "answer" and entry.entry.body["key"] == "purchases"
                   for entry in view(table.campaign, "allied").log)  # fmt: skip
    told_lines = lines_of(log_in_words(table.campaign, view(table.campaign, "allied")), full=True)
    [line] = [line for line in told_lines if "late;" in line]
    assert "the sensible commander answers" in line


def test_nobody_is_answered_for_who_is_not_late() -> None:
    table = Table(Patience(7, "sensible"))
    table.answer("axis")
    table.now += 8 * DAYS
    with pytest.raises(RefusedError, match="isn't late"):
        answer_late(table.campaign, "allied", "axis", table.now)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"by": "axis"}, "the terms didn't allow"),
        ({"by": "spectator"}, "the terms didn't allow"),
        ({"at": CLOCK.isoformat()}, "wasn't late"),
    ],
)
def test_the_audit_finds_what_the_terms_do_not_allow(change: dict[str, str], what: str) -> None:
    table = Table(Patience(7, "umpire"))
    table.answer("allied")
    table.now += 7 * DAYS
    answer_late(table.campaign, UMPIRE, "axis", table.now)
    at = change.get("at")
    entries = [
        replace(entry, at=at or entry.at, body=entry.body | ({} if at else change)) if entry.type == "late" else entry
        for entry in table.campaign.entries
    ]
    faults = list(patience.check_patience_entries(entries, table.campaign.ruleset.sides))
    assert len(faults) == 1
    assert what in faults[0][1]


# Changing the terms -------------------------------------------------------------------------------


def test_terms_change_when_both_sides_agree() -> None:
    table = Table(Patience(7))
    patience.propose(table.campaign, "axis", Patience(3, "sensible"))
    assert patience_of(table.campaign) == Patience(7)
    [wish] = wishes(table.campaign, view(table.campaign, "allied"))
    assert (wish.kind, wish.by) == ("patience", "axis")
    assert "3 days for a move" in wish.text
    with pytest.raises(RefusedError, match="the other side must agree"):
        patience.consent(table.campaign, "axis", True)
    patience.consent(table.campaign, "allied", True)
    assert patience_of(table.campaign) == patience_of(Campaign(table.campaign.store)) == Patience(3, "sensible")
    assert not list(wishes(table.campaign, view(table.campaign, "allied")))
    assert table.faults() == []
    words = [line.text for line in log_in_words(table.campaign, view(table.campaign, "axis"))]
    assert any("from now on: 3 days for a move" in line for line in words)
    german = [line.text for line in log_in_words(table.campaign, view(table.campaign, "axis"), "de")]
    assert any("3 Tage" in line for line in german)


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_refused_or_withdrawn_terms_change_nothing(side: str) -> None:
    table = Table(Patience(7))
    patience.propose(table.campaign, "axis", Patience())
    patience.consent(table.campaign, side, False)
    assert patience_of(table.campaign) == Patience(7)
    assert not list(wishes(table.campaign, view(table.campaign, "allied")))
    patience.propose(table.campaign, "allied", Patience(9))
    assert table.faults() == []


def test_the_audit_finds_terms_without_consent() -> None:
    table = Table(Patience(7))
    table.campaign.record("patience", {"by": "axis", "days": 1, "then": "sensible"})
    assert table.faults() == ["not both sides agreed to these terms"]
    table = Table(Patience(7))
    patience.propose(table.campaign, "axis", Patience(6))
    table.campaign.record("patience", {"by": "allied", "days": 1, "then": "sensible"})
    assert table.faults() == ["not both sides agreed to these terms"]


@pytest.mark.parametrize("terms", [Patience(-1), Patience(366), Patience(7, "shout")])
def test_what_cannot_be_agreed_on_is_refused(terms: Patience) -> None:
    table = Table(Patience(7))
    with pytest.raises(RefusedError):
        patience.propose(table.campaign, "axis", terms)
    with pytest.raises(RefusedError):
        patience.patience_setting(terms)
    with pytest.raises(RefusedError):
        patience.propose(table.campaign, UMPIRE, Patience(3))
