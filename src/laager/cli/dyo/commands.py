"""The commands of `laager dyo`: buying an order of battle for points, and checking any."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.ending import NOT_SOUND, WrongUseError
from laager.cli.options import (
    AsCsv,
    AsJson,
    CampaignFile,
    Defaults,
    EnteredDice,
    Force,
    HouseFile,
    Out,
    Reading,
    Side,
    Solo,
    examples,
    group,
)
from laager.cli.out import print_sheets, say, show_json
from laager.cli.play.session import PlaySession, in_file, session
from laager.cli.writing import write_texts

if TYPE_CHECKING:
    from laager.rules.design_your_own.check.check import ObVerdict
    from laager.rules.design_your_own.context import Cg
    from laager.rules.design_your_own.files import LoadedOb

app = group("dyo", "Design Your Own: agree on terms, buy, look at the Rosters, check any order of battle.")

ObFile = Annotated[Path, typer.Argument(metavar="OB", help="An order of battle (YAML, laager: dyo-ob/1).")]

RULES = "dyo"
SIDES = ("axis", "allied")


@app.command(
    short_help="agree on terms and begin a purchase",
    epilog=examples(
        "laager dyo new                       asks for everything",
        "laager dyo new --month 1944-09 --points 1000/900 --axis german --allied russian",
        "laager dyo new -m 1943-07 -p 1500 --axis german --allied russian --open -o kursk.yaml",
    ),
)
def new(
    month: Annotated[str | None, typer.Option("--month", "-m", metavar="MONTH", help="As 1944-09.")] = None,
    points: Annotated[
        str | None, typer.Option("--points", "-p", metavar="N/N", help="Of axis and allied; 1000: each has.")
    ] = None,
    axis: Annotated[str | None, typer.Option("--axis", metavar="NATION", help="Of the Axis, such as german.")] = None,
    allied: Annotated[str | None, typer.Option("--allied", metavar="NATION", help="Of the Allies.")] = None,
    in_the_open: Annotated[
        bool | None, typer.Option("--open/--secret", help="Each side sees what the other buys, or not.")
    ] = None,
    first: Annotated[
        str | None, typer.Option("--first", metavar="SIDE", help="In the open: who buys first; else both.")
    ] = None,
    elr: Annotated[str | None, typer.Option("--elr", metavar="N/N", help="Agreed ELR; else by the chart.")] = None,
    boards: Annotated[str | None, typer.Option("--boards", metavar="IDS", help="Boards in use, as 3,16.")] = None,
    theatre: Annotated[str | None, typer.Option("--theatre", metavar="WORD", help="Such as nw-europe, burma.")] = None,
    weather: Annotated[str | None, typer.Option("--weather", metavar="WORD", help="If left out, asked first.")] = None,
    catalogue: Annotated[
        str | None, typer.Option("--catalogue", metavar="SET", help="Shipped values: house, published, none.")
    ] = None,
    own: Annotated[
        list[Path] | None, typer.Option("--own", metavar="FILE", help="A catalogue file of yours; can be repeated.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What the scenario is called.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The terms; the purchase goes next to them.")
    ] = None,
    reading: Reading = None,
    entered_dice: EnteredDice = False,
    json: AsJson = False,
) -> None:
    """Agree on terms, write them to a file, and begin a purchase by them.

    You are asked for the month, points and nations that you leave out. You can edit the terms, and
    begin another purchase by them with laager new FILE.
    """
    from laager.cli.dyo import terms

    given = terms.TermOptions(
        month=month, points=points, axis=axis, allied=allied, open=in_the_open, first=first,
        elr=elr, boards=boards, theatre=theatre, weather=weather, catalogue=catalogue,
        own=tuple(own or ()), title=title, readings=tuple(reading or ()),
    )  # fmt: skip
    terms.new(given, out, entered_dice, json)


@app.command(
    short_help="buy: answer what is asked",
    epilog=examples("laager dyo buy --side axis", "laager dyo buy       both at one keyboard"),
)
def buy(
    campaign: CampaignFile = None, side: Side = None, defaults: Defaults = 0, solo: Solo = False, json: AsJson = False
) -> None:
    """Buy: ask a side what it must decide next, until nothing is left or it stops.

    Each side buys when it likes. This is laager next for a purchase.
    """
    from laager.cli.play.playing import answer_all

    answer_all(_purchase(session(campaign, side)), defaults, solo, json)


@app.command(
    short_help="the Purchase Rosters",
    epilog=examples(
        "laager dyo roster --side axis",
        "laager dyo roster --side axis --csv",
        "laager dyo roster ob.yaml             of a file, with the prices of the rules",
    ),
)
def roster(
    file: Annotated[
        Path | None, typer.Argument(metavar="OB", help="An order of battle; if left out, the purchase's.")
    ] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Print the Purchase Rosters that you may see, section by section, with the points left."""
    if file is None:
        print_sheets(_purchase(session(campaign, side)).sheets(()), json, csv)
        return
    from laager.rules.design_your_own.check.check import check_file
    from laager.rules.design_your_own.files import context_of, load_ob
    from laager.rules.design_your_own.sheets.roster import roster as made

    loaded = load_ob(file)
    cg = context_of(loaded)
    cg.state = cg.state.having(check_file(loaded).ob)
    print_sheets(made(cg, loaded.ob.side), json, csv)


