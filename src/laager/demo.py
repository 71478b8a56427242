"""`make demo`: two firefights, two Refit Phases and a purchase, from answers files.

It speaks German where the machine does (`LANG=de_DE.UTF-8`), or with `--language de`.

The files have the dice. A roll that a file leaves to Laager comes from a fixed seed, so the demo
tells the same story every time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from laager.base.files import check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.sheet import Sheet
from laager.campaign.speech import ENGLISH
from laager.campaign.speech import say as translate
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
from laager.sheets.words import LANGUAGES

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
GERMAN: Mapping[str, str] = {
    "{title}: two firefights and what follows them, from answer files.": (
        "{title}: zwei Firefights und was ihnen folgt, aus Antwortdateien."
    ),
    "{title}: the Refit Phase after its first scenario, from answer files.": (
        "{title}: die Refit Phase nach dem ersten Scenario, aus Antwortdateien."
    ),
    "{title}: both sides buy an order of battle, from an answers file.": (
        "{title}: beide Seiten kaufen ein Order of Battle, aus einer Antwortdatei."
    ),
    "What Laager would have bought for the Germans, with other wishes:": (
        "Was Laager für die Deutschen gekauft hätte, mit anderen Wünschen:"
    ),
    "{spent} of {points} points, {result}": "{spent} von {points} Punkten, {result}",
    "no rule broken": "keine Regel verletzt",
    "(and SVG per side)": "(und SVG je Seite)",
    "Drawn:": "Gezeichnet:",
    "Printed:": "Gedruckt:",
    "Look at it:": "Zum Ansehen:",
    "Your own campaign:": "Eine eigene Kampagne:",
    "what there is to play": "was es zu spielen gibt",
    "make a campaign file here": "legt hier eine Kampagnendatei an",
    "and be led through it": "führt dich hindurch",
    "Or all of it in the browser, two sides, secrets kept:": "Alles auch im Browser, zwei Seiten, mit Geheimnissen:",
}
"""What the demo itself says in German; the rest is said as on the pages."""
_LANGUAGE = ContextVar("language", default=ENGLISH)


def choose_language(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language to speak: of `--language`, else the machine's, else English."""
    reader = argparse.ArgumentParser(prog="python -m laager.demo", description="Two firefights, from answer files.")
    reader.add_argument("--language", choices=LANGUAGES, help="en or de; by default the machine's")
    wanted = reader.parse_args(arguments).language
    if wanted:
        return str(wanted)
    machine = next(filter(None, (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = machine.partition("_")[0].partition(".")[0]
    return code if code in LANGUAGES else ENGLISH


def put(text: str, **parts: object) -> str:
    """Return a text of the demo in the language that it speaks, with its parts put in."""
    return (GERMAN[text] if _LANGUAGE.get() == "de" else text).format(**parts)


def main() -> None:
    """Play, draw and print; everything lands in `demo-output`."""
    _LANGUAGE.set(choose_language(sys.argv[1:], os.environ))
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    path = FOLDER / f"{CARD}.laager"
    with FileStore(path) as store:
        campaign, title = _begin("pl", CARD, store)
        say(put("{title}: two firefights and what follows them, from answer files.", title=title), "")
        for number in (1, 2):
            _play(campaign, f"{CARD}-{number}")
            _draw(campaign, f"after-firefight-{number}")
        _show(_sheets(campaign, {"roster", "purchases"}))
        pdf = print_pdf(campaign, UMPIRE, ("roster", "purchases"), language=_LANGUAGE.get())
        (FOLDER / f"{CARD}.pdf").write_bytes(pdf)
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
    return campaign, translate(made.title, _LANGUAGE.get())


def _refit(ruleset: str, card: str, store: FileStore) -> None:
    """Play the first scenario of a campaign silently, and tell of the Refit Phase after it."""
    campaign, title = _begin(ruleset, card, store)
    _play(campaign, f"{card}-1", aloud=False)
    say("", put("{title}: the Refit Phase after its first scenario, from answer files.", title=title), "")
    _play(campaign, f"{card}-2")
    _draw(campaign, f"{card}-after-refit")


def _play(campaign: Campaign, name: str, *, aloud: bool = True) -> None:
    """Give the answers of a shipped file."""
    before, folder = campaign.version, files("laager.packs") / campaign.ruleset.id / "demo"
    with as_file(folder / f"{name}.yaml") as path:
        document = read_document(path)
    give_all(campaign, document, check(document, AnswersFile).answers, None)
    if aloud:
        say(*news_lines(campaign, before, UMPIRE, _LANGUAGE.get()), "")


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


def _show(sheets: Iterable[Sheet]) -> None:
    """Print sheets, said in the language that the demo speaks."""

    def translate_text(text: str) -> str:
        return translate(text, _LANGUAGE.get())

    show_sheets(
        replace(
            sheet,
            title=translate_text(sheet.title),
            columns=tuple(replace(column, title=translate_text(column.title)) for column in sheet.columns),
            rows=tuple(tuple(map(translate_text, row)) for row in sheet.rows),
            notes=tuple(map(translate_text, sheet.notes)),
        )
        for sheet in sheets
    )


def purchase(folder: Path) -> None:
    """Buy for both sides: the odds of a roll, a Roster, the check of both purchases, a suggestion."""
    with FileStore(folder / f"{TERMS}.laager") as store:
        campaign, title = _begin("dyo", TERMS, store)
        cg = campaign.context
        assert isinstance(cg, Cg)
        say("", put("{title}: both sides buy an order of battle, from an answers file.", title=title), "")
        _show(sheets(cg, "axis", "oba-dr"))
        _play(campaign, TERMS, aloud=False)
        rosters = find_ruleset("dyo").sheets(campaign.context, view(campaign, UMPIRE).state)
        _show([sheet for sheet in rosters if sheet.side == "axis"])
        cg = campaign.context
        assert isinstance(cg, Cg)
        _show_checks(cg)
        say("", put("What Laager would have bought for the Germans, with other wishes:"), "")
        _show(list(suggest(cg, "axis", WISHES).sheets()))


def _show_checks(cg: Cg) -> None:
    for side in ("axis", "allied"):
        verdict = check_ob(cg, side, facing=True)
        spent, points = verdict.ob.total, verdict.ob.allotment
        result = put("no rule broken") if verdict.legal else "; ".join(map(str, verdict.broken))
        balance = put("{spent} of {points} points, {result}", spent=spent, points=points, result=result)
        say(f"laager dyo check, {side}: {balance}")


def _farewell(path: Path) -> None:
    laager = Path(sys.executable).with_name("laager")
    if laager.is_relative_to(Path.cwd()):
        laager = laager.relative_to(Path.cwd())
    say(
        f"{put('Drawn:')} {FOLDER}/after-firefight-1.png, {FOLDER}/after-firefight-2.png, "
        + ", ".join(f"{FOLDER}/{card}-after-refit.png" for card in REFITS)
        + f" {put('(and SVG per side)')}",
        f"{put('Printed:')} {FOLDER}/{CARD}.pdf",
        f"{put('Look at it:')} {laager} status -c {path}; {laager} log -c {path} --side axis; "
        f"{laager} verify -c {path}",
        "",
        put("Your own campaign:"),
        f"  {laager} cards                 {put('what there is to play')}",
        f"  {laager} new {CARD}          {put('make a campaign file here')}",
        f"  {laager} next                  {put('and be led through it')}",
        "",
        f"{put('Or all of it in the browser, two sides, secrets kept:')}  {laager} serve",
    )


if __name__ == "__main__":
    main()
