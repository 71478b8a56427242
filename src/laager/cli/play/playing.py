"""Commands that play a campaign: begin, answer, report, settle, end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import DataError
from laager.cli.ending import WrongUseError
from laager.cli.options import (
    PLAY,
    AsJson,
    CampaignFile,
    Defaults,
    EnteredDice,
    Reading,
    SaveBoards,
    SaveChoices,
    SaveOwner,
    Side,
    Solo,
    Then,
    examples,
)
from laager.cli.out import complain, say, say_log, show, show_json
from laager.cli.play.campaign_file import SUFFIX
from laager.cli.play.patience import read_terms
from laager.cli.play.session import AskedQuestion, BeginOptions, PlaySession, Sitting, session
from laager.cli.play.skeletons import write_skeleton
from laager.cli.reading.cards import chosen_card

if TYPE_CHECKING:
    from laager.cli.play.from_save import SaveFile

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


@app.command(
    rich_help_panel=PLAY,
    short_help="begin a campaign from a card",
    epilog=examples(
        "laager new rzhavets",
        "laager new my-card.yaml --file tuesday.laager",
        "laager new rzhavets --entered-dice --reading cthc-radius=1",
        "laager new my-arnhem.yaml --skeleton abtf",
        "laager new rzhavets --axis bold                against a commander",
        "laager new rzhavets --days 7 --then umpire     with a time for a move",
        "laager new rzhavets --from record.yaml         begun on paper",
        "laager new --from old.laager --file what-if.laager",
    ),
)
def new(
    card: Annotated[
        str | None,
        typer.Argument(metavar="CARD", help="A file, or the name of a shipped card; if left out, you choose one."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE", help="The campaign file to be made.")
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="RULES", help="The rule system, if the card leaves it open.")
    ] = None,
    entered_dice: EnteredDice = False,
    reading: Reading = None,
    house: Annotated[
        Path | None, typer.Option("--house", metavar="FILE", help="A file of house rules that hold in this campaign.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="On a server: whom you play; if left out, both sides.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Go on from a record (laager export --record, or written by hand); or from a copy of a campaign file, "
            "to try what would be if. A copy needs no CARD.",
        ),
    ] = None,
    count_units: Annotated[
        bool,
        typer.Option(
            "--count-units",
            help="Number units AX1, AX2 … as they come, not by lot; the enemy can then tell how "
            "many they don't see. For answers files that are ready before the campaign begins.",
        ),
    ] = False,
    corrections: Annotated[
        str,
        typer.Option(
            "--corrections",
            metavar="WHO",
            help="Who agrees to corrections of what only one side knows: agreed (the other side), umpire, none.",
        ),
    ] = "agreed",
    axis: Annotated[
        str | None, typer.Option("--axis", metavar="NAME", help="A commander who holds the Axis side: bold, ahead.")
    ] = None,
    allied: Annotated[
        str | None, typer.Option("--allied", metavar="NAME", help="A commander who holds the Allied side.")
    ] = None,
    ask_the_table: Annotated[
        bool, typer.Option("--ask-the-table", help="The umpire's rulings need both sides, too.")
    ] = False,
    days: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Days for a move; if left out or 0, as long as it takes.")
    ] = None,
    then: Then = None,
    skeleton: Annotated[
        str | None,
        typer.Option(
            "--skeleton",
            metavar="CAMPAIGN",
            help="Begin nothing: write a card with blanks, and the files that it names: pl for one of your own, er, "
            "abtf (CG I), abtf-2 or abtf-3. CARD is the file to write.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Begin a campaign: check the card, and make a campaign file."""
    if skeleton is not None:
        write_skeleton(skeleton, Path(card or f"{skeleton}.yaml"), json)
        return
    from laager.campaign.rulings import terms_setting

    copied = source is not None and source.suffix == SUFFIX
    if copied and (card or ruleset or reading or house):
        raise WrongUseError("a copy has the card and the rules of its campaign; leave CARD, RULES and the rest out")
    chosen = "" if copied else card or chosen_card()
    terms = terms_setting(corrections, not ask_the_table)
    options = (file, ruleset, entered_dice, reading or (), seat, count_units, house, terms, source)
    commanders = {side: name for side, name in (("axis", axis), ("allied", allied)) if name is not None}
    wanted = BeginOptions(chosen, *options, commanders, read_terms(days, then))
    begun, lines = session().begin(wanted)
    show(json, begun, *lines)


