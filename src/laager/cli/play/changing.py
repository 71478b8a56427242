"""Taking back, bringing back, ending before time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.campaign.telling import side_name
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_log, show_json
from laager.cli.play.campaign_file import hint, news, opened, outcome, ruleset_of, viewer_of, waiting

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign


def undo(
    campaign_file: Path | None, side: str | None, to: int | None, step: bool, agree: bool, refuse: bool, as_json: bool
) -> None:
    """Take back, or ask to, or answer the other side's wish to."""
    from laager.campaign import undo as back

    check_undo(to, step, agree, refuse)
    by = viewer_of(side)
    with opened(campaign_file) as campaign:
        before = campaign.version
        _check_side(campaign, by)
        if agree or refuse:
            back.consent(campaign, by, agree)
        else:
            _ask_back(campaign, by, to, step)
        campaign.advance()
        if back.asked(campaign) is not None and not as_json:
            say(f"{side_name(by)} asks to take back; the other side answers with: laager undo --agree --side …")
        _tell(campaign, campaign_file, by, before, as_json)


def check_undo(to: int | None, step: bool, agree: bool, refuse: bool) -> None:
    """Raise WrongUseError if options of `undo` do not go together."""
    if sum((to is not None, step, agree, refuse)) > 1:
        raise WrongUseError("choose one of --to, --step, --agree, --refuse")


def _ask_back(campaign: Campaign, by: str, to: int | None, step: bool) -> None:
    from laager.campaign import undo as back

    back.ask(campaign, by, back.step_start(campaign) if step else back.target(campaign, by, to))


def _check_side(campaign: Campaign, by: str) -> None:
    from laager.campaign.views import check_viewer

    check_viewer(campaign, by)


def _tell(campaign: Campaign, campaign_file: Path | None, viewer: str, before: int, as_json: bool) -> None:
    from laager.campaign.views import view

    if as_json:
        show_json(outcome(campaign, viewer, before))
        return
    seen_by = view(campaign, viewer)
    say_log(news(campaign, before, viewer))
    say("", *waiting(campaign, seen_by))
    todo = hint(seen_by, campaign_file)
    if todo:
        say(todo)


def redo(campaign_file: Path | None, side: str | None, agree: bool, refuse: bool, as_json: bool) -> None:
    """Bring back what was last taken back, or ask to, or answer the other side's wish to."""
    from laager.campaign import undo as back

    check_redo(agree, refuse)
    by = viewer_of(side)
    with opened(campaign_file) as campaign:
        before = campaign.version
        _check_side(campaign, by)
        if agree or refuse:
            back.consent_redo(campaign, by, agree)
        else:
            back.redo(campaign, by)
        campaign.advance()
        _tell(campaign, campaign_file, by, before, as_json)


def check_redo(agree: bool, refuse: bool) -> None:
    """Raise WrongUseError if options of `redo` do not go together."""
    if agree and refuse:
        raise WrongUseError("choose one of --agree, --refuse")


def end(campaign_file: Path | None, side: str | None, concede: bool, draw: bool, refuse: bool, as_json: bool) -> None:
    """Concede; or propose, agree to, or refuse a draw."""
    from laager.campaign import ending
    from laager.campaign.consent import open_request
    from laager.campaign.views import view

    side = check_end(side, concede, draw, refuse)
    with opened(campaign_file) as campaign:
        before = campaign.version
        _check_side(campaign, side)
        if side not in campaign.ruleset.sides:
            raise RefusedError(Refusal.NOT_YOURS, f"{side} is no side", "only a side can end it")
        rules = ruleset_of(campaign)
        if concede:
            ending.concede(campaign, rules.conceded(side))
        elif refuse or open_request(campaign, "end") is not None:
            ending.answer(campaign, side, draw, rules.conceded(None))
        else:
            ending.propose(campaign, side)
            if not as_json:
                say("a draw is proposed; the other side answers with: laager end --draw --side …")
        if as_json:
            show_json(outcome(campaign, side, before))
            return
        say(*rules.headline(campaign.context, view(campaign, side).state))


def check_end(side: str | None, concede: bool, draw: bool, refuse: bool) -> str:
    """Return the side that ends a campaign. Raises WrongUseError if options do not fit."""
    if side is None:
        raise WrongUseError("say who ends it: --side SIDE")
    if concede + draw + refuse != 1:
        raise WrongUseError("choose one of --concede, --draw, --refuse")
    return side
