"""The lines of both sides: drawn when redeployment begins, and once more when it is over (PL 3.2).

Each side draws its links. Between the two drawings the lines are frozen, so that every unit faces the same map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

from laager.base import Problem, RefusedError
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Placing,
    Procedure,
    Question,
    Record,
    Rows,
    SecretQuestion,
    Text,
    ask_all,
    at_once,
    implements,
    step,
)
from laager.hexmap import FrontInputs, FrontLink, LinkChoice, check_link, default_links, link_choices, link_hexes
from laager.hexmap.coords import WAY_EXAMPLE, parse_way
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, change_marks, is_vehicle
from laager.rules.board.facts import Agreed
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FrontDrawn
from laager.rules.platoon_leader.redeployment.destinations import in_writing
from laager.rules.platoon_leader.redeployment.hidden import (
    guns_controlled,
    hip_lost,
    may_hide,
    works_question,
    works_revealed,
)
from laager.rules.platoon_leader.redeployment.judgement import judge_option
from laager.rules.platoon_leader.redeployment.situations import in_friendly_mlr
from laager.rules.platoon_leader.reorganization.control import control_passes
from laager.rules.platoon_leader.state import FrontLine

Row = Mapping[str, Any]

OPTIONS = Choice(
    (
        Option("A", "Option A: each unit redeploys on the map; where it ended the firefight matters"),
        Option("B", "Option B: units back in a friendly MLR set up again in it; faster and kinder"),
    )
)
"""The Redeployment Options (PL 3.2)."""

KINDS = Choice((Option("cluster", "between clusters"), Option("edge", "to the Friendly Map Edge")))


def front_inputs(cg: Cg, line: FrontLine) -> FrontInputs:
    """Return what the map package works a front out from."""
    return FrontInputs(
        {side: frozenset(hexes) for side, hexes in line.controlled.items()},
        line.ground,
        {side: cg.edges(side) for side in cg.card.sides},
        int(cg.reading("cthc-radius")),
        cg.reading("edge-links") == "nearest",
    )


def to_rows(links: Sequence[FrontLink]) -> list[dict[str, str]]:
    """Return links as rows of an answer."""
    return [{"hexes": in_writing(link.hexes), "kind": link.kind} for link in links]


def from_row(row: Row) -> FrontLink | None:
    """Return the link of a row; None if it has not two hexes."""
    hexes = tuple(parse_way(row["hexes"]))
    return FrontLink.along(hexes, row["kind"]) if len(hexes) > 1 else None


def from_rows(rows: Sequence[Row]) -> tuple[FrontLink, ...]:
    """Return the links of an accepted answer."""
    links = (from_row(row) for row in rows)
    return tuple(link for link in links if link is not None)


def link_problems(cg: Cg, inputs: FrontInputs, side: str, rows: Sequence[Row]) -> Iterator[Problem]:
    """Yield what is against the links of an answer (PL GEO G6)."""
    seen: set[tuple[str, str]] = set()
    for i, row in enumerate(rows):
        link = from_row(row)
        if link is None:
            message, right = f"{row['hexes']!r} is not a link", f"two hexes or more {WAY_EXAMPLE}"
            yield Problem(message, right, f"[{i + 1}].hexes")
            continue
        try:
            wrong = check_link(cg.map, inputs, side, link)
        except RefusedError as err:
            yield err.at(f"[{i + 1}].hexes")
            continue
        yield from (Problem(p.what, p.right, f"[{i + 1}].hexes") for p in wrong)
        if same_way(link) in seen:
            yield Problem("the same link twice", "leave one out", f"[{i + 1}].hexes")
        seen.add(same_way(link))


def same_way(link: FrontLink) -> tuple[str, str]:
    """Return what is the same for one link however it is written: its kind, and one direction."""
    return link.kind, min(in_writing(link.hexes), in_writing(link.hexes[::-1]))


def links_form(option: str) -> Record:
    """Return the form of an answer: the links, and the Redeployment Option if it can change."""
    form = Rows.of(Field("hexes", Text(600), f"All its hexes {WAY_EXAMPLE}"), Field("kind", KINDS, "Kind", "cluster"))
    links = Field("links", form, "The links")
    if not option:
        return Record.of(links)
    label = f"Redeployment Option; {option} stays unless both sides want the other"
    return Record.of(links, Field("option", OPTIONS, label, option))


@implements("PL 1.4 Main Line of Resistance", "PL GEO")
def links_question(
    cg: Cg, line: FrontLine, side: str, *, default: Sequence[FrontLink] | None = None, note: str = "", option: str = ""
) -> SecretQuestion:
    """Ask a side for its links; by default the proposed ones, with all equally short chains.

    `note` is what both sides should know before they answer; `option` the Redeployment Option in
    use, if they can change it now.
    """
    inputs = front_inputs(cg, line)
    proposed = default_links(cg.map, inputs, side) if default is None else tuple(default)
    choices = link_choices(cg.map, inputs, side)

    def check(answer: Mapping[str, Any]) -> list[Problem]:
        problems = link_problems(cg, inputs, side, answer["links"])
        return [problem.inside("links") for problem in problems]

    def suggest(rng: Random) -> dict[str, Any]:
        if default is not None:
            return answer(default)
        chosen = [rng.choice(choice.links) for choice in choices if rng.random() < 0.9]
        return answer(tuple({same_way(link): link for link in chosen}.values()))

    def answer(links: Sequence[FrontLink]) -> dict[str, Any]:
        return {"links": to_rows(links)} | ({"option": option} if option else {})

    return SecretQuestion(
        key="mlr-links",
        side=side,
        text=f"{note}Which links make your MLR? They join clusters to one another and to your map "
        "edge; clusters that are joined are one MLR.",
        form=links_form(option),
        rule="PL 1.4 Main Line of Resistance",
        default=answer(proposed),
        help=_alternatives(choices),
        check=check,
        suggest=suggest,
        placing=Placing(lambda: {"hexes": link_hexes(cg.map, inputs, side)}),
    )


def _alternatives(choices: Sequence[LinkChoice]) -> str:
    lines = ["A link is a shortest chain; several between two clusters are allowed, also none."]
    for choice in choices:
        others = [in_writing(link.hexes) for link in choice.links if link != choice.proposed]
        if others:
            more = choice.count - len(choice.links)
            rest = f" and {more} more" if more > 0 else ""
            lines.append(f"Instead of {in_writing(choice.proposed.hexes)}: {', '.join(others)}{rest}.")
    return "\n".join(lines)


# The phase ------------------------------------------------------------------------------------


AT_START, FINAL = "redeployment", "final"
"""The stages of a firefight's lines."""

