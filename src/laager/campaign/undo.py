"""Taking back: with the other side's consent once anything has followed from an answer, and never the same dice again.

A side asks, the other agrees or refuses; the umpire may take back alone. What was taken back stays
in the log, marked, and can be brought back in the same way until something new happens that
everybody can see. Where both sides act in secret and apart, a side goes back in its own lane and
leaves the other's alone. Going back to just before a ruling takes the ruling back: what it took away
is restored as it was. A side's own view alone decides if it can ask: a refusal must not tell
what the other side does in secret.
"""

from __future__ import annotations

from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign.consent import check_asker, check_consent, open_request, record_refusal
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, Side, may_see
from laager.campaign.sentences import side_name
from laager.campaign.views import find, view

FIRST = 2
"""Nothing is taken back to before this entry: the opening and the sealed seed stand for good."""


def last_input(campaign: Campaign, by: Side = UMPIRE) -> int:
    """Return the number of a side's last answer or entered roll that counts, or of a ruling since.

    What only came again after a ruling is not a new answer. The umpire's is the last of either side. Raises
    RefusedError if nothing can be taken back.
    """
    for entry in reversed(campaign.history.counted):
        if entry.body.get("again"):
            continue
        given = entry.type == "roll" and entry.body["source"] == "entered"
        if entry.type == "ruling" or ((given or entry.type == "answer") and by in (UMPIRE, entry.body["side"])):
            return entry.number
    raise RefusedError(Refusal.NO_SUCH, "nothing has been answered yet that could be taken back")


def step_start(campaign: Campaign) -> int:
    """Return the number of the entry before the step that is under way (or was last done)."""
    for entry in reversed(campaign.history.counted):
        if entry.type == "step":
            return entry.number - 1
    raise RefusedError(Refusal.NO_SUCH, "no step has begun yet")


def target(campaign: Campaign, by: Side, to: int | None = None) -> int:
    """Return to where a side goes back (for `ask`): just after an entry of its own log.

    `to` is the side's own number of it; None stands for the entry before its own last answer. What
    goes begins with the next entry that the side can see: what others did in secret before that
    stays. Raises RefusedError, in the same words whatever others have done in secret.
    """
    check_asker(campaign, by)
    _check_goes_on(campaign)
    if to is None:
        return last_input(campaign, by) - 1
    seen_by = view(campaign, by)
    if find(seen_by, to).number > 1:
        for seen in seen_by.log[to:]:
            if seen.counts and seen.entry.number > FIRST:
                return seen.entry.number - 1
    raise RefusedError(
        Refusal.NO_SUCH, f"there is nothing to take back to at {to}", "choose an entry of your log before the last"
    )


def ask(campaign: Campaign, by: Side, to: int) -> bool:
    """Ask to go back to just after entry `to`; return True if it needed nobody's consent and is done.

    The umpire needs none, nor does a side from whose answers nothing has followed (`own_answers`).
    """
    check_asker(campaign, by)
    _check_goes_on(campaign)
    if not FIRST <= to < campaign.history.counted[-1].number:
        raise RefusedError(Refusal.NO_SUCH, f"there is nothing to take back to at {to}")
    body = {**_before_ruling(campaign, to), "by": by}
    if by == UMPIRE:
        campaign.record("undo", {**body, "agreed": []})
        return True
    _check_free(campaign, by)
    # What a ruling changed was agreed by others: nobody takes it back alone.
    alone = {} if "restores" in body else own_answers(campaign, by, to)
    if alone:
        campaign.record("undo", {**body, **alone, "agreed": []})
        return True
    campaign.record("undo-asked", {**body, **own_lane(campaign, by, to)})
    return False


def is_last_answer_free(campaign: Campaign, by: Side) -> bool:
    """True if a side can take its last answer back without consent."""
    try:
        to = last_input(campaign, by) - 1
    except RefusedError:
        return False
    return bool(own_answers(campaign, by, to))


def _before_ruling(campaign: Campaign, to: int) -> dict[str, Any]:
    """Return where going back to entry `to` goes: if a ruling is what would go first, to where the ruling began."""
    first = next(iter(campaign.history.going(to)), None)
    replaced = campaign.history.replaced.get(first.number) if first is not None else None
    return {"to": to} if replaced is None else {"to": replaced.to, "restores": True}


