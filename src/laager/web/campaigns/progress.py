"""What is seen at the table: the course of the round, what is new, what must be done, the time.

All of it is made of what the seat may know.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from django.utils import timezone

from laager.campaign import Sheet, Step, YesNo
from laager.campaign.rolls import rolled_of
from laager.campaign.telling import FOLD_FROM, SHOWN_OF_FOLDED, Told
from laager.dice import Rolled
from laager.rules.board.report import REPORT_KEYS
from laager.rules.board.sheets.battle import KEY as BATTLE
from laager.web.campaigns import drafts
from laager.web.campaigns.tables import Asked, Table
from laager.web.models import Draft, Member, Role
from laager.web.shared.visitors import zone_of

ALONE = frozenset({"setup", *REPORT_KEYS})
"""The keys of questions that have a page of their own."""

# Where we are ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Due:
    """A step of the round as it stands: done, now, or still to come."""

    step: Step
    done: bool
    now: bool


@dataclass(frozen=True)
class CurrentRound:
    """The round that is under way."""

    title: str
    steps: tuple[Due, ...]

    @property
    def number(self) -> int:
        """The number of the step that is under way."""
        return next((i for i, due in enumerate(self.steps, 1) if due.now), len(self.steps))


def current_round(table: Table) -> CurrentRound:
    """Return the steps of the round, as far as the viewer knows."""
    ruleset_course = table.ruleset.course(table.view.state)
    due = [step.id for step in ruleset_course.steps if step.id not in ruleset_course.done]
    began = _began_last(table)
    # A step that was added in an earlier place while another was under way comes after that one.
    now = began if began in due else due[0] if due else ""
    steps = tuple(Due(step, step.id in ruleset_course.done, step.id == now) for step in ruleset_course.steps)
    return CurrentRound(ruleset_course.title, steps)


def title_under_way(table: Table) -> str:
    """Return the title of the step that began last, as the seat's own log tells it; "" before the first."""
    step = table.campaign.ruleset.steps.get(_began_last(table))
    return step.title if step else ""


def _began_last(table: Table) -> str:
    """Return the id of the step that began last, as the seat's own log tells it; "" before the first."""
    began = (seen.entry.body["step"] for seen in reversed(table.view.log) if seen.entry.type == "step" and seen.counts)
    return next(began, "")


# What must be done -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Todo:
    """A question or roll that waits for this seat, and the draft of an answer if there is one."""

    asked: Asked
    draft: Draft | None
    page: str = "ask"
    """The name of the page on which it is answered: a report and a setup begin on the map."""

    @property
    def text(self) -> str:
        """What is wanted, in words."""
        pending = self.asked.pending
        if pending.question is not None:
            return pending.question.text
        assert pending.roll is not None
        return f"{pending.roll.dice} – {pending.roll.label}"

    @property
    def at_a_click(self) -> bool:
        """True if it leaves nothing to decide, is a plain yes or no, or names its proposal: one click answers it."""
        question = self.asked.pending.question
        if question is None or question.sights is not None or self.page != "ask":
            return False
        if question.empty or question.shortcut:
            return True
        return isinstance(question.form, YesNo) and not question.warning(question.default)

    @property
    def rule(self) -> str:
        """The rule by which it is asked."""
        pending = self.asked.pending
        wanted = pending.question or pending.roll
        return (wanted.rule if wanted else "") or pending.step.clause


def todo(table: Table) -> list[Todo]:
    """Return what waits for this seat; for the umpire, for all."""
    mine = drafts.of_side(table.seat)
    return [
        Todo(asked, drafts.find_draft(table.seat, asked.mark), _page_of(asked) if mine else "ask")
        for asked in table.asked
    ]


def _page_of(asked: Asked) -> str:
    """Return the name of the page on which a side answers: what happens on the map begins there."""
    question = asked.pending.question
    if asked.pending.key in REPORT_KEYS:
        return "report"
    on_map = question is not None and question.placing is not None and question.placing.placed is not None
    return "setup" if on_map else "ask"


def on_one_page(table: Table) -> list[Asked]:
    """Return the questions of this seat's own side that are answered together on one page; none if there is only one.

    A purchase, a setup and a report have pages of their own, and so has what asks about LOS.
    """
    questions = [
        asked
        for asked in table.asked
        if (question := asked.pending.question) is not None
        and asked.pending.side == table.seat.viewer
        and question.totals is None
        and question.sights is None
        and asked.pending.key not in ALONE
    ]
    return questions if len(questions) > 1 else []


def is_fighting(table: Table) -> bool:
    """True if a battle is being fought of which the seat knows a side's secrets."""
    context, state, beside = table.campaign.context, table.view.state, table.ruleset.sheets_beside
    shown = (sheet for side in table.ruleset.sides for sheet in beside(context, state, BATTLE, side))
    return any(sheet.id == "battle-standing" for sheet in shown)


