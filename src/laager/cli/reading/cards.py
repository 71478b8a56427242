"""The cards that one can choose from: a table to compare them, and all that one says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.cli.options import READ, AsJson, examples
from laager.cli.out import listing, print_sheets, say, say_wrapped, show_json

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.cards import ShippedCard
    from laager.campaign.summary import CardSummary, PlayingTime

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""

SOURCES = {
    "house": "house data",
    "own": "somebody's own data",
    "published": "published data, typed in by an owner of the module",
}
"""Where a card's figures come from, in words."""


@app.command(
    rich_help_panel=READ,
    short_help="the campaigns that come with Laager",
    epilog=examples("laager cards", "laager cards rzhavets", "laager cards my-card.yaml"),
)
def cards(
    card: Annotated[
        str | None, typer.Argument(metavar="CARD", help="Tell about this one: a shipped card, or a file.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the campaigns that come with Laager, or tell what one of them is."""
    from laager.cli.play.campaign_file import warn_of_broken_rules

    if card is not None:
        _tell(card, json)
        return
    warn_of_broken_rules()
    all_cards = list_shipped()
    if json:
        show_json([_describe(listed) for listed in all_cards])
        return
    print_sheets([table(all_cards, ("begin one with: laager new CARD; read more with: laager cards CARD",))], json)


def list_shipped() -> list[ShippedCard]:
    """Return the cards that come with Laager, the shortest first."""
    from laager.campaign.cards import shipped_cards

    def hours(card: ShippedCard) -> float:
        takes = card.summary.takes
        return takes.hours if takes else float("inf")

    return sorted(shipped_cards(), key=hours)


def table(cards: list[ShippedCard], notes: tuple[str, ...] = ()) -> Sheet:
    """Return what players compare, a row for each card; whose data it is stands below if all are Laager's."""
    rows: list[tuple[str, ...]] = []
    for card in cards:
        facts = card.summary
        _, sides, battles, time = _facts(facts)
        month = f"{facts.first:%b %Y}" if facts.first else ""
        place = ", ".join(filter(None, (facts.theatre, month)))
        who = ": ".join(filter(None, (place, sides)))
        rows.append((card.id, card.title, card.ruleset, who, ", ".join(filter(None, (battles, time))), card.source))
    columns: tuple[str, ...] = ("Card", "Campaign", "Rules", "Where, when, who", "Length", "Data")
    if {card.source for card in cards} == {"house"}:
        rows, columns = [row[:-1] for row in rows], columns[:-1]
        notes = ("all of them are house data, made for Laager", *notes)
    return listing("Campaigns that come with Laager", columns, rows, notes if rows else ())


def _facts(summary: CardSummary) -> tuple[str, str, str, str]:
    """Return where and when, between whom, how many battles, how long."""
    from laager.campaign.summary import in_english

    place = ", ".join(filter(None, (summary.theatre, in_english(summary))))
    sides = ", ".join(side.name + (f" {side.points}" if side.points else "") for side in summary.sides)
    return place, sides, _count_words(summary.battles, summary.battle) if summary.battles else "", _time(summary)


def _count_words(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("s" if count != 1 else "")


def _time(summary: CardSummary) -> str:
    """Return how long it takes; with a tilde if that is a rule of thumb."""
    takes: PlayingTime | None = summary.takes
    if takes is None:
        return ""
    most = takes.most or takes.least
    span = f"{most}" if most == takes.least else f"{takes.least} to {most}"
    unit = takes.unit if most != 1 else takes.unit[:-1]
    return f"{'~' if summary.estimated else ''}{span} {unit}"


def chosen_card() -> str:
    """Let a person choose a shipped card from the table; return its name.

    Raises WrongUseError in a pipe, where nobody can choose.
    """
    from laager.cli.asking.person import at_terminal
    from laager.cli.ending import WrongUseError

    if not at_terminal():
        raise WrongUseError("name a card; laager cards lists those that come with Laager")
    from laager.cli.asking.menus import BackError, select

    all_cards = list_shipped()
    print_sheets([table(all_cards)], as_json=False)
    try:
        return str(
            select("Which campaign?", [(card.id, f"{card.title} ({card.id})") for card in all_cards], back="None now")
        )
    except BackError:
        raise typer.Exit from None


# One card -----------------------------------------------------------------------------------------


def _tell(card: str, as_json: bool) -> None:
    from laager.base.files import read_document
    from laager.campaign import find_ruleset
    from laager.campaign.cards import ShippedCard, card_summary, find_card

    path, rules = find_card(card, None)
    document = read_document(path)
    ruleset = find_ruleset(rules)
    summary = card_summary(ruleset, document)
    if as_json:
        show_json(_describe(ShippedCard(path.stem, rules, summary.title, summary.source, path, document)))
        return
    place, sides, battles, time = _facts(summary)
    say(summary.title, "")
    lines = [
        ("Rules", ruleset.title),
        ("Where and when", place),
        ("Sides", sides),
        ("Battles", battles),
        ("Time", f"{time.removeprefix('~')} ({_basis_words(summary)})" if time else ""),
        ("Boards", ", ".join(summary.boards)),
        *((("You need" if i == 0 else ""), need) for i, need in enumerate(summary.needs)),
        ("Data", SOURCES.get(summary.source, summary.source)),
    ]
    room = max(len(name) for name, _ in lines)
    for name, text in lines:
        if text:
            say_wrapped(text, " " * (room + 4), f"  {name:<{room}}  ")
    for text in filter(None, (summary.about, summary.length)):
        say("")
        for paragraph in text.splitlines():
            say_wrapped(paragraph)
    say("", f"begin with: laager new {card}")


def _basis_words(summary: CardSummary) -> str:
    return "our estimate: an evening for each battle" if summary.estimated else "the designer's estimate"


def _describe(card: ShippedCard) -> dict[str, Any]:
    """Return a card as JSON."""
    summary = card.summary
    takes = summary.takes
    return {
        "id": card.id,
        "ruleset": card.ruleset,
        "title": card.title,
        "source": card.source,
        "file": str(card.path),
        "theatre": summary.theatre,
        "first": summary.first.isoformat() if summary.first else None,
        "last": summary.last.isoformat() if summary.last else None,
        "sides": [{"id": side.id, "name": side.name, "points": side.points} for side in summary.sides],
        "battles": summary.battles,
        "battle": summary.battle,
        "takes": takes.model_dump(mode="json") | {"estimated": summary.estimated} if takes else None,
        "boards": list(summary.boards),
        "needs": list(summary.needs),
    }
