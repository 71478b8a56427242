"""`laager next`: asking whoever must answer, one question after the other.

One keyboard may serve both sides: then each sees only what it may know, and the screen is cleared
before it is handed over.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign.facts import UMPIRE, may_see
from laager.cli.asking.person import STOP, ask_faces, ask_person, at_terminal
from laager.cli.out import complain, say, say_log, show_json, show_sheets
from laager.cli.play.campaign_file import looked_at, news, opened, outcome, requests, ruleset_of, viewer_of, waiting

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign, Pending
    from laager.campaign.log import Entry
    from laager.campaign.views import View

CLEAR = "\033[H\033[2J\033[3J"
"""Clears the terminal and what could be scrolled back to."""


@dataclass
class Sitting:
    """Who sits at the keyboard, and up to which entry each has been told what happened.

    `shared`: both sides take turns at it, and neither may read what was written for the other;
    `secret`: the screen holds something that only `at` may know.
    """

    viewer: str
    start: int
    shared: bool = False
    at: str = ""
    secret: bool = False
    told: dict[str, int] = field(default_factory=dict)
    reminded: set[str] = field(default_factory=set)

    def reader(self, side: str) -> str:
        """Return through whose eyes the campaign is shown while a side is asked."""
        return side if self.shared else self.viewer

    def fresh(self, campaign: Campaign, reader: str) -> list[Entry]:
        """Return the entries that a reader may know and has not been told yet."""
        after = self.told.get(reader, self.start)
        return [entry for entry in campaign.entries if entry.number > after and may_see(entry.to, reader)]


def go_on(campaign_file: Path | None, side: str | None, defaults: int, solo: bool, as_json: bool) -> None:
    """Ask whoever must answer, one question at a time; the file is free while people think."""
    viewer = viewer_of(side)
    if defaults or as_json:
        _take_defaults(campaign_file, viewer, defaults, as_json)
    if as_json:
        return
    start = looked_at(campaign_file).version
    sitting = Sitting(viewer, start, shared=viewer == UMPIRE and at_terminal() and not solo)
    try:
        while (pending := _next_asked(campaign_file, sitting)) is not None:
            if not _answered(campaign_file, pending):
                _leave(sitting)
                say("stopped; go on with laager next")
                return
    except KeyboardInterrupt:
        _leave(sitting)
        raise


def _take_defaults(campaign_file: Path | None, viewer: str, number: int, as_json: bool) -> None:
    """Take so many proposals, and tell what came of them."""
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        before = campaign.version
        for _ in range(number):
            mine = view(campaign, viewer).pending
            if not mine:
                break
            take_default(campaign, mine[0])
        if as_json:
            show_json(outcome(campaign, viewer, before))
        else:
            say_log(news(campaign, before, viewer))


def take_default(campaign: Campaign, pending: Pending) -> None:
    """Answer with the proposal; let Laager roll where players were to."""
    if pending.question is None:
        campaign.roll_for(pending.side)
    else:
        campaign.answer(pending.side, pending.key, pending.question.default)


def _next_asked(campaign_file: Path | None, sitting: Sitting) -> Pending | None:
    """Show what is new and what is asked next; None if nobody can be asked."""
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        waited = view(campaign, sitting.viewer)
        pending = _chosen(sitting, waited)
        if pending is None:
            _hand_over(campaign, sitting, sitting.viewer, secret=False)
            _tell(campaign, sitting, sitting.viewer)
            _nobody_asked(campaign, waited)
            return None
        # What the asked side itself may know, also when the umpire holds the keyboard.
        seen_by = view(campaign, pending.side)
        sheets = ruleset_of(campaign).beside(campaign.context, seen_by.state, pending.key, pending.side)
        reader = sitting.reader(pending.side)
        secret = pending.secret or bool(sheets) or _secrets(campaign, sitting, reader)
        _hand_over(campaign, sitting, reader, secret)
        _tell(campaign, sitting, reader)
        say(*requests(campaign, view(campaign, reader)))
        show_sheets(sheets)
        _remind(campaign, sitting, pending)
        return pending


def _chosen(sitting: Sitting, seen_by: View) -> Pending | None:
    """Return what is asked next; who holds the keyboard goes on as long as he can."""
    for pending in seen_by.pending:
        if pending.side == sitting.at:
            return pending
    return seen_by.pending[0] if seen_by.pending else None


def _tell(campaign: Campaign, sitting: Sitting, reader: str) -> None:
    """Tell a reader what has happened; who has no secret in it was told as well."""
    say_log(news(campaign, sitting.told.get(reader, sitting.start), reader))
    for other in campaign.ruleset.sides:
        if sitting.shared and not _secrets(campaign, sitting, other):
            sitting.told[other] = campaign.version
    sitting.told[reader] = campaign.version


def _secrets(campaign: Campaign, sitting: Sitting, reader: str) -> bool:
    """Whether a reader is to be told something that not everybody may know."""
    return any(entry.to is not None for entry in sitting.fresh(campaign, reader))


def _nobody_asked(campaign: Campaign, seen_by: View) -> None:
    say("", *ruleset_of(campaign).headline(campaign.context, seen_by.state))
    say(*waiting(campaign, seen_by))


def _hand_over(campaign: Campaign, sitting: Sitting, to: str, secret: bool) -> None:
    """Clear the screen when its secrets or its reader change, and wait for the next reader."""
    if not sitting.shared:
        return
    if sitting.secret and sitting.at != to:
        # First its reader learns what came of the answer.
        _tell(campaign, sitting, sitting.at)
        _pause("Enter when you have read this; then the screen is cleared > ")
        sys.stdout.write(CLEAR)
        sitting.secret = False
    if secret and not sitting.secret:
        sys.stdout.write(CLEAR)
        _pause(f"Hand over to {to.capitalize()}. Enter when nobody else looks > ")
        sys.stdout.write(CLEAR)
        sitting.secret = True
    sitting.at = to


def _leave(sitting: Sitting) -> None:
    """Leave nothing on the screen that only one side may know."""
    if sitting.secret:
        sys.stdout.write(CLEAR)


def _pause(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stdin.readline()


def _remind(campaign: Campaign, sitting: Sitting, pending: Pending) -> None:
    """Name the rules to remember now, once in a sitting."""
    from laager.campaign import RulesIndex

    rules = ruleset_of(campaign)
    moment = rules.moment(pending.step.id)
    if not moment or moment in sitting.reminded:
        return
    sitting.reminded.add(moment)
    clauses = RulesIndex.load_packaged(rules.package).reminders(moment)
    say(*(f"  remember {clause.id} {clause.heading}".rstrip() for clause in clauses))


def _answered(campaign_file: Path | None, pending: Pending) -> bool:
    """Ask a person and give the answer; False if they stopped. The file is open only to write."""
    value: Any
    if pending.question is not None:
        value = ask_person(pending.question)
    else:
        assert pending.roll is not None
        value = ask_faces(pending.side, pending.roll)
    if value is STOP:
        return False
    with opened(campaign_file) as campaign:
        try:
            if value is None and pending.question is None:
                campaign.roll_for(pending.side)
            else:
                campaign.answer(pending.side, pending.key, value)
        except DataError as err:
            # The campaign went on elsewhere meanwhile; what is asked now is asked anew.
            complain("That will not do any more:", [str(problem) for problem in err.problems])
    return True
