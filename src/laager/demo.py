"""`make demo`: two firefights of the shipped campaign, played from answer files.

The dice are those in the files; where a file leaves a roll to Laager it comes from a fixed seed, so
that the demo tells the same story every time.
"""

from __future__ import annotations

import shutil
import sys
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
from laager.cli.answers import AnswersFile, give_all
from laager.cli.out import say, show_sheets
from laager.cli.table import news
from laager.hexmap.draw import draw_png, draw_svg

CARD = "rzhavets"
SEED = bytes(32)
FOLDER = Path("demo-output")


def main() -> None:
    """Play, draw and print; everything lands in `demo-output`."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    rules = find_ruleset("pl")
    made = rules.read_card(rules.shipped_cards()[CARD], {})
    path = FOLDER / f"{CARD}.laager"
    with FileStore(path) as store:
        store.create(opening_entries("pl", made.title, made.setting, True, SEED))
        campaign = Campaign(store)
        campaign.advance()
        say(f"{made.title}: two firefights and what follows them, from answer files.", "")
        for number in (1, 2):
            _play(campaign, number)
            _draw(campaign, number)
        show_sheets(_rosters(campaign))
    _farewell(path)


def _play(campaign: Campaign, number: int) -> None:
    before = campaign.version
    with as_file(files("laager.packs") / "pl" / "demo" / f"{CARD}-{number}.yaml") as path:
        document = read_document(path)
    give_all(campaign, document, check(document, AnswersFile).answers, None)
    say(*news(campaign, before, UMPIRE), "")


def _draw(campaign: Campaign, number: int) -> None:
    """Draw the front as the umpire sees it, and as each side may."""
    rules = find_ruleset("pl")
    for viewer in (UMPIRE, *campaign.ruleset.sides):
        map_, layers = rules.drawing(campaign.context, view(campaign, viewer).state)
        svg = draw_svg(map_, layers)
        (FOLDER / f"after-firefight-{number}-{viewer}.svg").write_text(svg, encoding="utf-8")
        if viewer == UMPIRE:
            (FOLDER / f"after-firefight-{number}.png").write_bytes(draw_png(svg, 1600))


def _rosters(campaign: Campaign) -> list[Sheet]:
    rules = find_ruleset("pl")
    sheets = rules.sheets(campaign.context, view(campaign, UMPIRE).state)
    return [sheet for sheet in sheets if sheet.id in {"roster", "purchases"}]


def _farewell(path: Path) -> None:
    laager = Path(sys.executable).with_name("laager")
    if laager.is_relative_to(Path.cwd()):
        laager = laager.relative_to(Path.cwd())
    say(
        f"Drawn: {FOLDER}/after-firefight-1.png, {FOLDER}/after-firefight-2.png (and SVG per side)",
        f"Look at it: {laager} status -c {path}; {laager} log -c {path} --side axis; "
        f"{laager} verify -c {path}",
        "",
        "Your own campaign:",
        f"  {laager} cards                 what there is to play",
        f"  {laager} new {CARD}          make a campaign file here",
        f"  {laager} next                  and be led through it",
    )


if __name__ == "__main__":
    main()
