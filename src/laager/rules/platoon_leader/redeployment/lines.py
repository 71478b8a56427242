"""The lines of both sides: drawn when redeployment begins, and once more when it is over (PL 3.2).

Between the two drawings they are frozen, so that every unit faces the same map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from laager.campaign import Fact, Procedure, Question, ask_all, implements, step
from laager.hexmap import Link, default_links
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, is_vehicle, marked
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import Agreed, FrontDrawn
from laager.rules.platoon_leader.redeployment.hidden import (
    guns_controlled,
    hip_lost,
    may_hide,
    works_question,
    works_revealed,
)
from laager.rules.platoon_leader.redeployment.mlr_links import (
    OPTIONS,
    from_rows,
    front_inputs,
    link_problems,
    links_question,
    same_way,
    to_rows,
)
from laager.rules.platoon_leader.redeployment.situations import in_friendly_mlr
from laager.rules.platoon_leader.reorganization.control import control_passes
from laager.rules.platoon_leader.state import Line

AT_START, FINAL = "redeployment", "final"
"""The stages of a firefight's lines."""

Links = Mapping[str, tuple[Link, ...]]


@step(
    "PL 3.2",
    "Redeployment Phase: the lines are drawn",
    also=(
        *("PL 3.212", "PL GEO", "PL 1.4 Main Line of Resistance"),
        *("PL 1.4 Controlled Terrain Hex Cluster", "PL 1.4 Friendly Map Edge", "PL 1.4 FMLR"),
        *("PL 1.4 Strategic Terrain", "PL 1.4 Woods-Line", "PL 1.4 Military Crest"),
        *("PL 1.4 Isolated Location", "PL 1.4 No Man's Land", "PL 1.4 Uncontrolled Terrain"),
    ),
)
def redeployment_phase(cg: Cg) -> Procedure[None]:
    """Agree on the option, reveal works, draw both MLRs, and see who stands where."""
    yield from agree_on_option(cg)
    yield from reveal_works(cg)
    yield from tell(crests_taken(cg))
    line = cg.line_now(AT_START)
    links = yield from drawn_by_both(cg, line)
    yield drawn(line, links, "clusters and links as both sides have them")
    yield from tell(hip_lost(cg))


# The option -------------------------------------------------------------------------------------


@implements("PL 3.2")
def agree_on_option(cg: Cg) -> Procedure[None]:
    """Before the first redeployment ask both sides which option they use, until they agree."""
    told = ""
    while not cg.state.option:
        answers = yield from ask_all(_option_question(side, told) for side in SIDES)
        wanted = sorted(set(answers.values()))
        if len(wanted) == 1:
            yield Agreed(about="option", value=wanted[0], why="both sides agree")
        told = "You do not agree yet: " + ", ".join(
            f"{cg.side(side).name} want {option}" for side, option in answers.items()
        )


def _option_question(side: str, told: str) -> Question:
    ask = "Which Redeployment Option do you both use?"
    return Question(
        key="redeployment-option",
        side=side,
        text=f"{told}. {ask}" if told else ask,
        form=OPTIONS,
        rule="PL 3.2",
        default="A",
        help="One option for both sides; keeping it for the whole campaign is advised. It can be "
        "changed together with your lines later on, if both sides want that.",
        suggest=(lambda _: "A") if told else None,
    )


def option_changed(now: str, answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Fact]:
    """Return the change to the other option, if every side that was asked wants it."""
    wanted = {answer.get("option", now) for answer in answers.values()}
    if len(answers) == len(SIDES) and wanted != {now} and len(wanted) == 1:
        yield Agreed(about="option", value=wanted.pop(), why=f"both sides change Option {now}")


# What makes the lines ---------------------------------------------------------------------------


def reveal_works(cg: Cg) -> Procedure[None]:
    """Each side chooses in secret which hidden works are revealed; all answers count at once."""
    able = [side for side in SIDES if may_hide(cg, side)]
    answers = yield from ask_all(works_question(cg, side) for side in able)
    for side in able:
        yield from tell(works_revealed(cg, side, answers[side]))