@app.command(
    name="next",
    rich_help_panel=PLAY,
    short_help="go on: answer what is asked",
    epilog=examples(
        "laager next                 both sides at one keyboard",
        "laager next --side axis     only the Axis is asked",
        "laager next --defaults 5    take five proposals",
    ),
)
def go_on(
    campaign: CampaignFile = None, side: Side = None, defaults: Defaults = 0, solo: Solo = False, json: AsJson = False
) -> None:
    """Go on: ask the sides that must answer, until nobody must or you stop.

    You can stop at any question (Ctrl-C) and go on later where you were. With --side only that
    side is asked, and sees only what it may. Without it, both sides use one keyboard; before the
    other side is asked something secret, the screen is cleared and you hand over.

    In a pipe, each question reads one line of YAML. With --json nobody is asked: you see what
    the campaign waits for.
    """
    answer_all(session(campaign, side), defaults, solo, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="where the campaign stands, who must answer",
    epilog=examples("laager status", "laager status --side allied --json"),
)
def status(campaign: CampaignFile = None, side: Side = None, json: AsJson = False) -> None:
    """Print where the campaign stands, and who must answer what."""
    standing = session(campaign, side).status()
    show(
        json,
        standing.describe(),
        standing.title,
        *standing.headline,
        "",
        *standing.waiting(),
        *filter(None, [standing.hint]),
    )


@app.command(
    rich_help_panel=PLAY,
    short_help="give answers from a file (play by mail)",
    epilog=examples(
        "laager answer --side axis --template > axis.yaml     what is asked, to be filled in",
        "laager answer --side axis axis.yaml",
        "laager answer --side axis --from-vasl game.vsav      a setup from a save of VASL",
    ),
)
def answer(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="An answers file (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print what is asked with its proposals, to be filled in.")
    ] = False,
    from_vasl: Annotated[
        Path | None,
        typer.Option("--from-vasl", metavar="SAVE", help="Answer with what a save or a log of VASL has: a setup."),
    ] = None,
    boards: SaveBoards = None,
    owner: SaveOwner = None,
    choose: SaveChoices = None,
    json: AsJson = False,
) -> None:
    """Submit the answers in a file: all of them, or none if one is refused.

    With --from-vasl your setup (or your battle report) is made from a save. At a terminal you are asked about open
    points, otherwise they are listed, and it is submitted when nothing is open. --template prints it as an answers
    file, --json everything that was read; neither submits anything.
    """
    at = session(campaign, side)
    save = _save_file(from_vasl, boards, owner, choose)
    if save is not None:
        from laager.cli.play import from_save

        from_save.answer(at, save, file, template, json)
        return
    if template:
        from laager.cli.play.answers import print_template

        print_template(at.list_asked(), side)
        return
    if file is None:
        raise WrongUseError("name the answers file; laager answer --template begins one")
    from laager.base.files import check, read_document
    from laager.cli.play.answers import AnswersFile

    document = read_document(file)
    at.give(document, check(document, AnswersFile).answers).tell(json)


@app.command(
    rich_help_panel=PLAY,
    short_help="report a battle from a file",
    epilog=examples(
        "laager report --side axis --template > axis.yaml     your units as recorded",
        "laager report --side axis axis.yaml                  after changing what has changed",
        "laager report --side axis --from-vasl game.vsav      from a save of VASL",
        "laager report --side axis --from-vasl game.vsav --template > axis.yaml",
    ),
)
def report(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The report (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print the record as a report, to be filled in.")
    ] = False,
    from_vasl: Annotated[
        Path | None, typer.Option("--from-vasl", metavar="SAVE", help="Make the report from a save or a log of VASL.")
    ] = None,
    boards: SaveBoards = None,
    owner: SaveOwner = None,
    choose: SaveChoices = None,
    json: AsJson = False,
) -> None:
    """Report a side's battle at the end of a firefight; needs --side.

    With --from-vasl the report is made from a save. At a terminal you are asked about open points,
    otherwise they are listed. The report is submitted when nothing is open. --template prints it
    as it is now, --json everything that was read; neither submits anything.
    """
    at = session(campaign, side)
    save = _save_file(from_vasl, boards, owner, choose)
    if save is not None:
        from laager.cli.play import from_save

        from_save.report(at, save, file, template, json)
        return
    at = at.of_one_side()
    if file is None and not template:
        raise WrongUseError("name the report's file; laager report --template begins one")
    from laager.cli.play.answers import asked_report, report_lines, report_problems

    asked, question = asked_report(at)
    if file is None or template:
        say(*report_lines(question))
        return
    from laager.base.files import read_document

    document = read_document(file)
    try:
        change = at.answer(asked, document.data)
    except DataError as err:
        raise report_problems(document, err) from None
    change.tell(json)