@app.command(
    short_help="check any order of battle",
    epilog=examples(
        "laager dyo check ob.yaml",
        "laager dyo check axis.yaml --against allied.yaml",
        "laager dyo check ob.yaml --house house.yaml     by rules of your own",
        "laager dyo check ob.yaml --json",
    ),
)
def check(
    file: ObFile,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="OB", help="The other side's: for bonus and limits.")
    ] = None,
    house: HouseFile = None,
    json: AsJson = False,
) -> None:
    """Check an order of battle: what it costs, and every rule that it breaks.

    It doesn't have to be bought in Laager. Prices that you leave out are filled in. Things that the
    catalogue lacks can't be checked, and are listed. Exit code 4 if a rule is broken.
    """
    from laager.base.files import read_document
    from laager.rules.design_your_own.check.check import check_file, describe_verdict
    from laager.rules.design_your_own.files import facing, house_lines_of, load_ob

    own_rules = read_document(house) if house is not None else None
    loaded = load_ob(file, own_rules)
    enemy = load_ob(against, own_rules) if against is not None else None
    if enemy is not None:
        facing(loaded, enemy, str(file), str(against))
    verdict = check_file(loaded, enemy)
    if json:
        warnings = [str(warning) for warning in loaded.terms.warnings]
        described = describe_verdict(verdict, loaded.document)
        played = [str(line) for line in house_lines_of(loaded)]
        show_json({"file": str(file), **described, "warnings": warnings, "house": played})
    else:
        _say_verdict(verdict, loaded)
    if not verdict.legal:
        raise typer.Exit(NOT_SOUND)


@app.command(
    short_help="write an order of battle for use elsewhere",
    epilog=examples(
        "laager dyo export --side axis -o axis.yaml              check it: laager dyo check",
        "laager dyo export --side axis --as pl                   part of a Platoon Leader card",
        "laager dyo export --side axis --as bbcode               a list for a forum; --as list: plain text",
        "laager dyo export --as vasl-templates -o both.json",
    ),
)
def export(
    campaign: CampaignFile = None,
    side: Side = None,
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help="ob, pl, hasl, list, bbcode or vasl-templates.")
    ] = "ob",
    out: Out = None,
    force: Force = False,
) -> None:
    """Write what a side has bought so far; needs --side (vasl-templates: both, if left out).

    As ob: an order of battle that laager dyo check reads. As pl or hasl: the part of a card for
    that side. As list or bbcode: a list to read, or to post in a forum. As vasl-templates: a scenario that this
    program opens.
    """
    from laager.campaign import UMPIRE
    from laager.rules.design_your_own.exports.forms import FORMS, OF_BOTH

    if form not in FORMS:
        raise WrongUseError(f"--as {form}: there is no such form; {did_you_mean(form, FORMS, 'forms are')}")
    buyer = side if side != UMPIRE else None
    if buyer is None and form != OF_BOTH:
        raise WrongUseError("whose order of battle? add --side axis or --side allied")
    _write(FORMS[form](_purchase_seen_by(campaign, side or UMPIRE), (buyer,) if buyer else SIDES), out, force)


@app.command(short_help="the odds of the rolls to come", epilog=examples("laager dyo odds --side axis"))
def odds(campaign: CampaignFile = None, side: Side = None, json: AsJson = False, csv: AsCsv = False) -> None:
    """Print the exact odds of each roll before a side, and what it could afford; needs --side."""
    from laager.rules.design_your_own.sheets.prospects import all_prospects, sheet

    own = _one_side(side, "whose rolls?")
    sheets = [sheet(prospect, own) for prospect in all_prospects(_purchase_seen_by(campaign, own), own)]
    if not sheets and not json:
        say(f"no roll lies before {own} just now")
        return
    print_sheets(sheets, json, csv)


