"""The part of `make demo` about Design Your Own: a purchase, a Roster, its check, a suggestion.

What both sides buy, and their dice, are in an answers file; the suggestion is for the same terms.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from laager.base.files import check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.cli.answers import AnswersFile, give_all
from laager.cli.out import say, show_sheets
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.plan.suggest import suggest
from laager.rules.design_your_own.plan.wishes import PieceWish, SquadWish, Wishes
from laager.rules.design_your_own.sheets.prospects import sheets

TERMS = "vistula"
WISHES = Wishes(
    squads=(SquadWish(count=12, at_least="first-line"),),
    platoons=(PieceWish(count=3, sort="tank"),),
    guns=(PieceWish(count=2, sort="at"),),
    oba=1,
)


def purchase(folder: Path, seed: bytes) -> None:
    """Buy for both sides; print what a roll could bring, a Roster, the check, an idea."""
    rules = find_ruleset("dyo")
    made = rules.read_card(rules.shipped_cards()[TERMS], {})
    with FileStore(folder / f"{TERMS}.laager") as store:
        store.create(opening_entries("dyo", made.title, made.setting, True, seed))
        campaign = Campaign(store)
        campaign.advance()
        say("", f"{made.title}: both sides buy an order of battle, from an answers file.", "")
        show_sheets(sheets(_context(campaign), "axis", "oba-dr"))
        with as_file(files("laager.packs") / "dyo" / "demo" / f"{TERMS}.yaml") as path:
            document = read_document(path)
        give_all(campaign, document, check(document, AnswersFile).answers, None)
        rosters = rules.sheets(campaign.context, view(campaign, UMPIRE).state)
        show_sheets([sheet for sheet in rosters if sheet.side == "axis"])
        _checked(_context(campaign))
        say("", "What Laager would have bought for the Germans, with other wishes:", "")
        show_sheets(list(suggest(_context(campaign), "axis", WISHES).sheets()))


def _context(campaign: Campaign) -> Cg:
    context = campaign.context
    assert isinstance(context, Cg)
    return context


def _checked(cg: Cg) -> None:
    for side in ("axis", "allied"):
        verdict = check_ob(cg, side, facing=True)
        spent, points = verdict.ob.total, verdict.ob.allotment
        found = "no rule broken" if verdict.legal else "; ".join(map(str, verdict.broken))
        say(f"laager dyo check, {side}: {spent} of {points} points, {found}")
