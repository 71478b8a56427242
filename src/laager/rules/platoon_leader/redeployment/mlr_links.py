"""The links that a side draws for its MLR: what is proposed, what else there is, what is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem, RefusedError
from laager.campaign import Choice, Field, Option, Question, Record, Rows, Text, implements
from laager.hexmap import FrontInputs, Link, LinkChoice, check_link, default_links, link_choices
from laager.hexmap.ranges import LIKE_WAY, chain
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.destinations import shown
from laager.rules.platoon_leader.state import Line

Row = Mapping[str, Any]

OPTIONS = Choice(
    (
        Option("A", "each unit redeploys on the map; where it ended the firefight matters"),
        Option("B", "units back in a friendly MLR set up anew in it; faster and kinder"),
    )
)
"""The Redeployment Options (PL 3.2)."""

KINDS = Choice((Option("cluster", "between clusters"), Option("edge", "to the Friendly Map Edge")))


def front_inputs(cg: Cg, line: Line) -> FrontInputs:
    """Return what the map package works a front out from."""
    return FrontInputs(
        {side: frozenset(hexes) for side, hexes in line.controlled.items()},
        line.ground,
        {side: cg.edges(side) for side in cg.card.sides},
        int(cg.reading("cthc-radius")),
    )


def to_rows(links: Sequence[Link]) -> list[dict[str, str]]:
    """Return links as rows of an answer."""
    return [{"hexes": shown(link.hexes), "kind": link.kind} for link in links]


def from_row(row: Row) -> Link | None:
    """Return the link of a row; None if it has not two hexes."""
    hexes = tuple(chain(row["hexes"]))
    return Link.along(hexes, row["kind"]) if len(hexes) > 1 else None


def from_rows(rows: Sequence[Row]) -> tuple[Link, ...]:
    """Return the links of an accepted answer."""
    links = (from_row(row) for row in rows)
    return tuple(link for link in links if link is not None)


def link_problems(cg: Cg, inputs: FrontInputs, side: str, rows: Sequence[Row]) -> Iterator[Problem]:
    """Yield what is against the links of an answer (PL GEO G6)."""
    seen: set[tuple[str, str]] = set()
    for i, row in enumerate(rows):
        link = from_row(row)
        if link is None:
            what, right = f"{row['hexes']!r} is no link", f"two hexes or more {LIKE_WAY}"
            yield Problem(what, right, f"[{i + 1}].hexes")
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


def same_way(link: Link) -> tuple[str, str]:
    """Return what is the same for one link however it is written: its kind, and one direction."""
    return link.kind, min(shown(link.hexes), shown(link.hexes[::-1]))


def links_form(option: str) -> Record:
    """Return the form of an answer: the links, and the Redeployment Option if it may change."""
    row = Record((Field("hexes", Text(600), f"All its hexes {LIKE_WAY}"), Field("kind", KINDS, "Kind", "cluster")))
    links = Field("links", Rows(row), "The links")
    if not option:
        return Record((links,))
    label = f"Redeployment Option; {option} stays unless both sides want the other"
    return Record((links, Field("option", OPTIONS, label, option)))


@implements("PL 1.4 Main Line of Resistance", "PL GEO")
def links_question(
    cg: Cg, line: Line, side: str, *, default: Sequence[Link] | None = None, told: str = "", option: str = ""
) -> Question:
    """Ask a side for its links; by default the proposed ones, with all equally short chains.

    `told` is what both sides should know before they answer; `option` the Redeployment Option in
    use, if they may change it now.
    """
    inputs = front_inputs(cg, line)
    proposed = default_links(cg.map, inputs, side) if default is None else tuple(default)
    choices = link_choices(cg.map, inputs, side)

    def check(answer: Mapping[str, Any]) -> list[Problem]:
        found = link_problems(cg, inputs, side, answer["links"])
        return [problem.inside("links") for problem in found]

    def suggest(rng: Random) -> dict[str, Any]:
        if default is not None:
            return answer(default)
        chosen = [rng.choice(choice.links) for choice in choices if rng.random() < 0.9]
        return answer(tuple({same_way(link): link for link in chosen}.values()))

    def answer(links: Sequence[Link]) -> dict[str, Any]:
        return {"links": to_rows(links)} | ({"option": option} if option else {})

    return Question(
        key="mlr-links",
        side=side,
        text=f"{told}Which links make your MLR? They join clusters to one another and to your map "
        "edge; clusters that are joined are one MLR.",
        form=links_form(option),
        rule="PL 1.4 Main Line of Resistance",
        secret=True,
        default=answer(proposed),
        help=_alternatives(choices),
        check=check,
        suggest=suggest,
    )


def _alternatives(choices: Sequence[LinkChoice]) -> str:
    lines = ["A link is a shortest chain; several between two clusters are allowed, also none."]
    for choice in choices:
        others = [shown(link.hexes) for link in choice.links if link != choice.proposed]
        if others:
            more = choice.count - len(choice.links)
            rest = f" and {more} more" if more > 0 else ""
            lines.append(f"Instead of {shown(choice.proposed.hexes)}: {', '.join(others)}{rest}.")
    return "\n".join(lines)