@app.command(
    short_help="propose a purchase for your wishes",
    epilog=examples(
        "laager dyo suggest --side axis --squads 20:first-line --platoon 5 --oba 1",
        "laager dyo suggest --side axis --squads 12 --maximise afv -o idea.yaml",
        "laager dyo suggest --side axis wishes.yaml",
    ),
)
def suggest(
    file: Annotated[
        Path | None, typer.Argument(metavar="WISHES", help="A file of wishes (YAML, laager: dyo-wishes/1).")
    ] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    squads: Annotated[
        list[str] | None, typer.Option("--squads", metavar="N[:CLASS]", help="At least this many, of a class.")
    ] = None,
    platoon: Annotated[
        list[str] | None, typer.Option("--platoon", metavar="N[:TYPE]", help="This many AFV of one type.")
    ] = None,
    guns: Annotated[
        list[str] | None, typer.Option("--guns", metavar="N[:TYPE]", help="This many Guns of one type.")
    ] = None,
    oba: Annotated[int | None, typer.Option("--oba", metavar="N", help="At least this many batteries.")] = None,
    san: Annotated[int | None, typer.Option("--san", metavar="N", help="This SAN.")] = None,
    air: Annotated[bool, typer.Option("--air", help="Air Support.")] = False,
    motorized: Annotated[bool, typer.Option("--motorized", help="A motorized unit.")] = False,
    reserve: Annotated[int | None, typer.Option("--reserve", metavar="N", help="Points to be left over.")] = None,
    maximise: Annotated[
        str | None, typer.Option("--maximise", metavar="WHAT", help="equivalency, squads, afv, guns or points.")
    ] = None,
    outlook: Annotated[
        str | None, typer.Option("--outlook", metavar="HOW", help="Of dice not rolled: expected or worst.")
    ] = None,
    out: Out = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Propose a purchase that meets your wishes and spends the points, legal by the rules.

    With --out it is written as an order of battle. This buys nothing. Needs --side.
    """
    from laager.base.files import Document
    from laager.base.files import check as checked
    from laager.cli.dyo.terms import wishes_of
    from laager.rules.design_your_own.exports.forms import yaml_text
    from laager.rules.design_your_own.plan.suggest import suggest as suggested
    from laager.rules.design_your_own.plan.wishes import Wishes, load_wishes

    own = _one_side(side, "for whom?")
    wishes = wishes_of(
        squads=squads, platoons=platoon, guns=guns, oba=oba, san=san, air=air,
        motorized=motorized, reserve=reserve, maximise=maximise, outlook=outlook,
    )  # fmt: skip
    if file is not None and wishes:
        names = ", ".join(f"--{name}" for name in wishes)
        raise WrongUseError(f"{file} and {names} don't go together; write all into the file")
    wished = load_wishes(file) if file else checked(Document(wishes, "options"), Wishes)
    proposal = suggested(_purchase_seen_by(campaign, own), own, wished)
    if json:
        show_json({"assumed": list(proposal.assumed), "reached": proposal.reached, "ob": proposal.data})
    elif out is not None:
        _write(yaml_text(proposal.data), out, force)
    else:
        print_sheets(proposal.sheets(), json)


# What the commands share --------------------------------------------------------------------------


def _purchase(at: PlaySession) -> PlaySession:
    """Return a campaign that is a purchase. Raises RefusedError for another one."""
    title, ruleset = at.about()
    if ruleset != RULES:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"{title} is a campaign of {ruleset}, not a purchase",
            "go on with laager next, or name a purchase with --campaign FILE",
        )
    return at


def _purchase_seen_by(campaign_file: Path | None, viewer: str) -> Cg:
    """Return a purchase in a file as a viewer may see it. Raises WrongUseError for one on a server."""
    from laager.cli.play.campaign_file import looked_at
    from laager.rules.design_your_own.context import Cg

    at = in_file(campaign_file, viewer, "on a server you can use laager dyo buy and dyo roster, or the pages")
    _purchase(at)
    campaign = looked_at(at.file)
    assert isinstance(campaign.context, Cg)
    return campaign.context.with_state(at.view(campaign).state)


def _one_side(side: str | None, question: str) -> str:
    """Return the side that is meant; the umpire must name one."""
    if side not in SIDES:
        raise WrongUseError(f"{question} add --side axis or --side allied")
    return side


def _write(text: str, out: Path | None, force: bool) -> None:
    """Print a text, or write it to a file."""
    if out is None:
        say(text.rstrip())
    else:
        write_texts({out: text}, force)


def _say_verdict(verdict: ObVerdict, loaded: LoadedOb) -> None:
    from laager.rules.design_your_own.check.check import as_problem
    from laager.rules.design_your_own.files import house_lines_of

    ob, terms = verdict.ob, loaded.terms.terms
    say(*(f"note: {warning}" for warning in loaded.terms.warnings))
    say(*(f"house rule {line}" for line in house_lines_of(loaded)))
    say(f"{terms.name(ob.side)} ({ob.side}), {terms.date}: {ob.allotment} points")
    parts = [f"{section.replace('-', ' ')} {spent}" for section, spent in ob.spent.items() if spent]
    say(f"spent {ob.total}: {', '.join(parts) or 'nothing'}; {ob.left} left")
    say(*(f"note: {note}" for note in verdict.notes))
    for heading, finds in (("cannot be judged", verdict.unjudged), ("against the rules", verdict.broken)):
        if finds:
            say(f"{heading} ({len(finds)}):", *(f"  {as_problem(find, loaded.document)}" for find in finds))
    if verdict.legal:
        say("legal" + (", as far as the catalogue tells" if verdict.unjudged else ""))
