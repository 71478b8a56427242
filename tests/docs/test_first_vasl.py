"""The guide that takes a firefight through VASL, followed to the letter: typed, and played in VASL's own engine."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from laager.campaign.engine import Campaign
from laager.catalogue.load import load_packaged
from laager.cli.play.campaign_file import looked_at
from laager.vasl import boards_at, read_counters, setup_of
from laager.vasl.saves.marks import DIGITS
from laager.vasl.saves.sequence import AddCommand, WorkLimit, fold
from laager.vasl.saves.traits import TAB, traits_of
from laager.vasl.setup.battle import BattleSetup
from laager.vasl.setup.board import Battlefield
from laager.vasl.setup.counters import CounterMaker, stack_command
from laager.vasl.setup.plan import CONCEALED, HIP, UNSEEN
from laager.vasl.setup.units import CounterFinder
from laager.vasl.setup.writing import mark_of
from tests.cli.conftest import Laager, laager
from tests.vasl.engine import MODULE, ask, needs_engine, needs_module
from tests.vasl.save_writer import move, sequence
from tests.vasl.test_round_trip import Battle

from .pages import DOCS, blocks, text_of

__all__ = ["laager"]
pytestmark = [needs_module, needs_engine]

PAGE = DOCS / "guide" / "first-evening-in-vasl.md"
PLAYED = re.compile(r"<!-- in VASL: (hide \w+|fight): (\S+) to (\S+) -->")
AGAIN = "<!-- again until the reports are asked for -->"
WORDS = {"axis": "axis-word", "allied": "allied-word"}
"""The players' passwords in VASL, by which it knows whose the hidden pieces are."""


@dataclass(frozen=True)
class Done:
    """Something that the page has its reader do: commands with what they print, or a note about VASL."""

    line: int
    text: str
    is_note: bool


def what_the_reader_does() -> Iterator[Done]:
    """Yield the page's blocks of commands and its notes about VASL, in its order."""
    notes = [Done(n, line, True) for n, line in enumerate(text_of(PAGE).splitlines(), 1) if line.startswith("<!-- ")]
    typed = [Done(block.line, block.text, False) for block in blocks(PAGE)]
    yield from sorted([*notes, *typed], key=lambda each: each.line)


def campaign() -> Campaign:
    return looked_at(Path("training.laager"))


def setup(side: str) -> BattleSetup:
    return setup_of(campaign(), side, read_counters(Path("counters.gz")), boards_at(Path()), "Mill", ["Mill"])


class Table(Battle):
    """A game in VASL, with what its players do, as VASL writes it into a log; `dead` are in the Casualties window."""

    dead: tuple[str, ...] = ()

    def set_state(self, piece: str, trait: str, state: str) -> None:
        """Give a trait of a piece another state, as its key does."""
        added = self.added[piece]
        traits = traits_of(added, WorkLimit())
        states = [state if one.id == trait else one.state for one in traits]
        new = fold(states, TAB)
        self.steps.append("D/" + sequence([piece, new, added.state], "/"))
        self.added[piece] = AddCommand(added.id, added.type, new)


def hide(table: Table, side: str) -> None:
    """Conceal and hide all that Laager lists for a side."""
    made = setup(side)
    for pile in made.plan.piles:
        for piece in pile.pieces:
            mark = mark_of(piece.key, pile.seen, made.marks)
            if pile.seen == CONCEALED:
                table.set_state(mark, "conceal", f"{WORDS[side]};|0")
            elif pile.seen in (HIP, UNSEEN):
                table.set_state(mark, "hide", WORDS[side])


def squads_in(side: str, at: str) -> list[str]:
    """Return the numbers of a side's squads in a hex, those without a weapon first."""
    made = setup(side)
    units = campaign().state.units
    armed = {unit.with_unit for unit in units.values()}
    there = [unit.id for unit in campaign().state.units_of(side, "squad") if unit.at == at]
    squads = sorted((unit_id in armed, unit_id) for unit_id in there)
    return [made.marks.of(unit_id, known=units[unit_id].known) for _, unit_id in squads]


def fight(table: Table) -> None:
    """A squad takes the bridge, one breaks, a Soviet one dies; a Control counter lies on the bridge."""
    made = setup("axis")
    assert isinstance(made.ground, Battlefield)
    bridge = made.ground.pixel("G5")
    assert bridge is not None
    mover, broken = squads_in("axis", "E8")
    dead = squads_in("allied", "F2")[0]
    for piece in (mover, broken):
        table.set_state(piece, "conceal", "null;")
    table.steps.append(move(mover, bridge))
    table.flip(broken, "broken +")
    table.set_state(dead, "conceal", "null;")
    table.dead = (dead,)
    table.steps.append(move(dead, (100, 100), on="Casualties"))
    finder = CounterFinder(made.module, CounterMaker(made.module, "Ann"))
    control = finder.counter_of_nation(load_packaged("german").nation("german"), "Control")
    assert control is not None
    table.steps += [
        control.command("990001", "Main Map", *bridge),
        stack_command("990002", "Main Map", *bridge, ["990001"]),
    ]


def play(note: str) -> None:
    """Do in VASL's engine what a note of the page says: open a save, play, save the game under another name."""
    match = PLAYED.fullmatch(note)
    assert match is not None, note
    table = Table(Path(match[2]).read_bytes())
    if match[1] == "fight":
        fight(table)
    else:
        hide(table, match[1].removeprefix("hide "))
    Path("steps.vlog").write_bytes(table.log())
    told = ask(Path(match[2]).absolute(), Path().absolute(), "--continue", Path("steps.vlog").absolute(), "--resave",
               Path(match[3]).absolute())  # fmt: skip
    # VASL's own counters in the Casualties window have shorter numbers.
    pieces = {added.id for added in table.added.values() if added.type != "stack" and len(added.id) == DIGITS}
    assert pieces - told.by_id.keys() <= set(table.dead)


def type_commands(laager: Laager, text: str) -> None:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        program, *words = shlex.split(command)
        assert program == "laager"
        ended = laager(*words)
        assert ended.code == 0, (command, ended.text)
        assert [line for line in shown if line != "…" and line not in ended.text.splitlines()] == [], command


def test_the_page_leads_through_vasl_to_the_report(laager: Laager) -> None:
    Path("VASL.vmod").symlink_to(MODULE)
    last = ""
    for done in what_the_reader_does():
        if not done.is_note:
            last = done.text
            type_commands(laager, last)
        elif done.text == AGAIN:
            while "[battle-report]" not in laager.well("status"):
                type_commands(laager, last)
        else:
            play(done.text)
    log = laager.well("log")
    for reported in (" breaks, ", " is now in G5, ", "(eliminated in play)", "Germans Control G5 (reported at"):
        assert reported in log
