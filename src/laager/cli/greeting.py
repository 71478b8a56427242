"""`laager` typed alone: what it is, and the ways in."""

from __future__ import annotations

from pathlib import Path

from laager import __version__
from laager.cli.asking.person import at_terminal
from laager.cli.out import say

TRAINING = "training"
"""The shipped campaign to learn with."""

Words = tuple[str, ...]

LEARN = ("new", TRAINING)
BROWSER = ("serve",)
CARDS = ("cards",)
CHOOSE = ("new",)
HELP = ("--help",)


def greet() -> tuple[Words, ...]:
    """Say what Laager is and where to begin. Return the commands that the person chose; none in a pipe."""
    say(
        f"Laager {__version__}: the referee for campaign games of Advanced Squad Leader.",
        "It leads both sides through everything between the battles. You fight the battles on your table or in VASL.",
        "",
    )
    terminal = at_terminal()
    ways = _ways(terminal)
    if not terminal:
        room = max(len(_command_line(words)) for words, _ in ways)
        say(*(f"  {_command_line(words).ljust(room)}   {title}" for words, title in ways))
        return ()
    from laager.cli.asking.menus import BackError, select

    try:
        chosen: Words = select("What do you want to do?", ways, back="Nothing now")
    except BackError:
        return ()
    say(f"$ {_command_line(chosen)}")
    return (chosen, _go_on(f"{TRAINING}.laager")) if chosen == LEARN else (chosen,)


def _ways(terminal: bool) -> list[tuple[Words, str]]:
    here = sorted(path.name for path in Path().glob("*.laager"))
    going = [(_go_on(name), f"Go on with {name}") for name in here]
    learn = [] if f"{TRAINING}.laager" in here else [(LEARN, "Learn it here: a small campaign with hints, 20 minutes")]
    return [
        *going,
        (BROWSER, "Play in the browser"),
        *learn,
        (CHOOSE, "Compare the campaigns, and begin one") if terminal else (CARDS, "See which campaigns there are"),
        (HELP, "See all commands"),
    ]


def _go_on(name: str) -> Words:
    # A learner plays both sides, so nothing has to be hidden between them.
    return ("next", "-c", name, *(("--solo",) if name == f"{TRAINING}.laager" else ()))


def _command_line(words: Words) -> str:
    return " ".join(("laager", *words))
