"""Taking back, bringing back, ending before time."""

from __future__ import annotations

from pathlib import Path

from laager.base import Refusal, RefusedError
from laager.cli.out import say
from laager.cli.table import opened, ruleset_of, waiting


def undo(
    campaign_file: Path | None,
    side: str | None,
    to: int | None,
    step: bool,
    agree: bool,
    refuse: bool,
) -> None:
    """Take back, or ask to, or answer the other side's wish to."""
    from laager.campaign import undo as back
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import find, view

    by = side or UMPIRE
    with opened(campaign_file) as campaign:
        if agree or refuse:
            back.consent(campaign, by, agree and not refuse)
        else:
            if to is not None:
                target = find(view(campaign, by), to).entry.number
            elif step:
                target = back.step_start(campaign)
            else:
                target = back.last_input(campaign) - 1
            back.ask(campaign, by, target)
        asked = back.asked(campaign)
        campaign.advance()
        if asked is not None:
            say(
                f"{by} asks to take back; the other side answers with: laager undo --agree --side …"
            )
        say(*waiting(view(campaign, by)))


def redo(campaign_file: Path | None, side: str | None) -> None:
    """Bring back what was last taken back."""
    from laager.campaign import undo as back
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    by = side or UMPIRE
    with opened(campaign_file) as campaign:
        back.redo(campaign, by)
        campaign.advance()
        say(*waiting(view(campaign, by)))


def end(
    campaign_file: Path | None, side: str | None, concede: bool, draw: bool, refuse: bool
) -> None:
    """Concede; or propose, agree to, or refuse a draw."""
    from laager.campaign import ending
    from laager.campaign.consent import open_request
    from laager.campaign.views import check_viewer, view

    if side is None:
        raise RefusedError(Refusal.NOT_YOURS, "say who ends it: --side SIDE")
    if concede + draw + refuse != 1:
        raise RefusedError(Refusal.BAD_ANSWER, "choose one of --concede, --draw, --refuse")
    with opened(campaign_file) as campaign:
        check_viewer(campaign, side)
        rules = ruleset_of(campaign)
        if concede:
            ending.concede(campaign, rules.conceded(side))
        elif refuse or open_request(campaign, "end") is not None:
            ending.answer(campaign, side, draw, rules.conceded(None))
        else:
            ending.propose(campaign, side)
            say("a draw is proposed; the other side answers with: laager end --draw --side …")
        say(*rules.headline(campaign.context, view(campaign, side).state))