def own_answers(campaign: Campaign, by: Side, to: int) -> dict[str, str]:
    """Return how a side takes its own last answers back without consent, as a body has it; nothing where it needs it.

    It may while nothing has followed from them: they are still sealed (the question waits for others too), or only
    the side itself has seen what followed, in a lane of its own, and no dice were rolled. What the other side has
    answered meanwhile stays.
    """
    last = next((e for e in reversed(campaign.history.counted) if e.type == "answer" and e.body["side"] == by), None)
    if last is None or last.number <= to:
        return {}
    lane = campaign.lanes.get(last.lane)
    mine = campaign.history.going(to, last.lane, by)
    if lane is not None and all((by, entry.body["key"]) in lane.answers for entry in mine):
        visible = (entry for entry in campaign.history.going(to) if may_see(entry.to, by))
        if all(entry in mine for entry in visible):
            return {"lane": last.lane, "side": by} if last.lane else {"side": by}
    apart = own_lane(campaign, by, to)
    rolled = any(entry.type == "roll" for entry in campaign.history.going(to, by))
    return apart if apart and not rolled else {}


def own_lane(campaign: Campaign, by: Side, to: int) -> dict[str, str]:
    """Return the lane to which going back to entry `to` is confined, as a body has it; nothing for all of the table.

    It is the side's own, in a step whose lanes don't look at each other, as long as nothing that
    would go has been shown to anybody else.
    """
    step = campaign.step
    if step is None or not step.apart or to <= step_start(campaign):
        return {}
    gone = campaign.history.going(to, by)
    return {"lane": by} if gone and all(entry.to == (by,) for entry in gone) else {}


def consent(campaign: Campaign, side: Side, agree: bool) -> None:
    """Answer the other side's request; one's own can be withdrawn by refusing it.

    Raises RefusedError if no request is open.
    """
    request = check_consent(campaign, "undo", side, "to take anything back", agree=agree)
    if not agree:
        record_refusal(campaign, "undo", request, side)
        return
    body = {name: request.body[name] for name in ("to", "by", "lane", "restores") if name in request.body}
    campaign.record("undo", body | {"agreed": [side]})


def redo(campaign: Campaign, by: Side) -> None:
    """Ask to bring back what the last undo took. The umpire needs nobody's consent.

    What was done in secret since the undo is given up for it. Raises RefusedError once something
    new has happened that everybody can see.
    """
    check_asker(campaign, by)
    if not campaign.history.set_aside:
        raise RefusedError(Refusal.NO_SUCH, "nothing was taken back since the last answer")
    if by == UMPIRE:
        campaign.record("redo", {"by": by, "agreed": []})
        return
    _check_free(campaign, by)
    campaign.record("redo-asked", {"by": by})


def consent_redo(campaign: Campaign, side: Side, agree: bool) -> None:
    """Answer the other side's request to bring back; one's own can be withdrawn by refusing it.

    Raises RefusedError if no request is open.
    """
    request = check_consent(campaign, "redo", side, "to bring anything back", agree=agree)
    if not agree:
        record_refusal(campaign, "redo", request, side)
        return
    campaign.record("redo", {"by": request.body["by"], "agreed": [side]})


def _check_goes_on(campaign: Campaign) -> None:
    if campaign.over:
        raise RefusedError(
            Refusal.OVER, "the campaign is over and its dice are shown", "nothing can be taken back any more"
        )


def _check_free(campaign: Campaign, by: Side) -> None:
    """Raise RefusedError while a request waits: what is agreed to must not change meanwhile."""
    for kind in ("undo", "redo"):
        request = open_request(campaign, kind)
        if request is None:
            continue
        wanted = "to take back" if kind == "undo" else "to bring back what was taken back"
        if request.body["by"] == by:
            sentence = f"you have asked {wanted}; the other side must answer, or withdraw it first"
        else:
            sentence = f"{side_name(request.body['by'])} has asked {wanted}; answer that first"
        raise RefusedError(Refusal.NEEDS_CONSENT, sentence)