@app.command(
    rich_help_panel=PLAY,
    short_help="settle a battle without playing it",
    epilog=examples(
        "laager settle --side axis         you would let it be settled",
        "laager settle --side allied       so would I: both reports are filled in",
        "laager report --template --side axis",
    ),
)
def settle(
    campaign: CampaignFile = None,
    side: Side = None,
    refuse: Annotated[bool, typer.Option("--refuse", help="No, play it; or withdraw what you said.")] = False,
    json: AsJson = False,
) -> None:
    """Let the model of battles settle the battle that is to be reported; needs --side.

    It counts once both sides have said so. Then both reports are filled in as proposals: each side looks at its own,
    changes what it likes, and submits it. The model's luck comes from the campaign's sealed dice.
    """
    if side is None:
        raise WrongUseError("say who settles it: --side SIDE")
    change = session(campaign, side).settle(agree=not refuse)
    show(json, change.describe(), *change.lines(), *change.status.requests)


@app.command(
    rich_help_panel=PLAY,
    short_help="concede, or agree on a draw",
    epilog=examples("laager end --side axis --concede", "laager end --side axis --draw"),
)
def end(
    campaign: CampaignFile = None,
    side: Side = None,
    concede: Annotated[bool, typer.Option("--concede", help="Give the campaign up.")] = False,
    draw: Annotated[bool, typer.Option("--draw", help="Propose (or agree to) a draw.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the proposed draw.")] = False,
    json: AsJson = False,
) -> None:
    """End the campaign before its time; needs --side."""
    if side is None:
        raise WrongUseError("say who ends it: --side SIDE")
    if concede + draw + refuse != 1:
        raise WrongUseError("choose one of --concede, --draw, --refuse")
    at = session(campaign, side)
    change = at.concede() if concede else at.draw(agree=draw)
    show(json, change.describe(), *change.status.headline, *change.status.requests)


def _save_file(
    from_vasl: Path | None, boards: Path | None, owner: int | None, choose: list[str] | None
) -> SaveFile | None:
    """Return the save that a command is to read, None if there's none. Raises WrongUseError for options without one."""
    if from_vasl is not None:
        from laager.cli.play.from_save import SaveFile

        return SaveFile(from_vasl, boards, owner, tuple(choose or ()))
    if boards is not None or owner is not None or choose:
        raise WrongUseError("--boards, --owner and --choose go with --from-vasl SAVE")
    return None


def answer_all(at: PlaySession, defaults: int, solo: bool, as_json: bool) -> None:
    """Take proposals, then ask question after question until nobody must answer or the person stops."""
    sitting = at.sit(solo)
    if defaults or as_json:
        taken = sitting.take_defaults(defaults)
        if as_json:
            show_json(taken.describe())
            return
        say_log(taken.lines())
    try:
        while (asked := sitting.next_asked()) is not None:
            if not _ask_and_answer(sitting, asked):
                sitting.leave()
                say("stopped; go on with laager next")
                return
    except KeyboardInterrupt:
        sitting.leave()
        raise


def _ask_and_answer(sitting: Sitting, asked: AskedQuestion) -> bool:
    """Ask a person and give the answer; False if they stop."""
    from laager.cli.asking.person import STOP, ask_faces, ask_person

    value: Any
    if asked.question is not None:
        value = ask_person(asked.question)
    else:
        assert asked.roll is not None
        value = ask_faces(asked.side, asked.roll)
    if value is STOP:
        return False
    try:
        sitting.answer(asked, value)
    except DataError as err:
        # The campaign has gone on elsewhere; next comes what is asked now.
        complain("This is no longer possible:", [str(problem) for problem in err.problems])
    return True
