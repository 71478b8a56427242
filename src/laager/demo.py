"""`make demo`: two firefights, two Refit Phases and a purchase, from answers files.

The files have the dice. A roll that a file leaves to Laager comes from a fixed seed, so the demo
tells the same story every time.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection
from importlib.resources import as_file, files
from pathlib import Path

from laager.base.files import check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.sheet import Sheet
from laager.campaign.views import view
from laager.cli.out import say, show_sheets
from laager.cli.play.answers import AnswersFile, give_all
from laager.cli.play.campaign_file import news_lines
from laager.hexmap.draw import draw_png, draw_svg
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.plan.suggest import suggest
from laager.rules.design_your_own.plan.wishes import PieceWish, SquadWish, Wishes
from laager.rules.design_your_own.sheets.prospects import sheets
from laager.sheets import print_pdf

CARD = "rzhavets"
REFITS = {"rijnoord": "abtf", "kokusa-ridge": "er"}
"""Campaigns whose first night and the Refit Phase after it are played, with their rulesets."""
TERMS = "vistula"
WISHES = Wishes(
    squads=(SquadWish(count=12, at_least="first-line"),),
    platoons=(PieceWish(count=3, sort="tank"),),
    guns=(PieceWish(count=2, sort="at"),),
    oba=1,
)
SEED = bytes(32)
FOLDER = Path("demo-output")


def main() -> None:
    """Play, draw and print; everything lands in `demo-output`."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    path = FOLDER / f"{CARD}.laager"
    with FileStore(path) as store:
        campaign, title = _begin("pl", CARD, store)
        say(f"{title}: two firefights and what follows them, from answer files.", "")
        for number in (1, 2):
            _play(campaign, f"{CARD}-{number}")
            _draw(campaign, f"after-firefight-{number}")
        show_sheets(_sheets(campaign, {"roster", "purchases"}))
        (FOLDER / f"{CARD}.pdf").write_bytes(print_pdf(campaign, UMPIRE, ("roster", "purchases")))
    for card, ruleset in REFITS.items():
        with FileStore(FOLDER / f"{card}.laager") as store:
            _refit(ruleset, card, store)
    purchase(FOLDER)
    _farewell(path)


def _begin(ruleset: str, card: str, store: FileStore) -> tuple[Campaign, str]:
    """Return a shipped campaign that has just begun, and its title."""
    rules = find_ruleset(ruleset)
    made = rules.read_card(rules.shipped_cards()[card], {})
    store.create(opening_entries(ruleset, made.title, made.setting, True, SEED))
    campaign = Campaign(store)
    campaign.advance()
    return campaign, made.title


def _refit(ruleset: str, card: str, store: FileStore) -> None:
    """Play the first scenario of a campaign silently, and tell of the Refit Phase after it."""
    campaign, title = _begin(ruleset, card, store)
    _play(campaign, f"{card}-1", aloud=False)
    say("", f"{title}: the Refit Phase after its first scenario, from answer files.", "")
    _play(campaign, f"{card}-2")
    _draw(campaign, f"{card}-after-refit")


def _play(campaign: Campaign, name: str, *, aloud: bool = True) -> None:
    """Give the answers of a shipped file."""
    before, folder = campaign.version, files("laager.packs") / campaign.ruleset.id / "demo"
    with as_file(folder / f"{name}.yaml") as path:
        document = read_document(path)
    give_all(campaign, document, check(document, AnswersFile).answers, None)
    if aloud:
        say(*news_lines(campaign, before, UMPIRE), "")


def _draw(campaign: Campaign, name: str) -> None:
    """Draw the front as the umpire sees it, and as each side may."""
    rules = find_ruleset(campaign.ruleset.id)
    for viewer in (UMPIRE, *campaign.ruleset.sides):
        map_, layers = rules.drawing(campaign.context, view(campaign, viewer).state)
        svg = draw_svg(map_, layers)
        (FOLDER / f"{name}-{viewer}.svg").write_text(svg, encoding="utf-8")
        if viewer == UMPIRE:
            (FOLDER / f"{name}.png").write_bytes(draw_png(svg, 1600))


def _sheets(campaign: Campaign, wanted: Collection[str]) -> list[Sheet]:
    rules = find_ruleset(campaign.ruleset.id)
    sheets = rules.sheets(campaign.context, view(campaign, UMPIRE).state)
    return [sheet for sheet in sheets if sheet.id in wanted]


def purchase(folder: Path) -> None:
    """Buy for both sides: the odds of a roll, a Roster, the check of both purchases, a suggestion."""
    with FileStore(folder / f"{TERMS}.laager") as store:
        campaign, title = _begin("dyo", TERMS, store)
        cg = campaign.context
        assert isinstance(cg, Cg)
        say("", f"{title}: both sides buy an order of battle, from an answers file.", "")
        show_sheets(sheets(cg, "axis", "oba-dr"))
        _play(campaign, TERMS, aloud=False)
        rosters = find_ruleset("dyo").sheets(campaign.context, view(campaign, UMPIRE).state)
        show_sheets([sheet for sheet in rosters if sheet.side == "axis"])
        cg = campaign.context
        assert isinstance(cg, Cg)
        _show_checks(cg)
        say("", "What Laager would have bought for the Germans, with other wishes:", "")
        show_sheets(list(suggest(cg, "axis", WISHES).sheets()))


def _show_checks(cg: Cg) -> None:
    for side in ("axis", "allied"):
        verdict = check_ob(cg, side, facing=True)
        spent, points = verdict.ob.total, verdict.ob.allotment
        result = "no rule broken" if verdict.legal else "; ".join(map(str, verdict.broken))
        say(f"laager dyo check, {side}: {spent} of {points} points, {result}")


def _farewell(path: Path) -> None:
    laager = Path(sys.executable).with_name("laager")
    if laager.is_relative_to(Path.cwd()):
        laager = laager.relative_to(Path.cwd())
    say(
        f"Drawn: {FOLDER}/after-firefight-1.png, {FOLDER}/after-firefight-2.png, "
        + ", ".join(f"{FOLDER}/{card}-after-refit.png" for card in REFITS)
        + " (and SVG per side)",
        f"Printed: {FOLDER}/{CARD}.pdf",
        f"Look at it: {laager} status -c {path}; {laager} log -c {path} --side axis; {laager} verify -c {path}",
        "",
        "Your own campaign:",
        f"  {laager} cards                 what there is to play",
        f"  {laager} new {CARD}          make a campaign file here",
        f"  {laager} next                  and be led through it",
        "",
        f"Or all of it in the browser, two sides, secrets kept:  {laager} serve",
    )


if __name__ == "__main__":
    main()
