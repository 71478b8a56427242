"""A campaign in a file, as a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.campaign import UMPIRE
from laager.campaign.table_dice import TableRoll
from laager.cli.ending import WrongUseError
from laager.cli.play.campaign_file import campaign_path, go_on, looked_at, news_lines, open_campaign, ruleset_of
from laager.cli.play.session import (
    AskedQuestion,
    BeginOptions,
    ChangeReport,
    Sitting,
    Status,
    newest_report,
    request_line,
)

if TYPE_CHECKING:
    from laager.base.files import Document
    from laager.campaign import Sheet, SightFound
    from laager.campaign.engine import Campaign
    from laager.campaign.patience import Late, Patience
    from laager.campaign.pending import Pending
    from laager.campaign.views import View
    from laager.cli.play.answers import AnswerEntry
    from laager.cli.play.session import BeginOptions, Seen
    from laager.los.questions.map_los import LosWish
    from laager.sheets.story import Story as StoryDocument


@dataclass(frozen=True)
class FileSession:
    """A campaign in a file (None: the only one in this folder), seen by a side or the umpire (None)."""

    file: Path | None
    side: str | None = None

    @property
    def viewer(self) -> str:
        """Who looks."""
        return self.side or UMPIRE

    def of_one_side(self) -> FileSession:
        """Return this session if it names a side. Raises WrongUseError."""
        if self.side is None:
            raise WrongUseError("say whose report it is: --side SIDE")
        return self

    def about(self) -> tuple[str, str]:
        """Return the campaign's title, and the id of its rule system."""
        campaign = looked_at(self.file)
        return campaign.opening["title"], campaign.ruleset.id

    # Playing

    def begin(self, wanted: BeginOptions) -> tuple[dict[str, Any], Sequence[str]]:
        """Make a campaign file from a card."""
        from laager.cli.play.new_file import make_campaign_file

        if wanted.seat is not None:
            raise WrongUseError("--seat is for campaigns on a server; leave it out")
        campaign, begun, lines = make_campaign_file(wanted)
        return begun | self.change(campaign, 0).describe(), lines

    def sit(self, solo: bool) -> Sitting:
        """Begin to answer questions one by one, at one keyboard."""
        from laager.cli.asking.person import at_terminal
        from laager.cli.play.keyboard import Keyboard

        return Keyboard(self, shared=self.viewer == UMPIRE and at_terminal() and not solo)

    def status(self) -> Status:
        """Return where the campaign stands."""
        return self.status_of(looked_at(self.file))

    def status_of(self, campaign: Campaign) -> Status:
        """Return where an open campaign stands."""
        from laager.campaign.describing import pending_json

        seen = self.view(campaign)
        side = "" if self.viewer == UMPIRE else f" --side {self.viewer}"
        hint = f"go on with: laager next{side}{f' -c {self.file}' if self.file else ''}"
        return Status(
            title=seen.title,
            viewer=seen.viewer,
            version=seen.version,
            headline=ruleset_of(campaign).headline(campaign.context, seen.state),
            requests=tuple(requests(campaign, seen)),
            waiting_for=seen.waiting_for,
            asked=[(pending.side, pending.key, _words(pending)) for pending in seen.pending],
            pending=[pending_json(pending) for pending in seen.pending],
            hint=hint if seen.pending else "",
            orders=_orders(campaign, seen),
        )

    def view(self, campaign: Campaign) -> View:
        """Return what the viewer knows of an open campaign."""
        from laager.campaign.views import view

        return view(campaign, self.viewer)

    def list_asked(self) -> Sequence[AskedQuestion]:
        """Return what the viewer is asked."""
        return self.view(looked_at(self.file)).pending

    def change(self, campaign: Campaign, before: int) -> ChangeReport:
        """Return what has happened since (real) entry `before`."""
        from laager.campaign.telling import log_in_words

        fresh = [
            line for line in log_in_words(campaign, self.view(campaign)) if line.entry.number > before and line.text
        ]
        said = [{"number": line.number, "type": line.entry.type, "text": line.text.strip()} for line in fresh]
        return ChangeReport(self.status_of(campaign), said, partial(news_lines, campaign, before, self.viewer))

    def apply_change(self, change: Callable[[Campaign], Any]) -> ChangeReport:
        """Open the file, change the campaign, and return the result."""
        from laager.campaign.views import check_viewer

        with open_campaign(self.file) as campaign:
            check_viewer(campaign, self.viewer)
            before = campaign.version
            change(campaign)
            go_on(campaign)
            return self.change(campaign, before)

    def _apply_ruling(self, change: Callable[[Campaign], Any]) -> ChangeReport:
        """Change the campaign as `apply_change` does; if a ruling counts then, say what became of what it took away."""
        from laager.campaign.ruling_words import aftermath_lines
        from laager.campaign.rulings import outcome

        remarks: list[str] = []

        def rule(campaign: Campaign) -> None:
            known = campaign.version
            change(campaign)
            campaign.advance()
            if any(entry.type == "ruling" and not entry.body.get("again") for entry in campaign.entries[known:]):
                remarks.extend(aftermath_lines(outcome(campaign, self.viewer)))

        return replace(self.apply_change(rule), remarks=tuple(remarks))

    def answer(self, asked: AskedQuestion, value: Any) -> ChangeReport:
        """Answer a question; None for dice lets Laager roll."""
        return self.apply_change(partial(answer, asked=asked, value=value))

    def give(self, document: Document, entries: Sequence[AnswerEntry]) -> ChangeReport:
        """Give all answers of a file, or none."""
        from laager.cli.play.answers import give_all

        remarks: list[str] = []
        change = self.apply_change(lambda campaign: remarks.extend(give_all(campaign, document, entries, self.side)))
        return replace(change, remarks=tuple(remarks))

    def undo(self, to: int | None, step: bool) -> ChangeReport:
        """Take back, or ask to."""
        from laager.campaign import undo

        def ask(campaign: Campaign) -> None:
            target = undo.step_start(campaign) if step else undo.target(campaign, self.viewer, to)
            undo.ask(campaign, self.viewer, target)

        return self.apply_change(ask)

    def redo(self) -> ChangeReport:
        """Bring back what was last taken back, or ask to."""
        from laager.campaign import undo

        return self.apply_change(lambda campaign: undo.redo(campaign, self.viewer))

    def rename(self, unit: str, name: str) -> ChangeReport:
        """Call one of the side's units by another name; "" takes its name away."""
        from laager.campaign.naming import rename

        return self.apply_change(lambda campaign: rename(campaign, self.viewer, unit, name))

    def consent(self, kind: str, agree: bool) -> ChangeReport:
        """Agree to the other side's "undo", "redo" or "patience", or to a "ruling" that is asked for; or refuse."""
        from laager.campaign import patience, rulings, undo

        consent = {
            "undo": undo.consent,
            "redo": undo.consent_redo,
            "ruling": rulings.consent,
            "patience": patience.consent,
        }[kind]
        return self._apply_ruling(lambda campaign: consent(campaign, self.viewer, agree))

    def patience(self) -> tuple[Patience, tuple[Late, ...]]:
        """Return the terms about time, and who is late."""
        from laager.campaign.patience import late_sides, patience_of
        from laager.campaign.views import check_viewer

        campaign = looked_at(self.file)
        check_viewer(campaign, self.viewer)
        return patience_of(campaign), late_sides(campaign, datetime.now(UTC))

    def propose_patience(self, days: int, then: str) -> ChangeReport:
        """Ask the other side for other terms about time."""
        from laager.campaign.patience import Patience, propose

        return self.apply_change(lambda campaign: propose(campaign, self.viewer, Patience(days, then)))

    def answer_late(self, side: str) -> ChangeReport:
        """Let the sensible commander answer for a side that is late."""
        from laager.campaign.views import check_viewer
        from laager.commanders.lateness import answer_late

        def answer(campaign: Campaign) -> None:
            check_viewer(campaign, side)
            answer_late(campaign, self.viewer, side, datetime.now(UTC))

        return self.apply_change(answer)

    def reopen(self, entry: int | None, why: str) -> ChangeReport:
        """Open an earlier answer again, or ask to; None: the last battle report."""
        from laager.campaign import rulings

        def ask(campaign: Campaign) -> None:
            log = self.view(campaign).log
            answers = ((seen.number, seen.entry.body) for seen in log if seen.counts and seen.entry.type == "answer")
            number = entry or newest_report(answers, self.viewer)
            rulings.propose(campaign, rulings.Ruling(self.viewer, why, reopens=number))

        return self._apply_ruling(ask)

    def answer_as_before(self, onward: bool) -> ChangeReport:
        """Answer as before a ruling what still holds, `onward` in the steps that follow too."""
        from laager.campaign import rulings

        def answer(campaign: Campaign) -> None:
            rulings.answer_as_before(campaign, self.viewer, onward)

        return self.apply_change(answer)

    def preview_ruling(self, document: Document) -> dict[str, Any]:
        """Return what a ruling's file would change: its list before and after, what it leaves contradictory."""
        from laager.rules.board.rulings.proposing import preview_ruling

        return preview_ruling(looked_at(self.file), self.viewer, document)

    def propose_ruling(self, document: Document) -> ChangeReport:
        """Ask the table for the ruling in a file."""
        from laager.rules.board.rulings.proposing import propose_ruling

        return self._apply_ruling(lambda campaign: propose_ruling(campaign, self.viewer, document))

    def ruling_template(self) -> str:
        """Return a ruling's file to fill in, with what holds now."""
        from laager.rules.board.rulings.proposing import check_has_record
        from laager.rules.board.rulings.template import ruling_template

        campaign = looked_at(self.file)
        check_has_record(campaign)
        return ruling_template(campaign, self.viewer)

    def open_ruling(self) -> dict[str, Any] | None:
        """Return the ruling that waits for consent, before and after; None if none does."""
        from laager.rules.board.rulings.proposing import describe_open

        return describe_open(looked_at(self.file), self.viewer)

    def concede(self) -> ChangeReport:
        """Give the campaign up."""
        from laager.campaign import ending

        def concede(campaign: Campaign) -> None:
            self._check_is_side(campaign)
            ending.concede(campaign, ruleset_of(campaign).concession_fact(self.viewer))

        return self.apply_change(concede)

    def draw(self, agree: bool) -> ChangeReport:
        """Propose a draw, agree to one, or refuse it."""
        from laager.campaign import ending
        from laager.campaign.consent import open_request

        def draw(campaign: Campaign) -> None:
            self._check_is_side(campaign)
            if agree and open_request(campaign, "end") is None:
                ending.propose(campaign, self.viewer)
            else:
                ending.answer(campaign, self.viewer, agree, ruleset_of(campaign).concession_fact(None))

        return self.apply_change(draw)

    def settle(self, agree: bool) -> ChangeReport:
        """Let the battle be settled by the model, or refuse it."""
        from laager.campaign.settling import refuse
        from laager.simulation.settling import agree_to_settle

        def settle(campaign: Campaign) -> None:
            if agree:
                agree_to_settle(campaign, self.viewer)
            else:
                refuse(campaign, self.viewer)

        return self.apply_change(settle)

    def _check_is_side(self, campaign: Campaign) -> None:
        if self.viewer not in campaign.ruleset.sides:
            raise RefusedError(Refusal.NOT_YOURS, f"{self.viewer} is not a side", "only a side can end it")

    # Looking

    def log(self, last: int | None) -> list[Any]:
        """Return the log for programs."""
        from laager.campaign.describing import entry_json
        from laager.campaign.telling import log_in_words

        campaign = looked_at(self.file)
        seen = self.view(campaign)
        lines = log_in_words(campaign, seen)
        return [entry_json(line, seen.log) for line in (lines[-last:] if last else lines)]

    def log_lines(self, last: int | None, full: bool) -> list[str]:
        """Return the log in lines; `last` counts only entries that say something."""
        from laager.campaign.telling import lines_of, log_in_words

        campaign = looked_at(self.file)
        spoken = [line for line in log_in_words(campaign, self.view(campaign)) if line.text]
        return lines_of(spoken[-last:] if last else spoken, full)

    def explain(self, number: int) -> Any:
        """Return why an entry happened."""
        from laager.campaign.describing import explain_entry

        campaign = looked_at(self.file)
        return explain_entry(campaign, self.view(campaign), number, ruleset_of(campaign).package)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        """Return record sheets: those named, or all that the rules fill."""
        from laager.sheets import plain

        campaign = looked_at(self.file)
        if names:
            return [sheet for name in names for sheet in plain(campaign, self.viewer, name)]
        return list(ruleset_of(campaign).sheets(campaign.context, self.view(campaign).state))

    def offers(self) -> list[Any]:
        """Return what can be printed."""
        from dataclasses import asdict

        from laager.sheets import catalogue

        return [asdict(offer) for offer in catalogue(looked_at(self.file), self.viewer)]

    def pdf(self, names: Sequence[str], paper: str, language: str) -> bytes:
        """Return a PDF of sheets: those named, or all."""
        from laager.sheets import catalogue, print_pdf

        campaign = looked_at(self.file)
        chosen = list(names) or [offer.id for offer in catalogue(campaign, self.viewer)]
        return print_pdf(campaign, self.viewer, chosen, paper, language)

    def story(self, battle: int | None, language: str) -> Any:
        """Return the report on a battle (0: the last one), or (None) the whole story, as JSON."""
        from laager.sheets.story import describe

        return describe(self._story(battle, language))

    def _story(self, battle: int | None, language: str) -> StoryDocument:
        from laager.sheets.story import after_action, whole_story

        campaign = looked_at(self.file)
        if battle is None:
            return whole_story(campaign, self.viewer, language)
        return after_action(campaign, self.viewer, battle or None, language)

    def story_file(
        self, battle: int | None, format_: str, paper: str, language: str
    ) -> tuple[bytes, Mapping[str, bytes]]:
        """Return the same as a file, and the pictures that go beside it, by name."""
        from laager.sheets.story import write_document

        made = write_document(self._story(battle, language), format_, paper)
        return made.data, made.beside

    def story_result(self, language: str) -> bytes:
        """Return the result of a campaign that is over, as a PNG."""
        from laager.sheets.story import result_picture

        return result_picture(looked_at(self.file), self.viewer, language)()

    def drawing(self, backdrop: bool, boards: Path | None, wish: LosWish | None = None) -> tuple[str, str, Seen]:
        """Return the map as SVG, its title, and what a wish shows on it, as the viewer knows it."""
        from laager.cli.vasl.backdrops import draw, known_boards

        campaign = looked_at(self.file)
        state = self.view(campaign).state
        map_, layers = ruleset_of(campaign).drawing(campaign.context, state)
        if wish is None:
            return *draw(map_, layers, backdrop, boards), None
        from laager.los.questions.map_los import los_knowledge, view_los
        from laager.los.questions.requests import los_engine_of

        side = self.viewer if self.viewer in campaign.ruleset.sides else ""
        shown = view_los(map_, los_engine_of(map_, state, known_boards(map_)), wish, los_knowledge(side, state, layers))
        return *draw(map_, replace(layers, sight=shown.layer), backdrop, boards), shown.describe()

    def export(self) -> Any:
        """Return all that the viewer may know."""
        from laager.campaign.describing import export_view

        campaign = looked_at(self.file)
        return export_view(campaign, self.view(campaign))

    def record(self) -> str:
        """Return the record as a file, with what the viewer may know of it."""
        from laager.campaign.record import write_record

        return write_record(looked_at(self.file), self.viewer)

    def verify(self) -> Any:
        """Return what a proof of the log finds: as it is in the file, without what rules would still add."""
        from laager.campaign.audit import audit
        from laager.campaign.engine import Campaign
        from laager.campaign.log import FileStore

        campaign = Campaign(FileStore(campaign_path(self.file)))
        result = audit(campaign)
        return {
            "sound": result.sound,
            "entries": result.entries,
            "rolls": result.rolls,
            "entered": result.entered,
            "facts": result.facts,
            "head": campaign.store.load().head,
            "findings": [{"entry": f.number, "what": f.what} for f in result.findings],
            "corrected": list(result.corrected),
            "house": list(result.house),
            "readings": list(result.readings),
            "rulings": [ruling.record() for ruling in result.rulings],
            "note": campaign.repaired,
        }


