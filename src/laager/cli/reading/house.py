"""The command for house rules: a file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import READ, Force, RulesetName, examples
from laager.cli.out import say
from laager.cli.writing import write_texts

app = typer.Typer()
"""`laager.cli.app` takes this command over as its own."""


@app.command(
    rich_help_panel=READ,
    short_help="a file of house rules to begin with",
    epilog=examples(
        "laager house pl                      everything that can be changed", "laager house pl --write house.yaml"
    ),
)
def house(
    ruleset: RulesetName,
    write: Annotated[Path | None, typer.Option("--write", metavar="FILE", help="Write it into this file.")] = None,
    force: Force = False,
) -> None:
    """Print a file of house rules: everything that can be changed, as it is printed, to take the # off."""
    from laager.campaign.house import printed_of
    from laager.campaign.house.template import house_template
    from laager.campaign.ruleset import find_ruleset

    rules = find_ruleset(ruleset)
    text = house_template(printed_of(rules), rules.title)
    if write is None:
        say(text.rstrip())
        return
    write_texts({write: text}, force)
    say(f"check it with: laager check {write}; begin with it: laager new CARD --house {write}")