Links = Mapping[str, tuple[FrontLink, ...]]


@step(
    "PL 3.2",
    "Redeployment Phase: the lines are drawn",
    also=(
        *("PL 3.212", "PL GEO", "PL 1.4 Main Line of Resistance"),
        *("PL 1.4 Controlled Terrain Hex Cluster", "PL 1.4 Friendly Map Edge", "PL 1.4 FMLR"),
        *("PL 1.4 Strategic Terrain", "PL 1.4 Woods-Line", "PL 1.4 Military Crest"),
        *("PL 1.4 Isolated Location", "PL 1.4 No Man's Land", "PL 1.4 Uncontrolled Terrain"),
    ),
    edition=3,
)
def redeployment_phase(cg: Cg) -> Procedure[None]:
    """Agree on the option, reveal works, draw both MLRs, and see which units stand where."""
    yield from at_once(agree_on_option(cg), reveal_works(cg))
    yield from yield_facts(crests_taken(cg))
    line = cg.line_now(AT_START)
    links = yield from drawn_by_both(cg, line)
    yield front_drawn(line, links, "clusters and links as both sides have them")
    yield from yield_facts(hip_lost(cg))


# The option -------------------------------------------------------------------------------------


@implements("PL 3.2")
def agree_on_option(cg: Cg) -> Procedure[None]:
    """Before the first redeployment ask both sides which option they use, until they agree."""
    note = ""
    answers: Mapping[str, str] = {}
    for number in count():
        if cg.state.option:
            return
        before = answers
        answers = yield from ask_all(_option_question(cg, side, note, before, number) for side in SIDES)
        wanted = sorted(set(answers.values()))
        if len(wanted) == 1:
            yield Agreed(about="option", value=wanted[0], why="both sides agree")
        note = "You do not agree yet: " + ", ".join(
            f"{cg.side(side).name} want {option}" for side, option in answers.items()
        )