def answer(campaign: Campaign, asked: AskedQuestion, value: Any, dice: Sequence[TableRoll] = ()) -> None:
    """Answer a question of a campaign, with the `dice` of the battle; None for dice lets Laager roll."""
    if value is None and asked.question is None:
        campaign.roll_for(asked.side)
    else:
        campaign.answer(asked.side, asked.key, value, sights=sights(campaign, asked, value), dice=dice)


def sights(campaign: Campaign, asked: AskedQuestion, value: Any) -> Sequence[SightFound]:
    """Return what is found about LOS for an answer, from what its own side sees; nothing if it asks nothing."""
    if asked.question is None or asked.question.sights is None:
        return ()
    from laager.campaign.views import view
    from laager.cli.vasl.backdrops import known_boards
    from laager.los.questions.requests import look_up_los, read_los_request

    wanted = read_los_request(campaign.context, asked.question, value, view(campaign, asked.side).state)
    return look_up_los(wanted and replace(wanted, boards=known_boards(wanted.map)))


def take_default(campaign: Campaign, asked: AskedQuestion) -> None:
    """Answer with the proposal; where players roll, let Laager roll."""
    answer(campaign, asked, asked.question.default if asked.question else None)


def requests(campaign: Campaign, seen: View) -> list[str]:
    """Return what one side wants from the other, and how the other answers."""
    from laager.campaign.describing import wishes

    return [request_line(wish.kind, wish.text, wish.others) for wish in wishes(campaign, seen)]


def _words(pending: Pending) -> str:
    if pending.question is not None:
        return pending.question.text
    return f"roll {pending.roll.dice.value} for {pending.roll.label}" if pending.roll else "roll"


def _orders(campaign: Campaign, seen: View) -> str:
    if not campaign.opening.get("commanders") or campaign.over:
        return ""
    from laager.commanders.seats import orders_of

    return orders_of(seen)