# What is new -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewsItem:
    """A line of the news: a step's heading, a roll with its dice, or what else is told.

    `more` are further lines like it, folded beneath.
    """

    told: Told
    roll: Rolled | None = None
    label: str = ""
    rule: str = ""
    more: tuple[Told, ...] = ()
    sheet: Sheet | None = None
    """What was bought, a line for each group; the log of it is beneath."""

    @property
    def heading(self) -> bool:
        """True if it is a heading: a step, or a word of the campaign itself."""
        return self.told.text.startswith("── ")

    @property
    def text(self) -> str:
        """The line without the marks of the plain log."""
        return self.told.text.strip().removeprefix("── ")


def news_since(table: Table, since: int | None, most: int) -> list[NewsItem]:
    """Return what was told after an entry (the viewer's number); without one, the last lines."""
    spoken = [line for line in table.log if line.text]
    if since is None:
        return [_item(line) for line in _with_content(spoken[-most:])]
    fresh = list(_with_content([line for line in spoken if line.number > since]))
    items: list[NewsItem] = []
    for bought, run in groupby(fresh, key=_in_purchase(table)):
        lines = list(run)
        sheet = _purchase_sheet(table, lines) if bought else None
        items += [NewsItem(lines[0], more=tuple(lines), sheet=sheet)] if sheet else _fold_lines(lines)
    return items


BUYING = "buying"
"""The id of the step in which groups are bought, in every system that has groups, and `PURCHASES` of their sheet."""
PURCHASES = "purchases"


def _in_purchase(table: Table) -> Callable[[Told], bool]:
    """Return what says if a line was told while groups were bought."""
    began = [(seen.number, seen.entry.body["step"]) for seen in table.view.log if seen.entry.type == "step"]
    numbers = [number for number, _ in began]

    def within(line: Told) -> bool:
        at = bisect_right(numbers, line.number) - 1
        return at >= 0 and began[at][1] == BUYING and line.entry.type not in {"step", "done"}

    return within


def _purchase_sheet(table: Table, lines: Sequence[Told]) -> Sheet | None:
    """Return the lines of the purchase record for the groups that some lines tell of, without empty columns."""
    facts = [line.entry.body["fact"] for line in lines if line.entry.type == "fact"]
    ids = {group for fact in facts if isinstance(group := fact.get("group"), str)}
    ids |= {str(group["id"]) for fact in facts if isinstance(group := fact.get("group"), dict) and "id" in group}
    context, state = table.campaign.context, table.view.state
    for sheet in table.ruleset.sheets(context, state):
        rows = [row for row in sheet.rows if ids & set(row)] if sheet.id == PURCHASES else []
        if rows:
            used = [i for i in range(len(sheet.columns)) if any(row[i] for row in rows)]
            return replace(
                sheet,
                columns=tuple(sheet.columns[i] for i in used),
                rows=tuple(tuple(row[i] for i in used) for row in rows),
            )
    return None


def _fold_lines(lines: Sequence[Told]) -> Iterator[NewsItem]:
    """Fold long runs of lines under one rule."""
    for _like, run in groupby(lines, key=lambda line: line.like):
        alike = list(run)
        if len(alike) < FOLD_FROM:
            yield from map(_item, alike)
            continue
        yield from map(_item, alike[:SHOWN_OF_FOLDED])
        yield NewsItem(alike[SHOWN_OF_FOLDED], more=tuple(alike[SHOWN_OF_FOLDED:]))


def _with_content(lines: Sequence[Told]) -> Iterator[Told]:
    """Leave out the headings of steps under which nothing is told, except the last."""
    for i, line in enumerate(lines):
        follows = lines[i + 1] if i + 1 < len(lines) else None
        if line.entry.type == "step" and follows is not None and follows.entry.type == "step":
            continue
        yield line


def _item(line: Told) -> NewsItem:
    if line.entry.type != "roll":
        return NewsItem(line)
    body = line.entry.body
    return NewsItem(line, rolled_of(line.entry), f"{line.who or body['side']}: {body['label']}", body["rule"])


# The time ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    """What time it is for a side's players."""

    side: str
    zone: str
    now: datetime


def clocks(table: Table) -> list[Clock]:
    """Return the time of each side's players, one for each zone; none if nobody but the reader plays."""
    members = Member.objects.select_related("user").filter(game=table.seat.game, role=Role.PLAYER)
    if {member.user_id for member in members} <= {table.seat.user.pk}:
        return []
    zones = {(member.side, str(zone_of(member.user.time_zone))) for member in members}
    order = list(table.ruleset.sides)
    now = timezone.now()
    return [
        Clock(side, zone, now.astimezone(zone_of(zone)))
        for side, zone in sorted(zones, key=lambda pair: (order.index(pair[0]), pair[1]))
    ]