def crests_taken(cg: Cg) -> Iterator[Fact]:
    """Crests have the controller that follows from Control as it is (PL 1.4 Military Crest)."""
    return control_passes(cg, {}, "")


def drawn_by_both(cg: Cg, line: Line, default: Links | None = None) -> Procedure[Links]:
    """Have both sides draw their links; shown together, and again if both are Isolated by them.

    With the links of the first drawing they may change the Redeployment Option, too.
    """
    links: Links = default or {}
    option = cg.state.option if line.stage == AT_START and cg.state.past else ""
    told = ""
    able = [side for side in SIDES if line.controlled[side]]
    while True:
        answers = yield from ask_all(
            links_question(cg, line, side, default=links.get(side), told=told, option=option) for side in able
        )
        before = links
        links = {s: from_rows(answers[s]["links"]) if s in able else () for s in SIDES}
        picture = cg.draw(replace(line, links=_data(links)))
        if not picture.mutual_isolation or (told and links == before):
            yield from tell(option_changed(option, answers))
            return links
        told = "These lines isolate both sides: " + "; ".join(
            f"{cg.side(side).name} in {', '.join(cg.sort(picture.isolated[side]))}" for side in SIDES
        )
        told += ". Keep your links, or choose others. "


def drawn(line: Line, links: Links, why: str) -> FrontDrawn:
    """Return the fact that the front was drawn."""
    return FrontDrawn(
        stage=line.stage, controlled=dict(line.controlled), ground=dict(line.ground), links=_data(links), why=why
    )


def _data(links: Links) -> dict[str, tuple[Any, ...]]:
    return {side: tuple(link.to_data() for link in chosen) for side, chosen in links.items()}


# The end of redeployment ------------------------------------------------------------------------


@step("PL 3.25", "Final positions", also=("PL 1.4 Isolated Units",))
def final_positions(cg: Cg) -> Procedure[None]:
    """Draw the lines once more, as they stand until the next firefight is over; who is Isolated."""
    yield from tell(guns_controlled(cg))
    yield from tell(crests_taken(cg))
    line = cg.line_now(FINAL)
    links = yield from final_links(cg, line)
    yield drawn(line, links, "recorded after all redeployment")
    yield from tell(isolation_marks(cg))


def final_links(cg: Cg, line: Line) -> Procedure[Links]:
    """Keep the links if the ground is as it was; otherwise both sides draw anew."""
    first = cg.state.line
    assert first is not None, "the lines were drawn at the start of 3.2"
    stored = first.links or {}
    kept = {side: tuple(map(Link.from_data, stored.get(side, ()))) for side in SIDES}
    if (line.controlled, line.ground) == (first.controlled, first.ground):
        return kept
    legal = {side: _still_legal(cg, line, side, kept[side]) for side in SIDES}
    return (yield from drawn_by_both(cg, line, legal))


def _still_legal(cg: Cg, line: Line, side: str, links: Sequence[Link]) -> tuple[Link, ...]:
    """Return the links that can stay, with what is now proposed beside them."""
    inputs = front_inputs(cg, line)
    fine = [link for link in links if not any(link_problems(cg, inputs, side, to_rows([link])))]
    proposed = default_links(cg.map, inputs, side)
    return tuple({same_way(link): link for link in (*fine, *proposed)}.values())


@implements("PL 1.4 Isolated Units", "PL 3.211")
def isolation_marks(cg: Cg) -> Iterator[Fact]:
    """Who is outside a friendly MLR now is Isolated and short of ammunition; nobody else is.

    That is anybody in an Isolated Location, and those left in Uncontrolled Terrain or No Man's
    Land (PL 3.216, 3.217).
    """
    marks = (Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE)
    for side in SIDES:
        for unit in cg.state.units_of(side):
            if unit.kind not in INFANTRY and not is_vehicle(unit):
                continue
            if _outside(cg, unit):
                yield from marked(unit, add=marks, why=f"Isolated in {unit.at}")
            elif unit.has(Mark.ISOLATED):
                yield from marked(unit, remove=marks, why="no longer Isolated")


def _outside(cg: Cg, unit: Unit) -> bool:
    return unit.on_map and unit.at is not None and not in_friendly_mlr(cg, unit)
