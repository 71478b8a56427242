"""One keyboard for a campaign in a file: questions one by one, secrets kept.

Both sides can use one keyboard. Each then sees only what it may know, and the screen is cleared before the
other side takes over.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from laager.campaign.facts import may_see
from laager.cli.out import say, say_log, show_sheets
from laager.cli.play.campaign_file import looked_at, news_lines, open_campaign, ruleset_of
from laager.cli.play.file_session import FileSession, answer, requests, sights, take_default
from laager.cli.play.sights import say_against, say_found

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.pending import Pending
    from laager.campaign.views import View
    from laager.cli.play.session import AskedQuestion, ChangeReport

CLEAR = "\033[H\033[2J\033[3J"
"""Clears the terminal and what could be scrolled back to."""


@dataclass
class Keyboard:
    """The reader at the keyboard, and the last entry that each reader has seen.

    `shared`: both sides take turns at it, and neither may read what is for the other;
    `secret`: the screen shows something that only `at` may know.
    """

    session: FileSession
    shared: bool = False
    at: str = ""
    secret: bool = False
    start: int | None = None
    seen: dict[str, int] = field(default_factory=dict)
    reminded: set[str] = field(default_factory=set)

    @property
    def viewer(self) -> str:
        """Who started `laager next`."""
        return self.session.viewer

    def take_defaults(self, number: int) -> ChangeReport:
        """Take some proposals without asking."""

        def take(campaign: Campaign) -> None:
            for _ in range(number):
                mine = self.session.view(campaign).pending
                if not mine:
                    break
                take_default(campaign, mine[0])

        return self.session.apply_change(take)

    def next_asked(self) -> AskedQuestion | None:
        """Show what is new and return the next question; None if nobody can be asked."""
        from laager.campaign.views import view

        if self.start is None:
            self.start = looked_at(self.session.file).version
        with open_campaign(self.session.file) as campaign:
            waited = view(campaign, self.viewer)
            pending = self._choose(waited)
            if pending is None:
                self._hand_over(campaign, self.viewer, secret=False)
                self._tell(campaign, self.viewer)
                status = self.session.status_of(campaign)
                say("", *status.headline, *status.waiting())
                return None
            # What the asked side itself may know, even if the umpire holds the keyboard.
            seen = view(campaign, pending.side)
            sheets = ruleset_of(campaign).sheets_beside(campaign.context, seen.state, pending.key, pending.side)
            reader = pending.side if self.shared else self.viewer
            secret = pending.secret or bool(sheets) or self._has_secrets(campaign, reader)
            self._hand_over(campaign, reader, secret)
            self._tell(campaign, reader)
            say(*requests(campaign, view(campaign, reader)))
            show_sheets(sheets)
            _show_sights(campaign, pending)
            self._remind(campaign, pending)
            return pending

    def answer(self, asked: AskedQuestion, value: Any) -> None:
        """Give an answer; the file is open only for this moment."""
        with open_campaign(self.session.file) as campaign:
            against = [finding for finding in sights(campaign, asked, value) if not finding.followed]
            answer(campaign, asked, value)
            say_against([finding.record() for finding in against])

    def leave(self) -> None:
        """Leave nothing on the screen that only one side may know."""
        if self.secret:
            sys.stdout.write(CLEAR)

    def _choose(self, seen: View) -> Pending | None:
        """Return the next question: the side at the keyboard goes on as long as it can."""
        for pending in seen.pending:
            if pending.side == self.at:
                return pending
        return seen.pending[0] if seen.pending else None

    def _last_seen(self, reader: str) -> int:
        return self.seen.get(reader, self.start or 0)

    def _tell(self, campaign: Campaign, reader: str) -> None:
        """Show a reader what has happened; a side for which nothing in it is secret has seen it too."""
        say_log(news_lines(campaign, self._last_seen(reader), reader))
        for other in campaign.ruleset.sides:
            if self.shared and not self._has_secrets(campaign, other):
                self.seen[other] = campaign.version
        self.seen[reader] = campaign.version

    def _has_secrets(self, campaign: Campaign, reader: str) -> bool:
        """True if the news for a reader hold something that not everybody may know."""
        after = self._last_seen(reader)
        fresh = (entry for entry in campaign.entries if entry.number > after and may_see(entry.to, reader))
        return any(entry.to is not None for entry in fresh)

    def _hand_over(self, campaign: Campaign, to: str, secret: bool) -> None:
        """Clear the screen when its secrets or its reader change, and wait for the next reader."""
        if not self.shared:
            return
        if self.secret and self.at != to:
            # First the present reader sees what followed from the answer.
            self._tell(campaign, self.at)
            _pause("Enter when you have read this; then the screen is cleared > ")
            sys.stdout.write(CLEAR)
            self.secret = False
        if secret and not self.secret:
            sys.stdout.write(CLEAR)
            _pause(f"Hand over to {to.capitalize()}. Enter when nobody else looks > ")
            sys.stdout.write(CLEAR)
            self.secret = True
        self.at = to

    def _remind(self, campaign: Campaign, pending: Pending) -> None:
        """Name the rules to remember now, once in a sitting."""
        from laager.campaign.house.in_campaign import list_reminders

        rules = ruleset_of(campaign)
        moment = rules.moment(pending.step.id)
        if not moment or moment in self.reminded:
            return
        self.reminded.add(moment)
        clauses = list_reminders(campaign.context, rules.package, moment)
        say(*(f"  remember {clause.id} {clause.heading}".rstrip() for clause in clauses))


def _show_sights(campaign: Campaign, pending: Pending) -> None:
    """Say what is found about LOS for the proposal."""
    if pending.question is not None:
        say_found([finding.record() for finding in sights(campaign, pending, pending.question.default)])


def _pause(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stdin.readline()