def _option_question(cg: Cg, side: str, note: str, before: Mapping[str, str], number: int) -> Question:
    ask = "Which Redeployment Option do you both use?"
    return Question(
        key="redeployment-option",
        side=side,
        text=f"{note}. {ask}" if note else ask,
        form=OPTIONS,
        default="A",
        help="One option for both sides; keeping it for the whole campaign is advised. It can be "
        "changed together with your lines later on, if both sides want that.",
        suggest=(lambda _: "A") if note else None,
        judge=lambda temper: judge_option(cg, side, temper, before, number),
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
        yield from yield_facts(works_revealed(cg, side, answers[side]))


def crests_taken(cg: Cg) -> Iterator[Fact]:
    """Crests have the controller that follows from Control as it is (PL 1.4 Military Crest)."""
    return control_passes(cg, {}, "")


def drawn_by_both(cg: Cg, line: FrontLine, default: Links | None = None) -> Procedure[Links]:
    """Have both sides draw their links; shown together, and again if both are Isolated by them.

    With the links of the first drawing they can change the Redeployment Option, too.
    """
    links: Links = default or {}
    option = cg.state.option if line.stage == AT_START and cg.state.past else ""
    note = ""
    able = [side for side in SIDES if line.controlled[side]]
    while True:
        answers = yield from ask_all(
            links_question(cg, line, side, default=links.get(side), note=note, option=option) for side in able
        )
        before = links
        links = {s: from_rows(answers[s]["links"]) if s in able else () for s in SIDES}
        picture = cg.draw(replace(line, links=_data(links)))
        if not picture.mutual_isolation or (note and links == before):
            yield from yield_facts(option_changed(option, answers))
            return links
        note = "These lines isolate both sides: " + "; ".join(
            f"{cg.side(side).name} in {', '.join(cg.sort(picture.isolated[side]))}" for side in SIDES
        )
        note += ". Keep your links, or choose others. "


def front_drawn(line: FrontLine, links: Links, why: str) -> FrontDrawn:
    """Return the fact that the front was drawn."""
    return FrontDrawn(
        stage=line.stage, controlled=dict(line.controlled), ground=dict(line.ground), links=_data(links), why=why
    )


def _data(links: Links) -> dict[str, tuple[Any, ...]]:
    return {side: tuple(link.to_data() for link in chosen) for side, chosen in links.items()}


# The end of redeployment ------------------------------------------------------------------------


@step("PL 3.25", "Final positions", also=("PL 1.4 Isolated Units",))
def final_positions(cg: Cg) -> Procedure[None]:
    """Draw the lines once more, as they stand until the next firefight is over, and mark Isolated units."""
    yield from yield_facts(guns_controlled(cg))
    yield from yield_facts(crests_taken(cg))
    line = cg.line_now(FINAL)
    links = yield from final_links(cg, line)
    yield front_drawn(line, links, "recorded after all redeployment")
    yield from yield_facts(isolation_marks(cg))


def final_links(cg: Cg, line: FrontLine) -> Procedure[Links]:
    """Keep the links if the ground is as it was; otherwise both sides draw again."""
    first = cg.state.line
    assert first is not None, "the lines were drawn at the start of 3.2"
    stored = first.links or {}
    kept = {side: tuple(map(FrontLink.from_data, stored.get(side, ()))) for side in SIDES}
    if (line.controlled, line.ground) == (first.controlled, first.ground):
        return kept
    legal = {side: _still_legal(cg, line, side, kept[side]) for side in SIDES}
    return (yield from drawn_by_both(cg, line, legal))


def _still_legal(cg: Cg, line: FrontLine, side: str, links: Sequence[FrontLink]) -> tuple[FrontLink, ...]:
    """Return the links that can stay, with what is now proposed besides them."""
    inputs = front_inputs(cg, line)
    fine = [link for link in links if not any(link_problems(cg, inputs, side, to_rows([link])))]
    proposed = default_links(cg.map, inputs, side)
    return tuple({same_way(link): link for link in (*fine, *proposed)}.values())


@implements("PL 1.4 Isolated Units", "PL 3.211")
def isolation_marks(cg: Cg) -> Iterator[Fact]:
    """Units outside a friendly MLR now are Isolated and short of ammunition; no others are.

    That is units in an Isolated Location, and those left in Uncontrolled Terrain or No Man's
    Land (PL 3.216, 3.217).
    """
    marks = (Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE)
    for side in SIDES:
        for unit in cg.state.units_of(side):
            if unit.kind not in INFANTRY and not is_vehicle(unit):
                continue
            if _outside(cg, unit):
                yield from change_marks(unit, add=marks, why=f"Isolated in {unit.at}")
            elif unit.has(Mark.ISOLATED):
                yield from change_marks(unit, remove=marks, why="no longer Isolated")


def _outside(cg: Cg, unit: Unit) -> bool:
    return unit.on_map and unit.at is not None and not in_friendly_mlr(cg, unit)
