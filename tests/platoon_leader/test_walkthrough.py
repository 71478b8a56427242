"""The worked campaign of two firefights, through the engine, number for number.

`walkthrough/*.yaml` tell it stage by stage: what the players answer, and a transcript of what has
to happen. In a transcript a line is a step, a roll

    clause | who | what | dice | DRM | final

or (=>) a fact, with the side in brackets if it is told to that side alone. The dice of the rolls
are those that are typed in. `quiet` names kinds of facts that are left out. An answer that is
`refused` is tried before the one that counts. What else a stage says holds at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.rules.board.card.parts import SIDES
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.buying.works import hip_cap
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Fight, PlState
from tests.platoon_leader.campaigns import faults, new_campaign, view_faults

TOLD = Path(__file__).parent / "walkthrough"

QUIET = {"unit-attached", "unit-hidden", "unit-revealed", "unit-fought"}
"""Facts that transcripts leave out always."""


def read(name: str) -> list[dict[str, Any]]:
    data = YAML(typ="safe").load((TOLD / f"{name}.yaml").read_text(encoding="utf-8"))
    return list(data["stages"])


# What happened, as text -------------------------------------------------------------------------


def transcript(campaign: Campaign, after: int, quiet: Iterable[str]) -> list[str]:
    """The log behind an entry as lines; steps in which nothing happened are left out."""
    lines: list[str] = []
    heading = ""
    for entry in campaign.entries[after:]:
        if entry.type == "step":
            heading = f"{entry.body['clause']} {campaign.ruleset.steps[entry.body['step']].title}"
            continue
        line = told(campaign, entry, quiet)
        if line and heading:
            lines.append(heading)
            heading = ""
        lines += [f"  {' '.join(line.split())}"] if line else []
    return lines


def told(campaign: Campaign, entry: Entry, quiet: Iterable[str]) -> str:
    body = entry.body
    secret = "" if entry.to is None else f" [{', '.join(entry.to)}]"
    if entry.type == "roll":
        dice = "+".join(map(str, body["faces"]))
        drm = ", ".join(f"{m['value']:+d} {m['reason']}" for m in body["modifiers"]) or "0"
        cells = (body["rule"], body["side"], body["label"], dice, drm, str(body["final"]))
        return " | ".join(cells) + secret
    if entry.type == "fact" and body["kind"] not in {*QUIET, *quiet}:
        return f"=> {campaign.fact_of(entry).tell()}{secret}"
    return ""


def squeezed(text: str) -> list[str]:
    """A transcript's lines, without the blanks that make it a table."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return [line if line.startswith("PL") and "|" not in line else f"  {line}" for line in lines]


def standing(unit: Unit) -> str:
    """A unit in a few words: what it is, where, with which markers."""
    where = unit.at if unit.on_map and unit.at else unit.place.value
    marks = ", ".join(sorted(mark.value for mark in unit.marks))
    holder = f" with {unit.with_unit}" if unit.with_unit else ""
    return f"{unit.type} {where}{holder}" + (f" ({marks})" if marks else "")


# Playing it -------------------------------------------------------------------------------------


@dataclass
class Player:
    """Plays one stage: gives its answers and its dice in the order in which they stand there."""

    campaign: Campaign
    stage: Mapping[str, Any]
    answers: list[dict[str, Any]] = field(default_factory=list)
    dice: list[tuple[str, str, list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.answers = list(self.stage.get("answers", []))
        for line in squeezed(self.stage.get("transcript", "")):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 3:
                faces = [int(face) for face in cells[3].split("+")]
                self.dice.append((cells[1], cells[2], faces))

    def play(self) -> None:
        """Go on until the step that the stage names begins, or nobody is asked any more."""
        start = self.campaign.version
        while self.campaign.pending() and not self._reached(start):
            pending = self.campaign.pending()[0]
            if pending.question is None:
                self.campaign.answer(pending.side, "roll", self._faces(pending.side))
            else:
                self.campaign.answer(pending.side, pending.key, self._answer(pending))
        assert not self.answers, f"never asked: {self.answers}"
        assert not self.dice, f"never rolled: {self.dice}"

    def _reached(self, start: int) -> bool:
        until = self.stage.get("until")
        begun = [e.body["step"] for e in self.campaign.entries[start:] if e.type == "step"]
        here = self.campaign.step is not None and self.campaign.step.id == until
        return here and until in begun

    def _faces(self, side: str) -> list[int]:
        found = next((row for row in self.dice if row[0] == side), None)
        assert found is not None, f"no dice for {self._waiting()}"
        self.dice.remove(found)
        return found[2]

    def _answer(self, pending: Any) -> Any:
        mine = (pending.side, pending.key)
        found = next((a for a in self.answers if (a["side"], a["for"]) == mine), None)
        if found is None:
            if pending.question is not None and pending.question.empty:
                return pending.question.default
            assert pending.key in self.stage.get("proposals", ()), f"no answer to {self._waiting()}"
            return pending.question.default
        self.answers.remove(found)
        if "refused" not in found:
            return found["answer"]
        before = self.campaign.version
        with pytest.raises(DataError, match=re.escape(found["refused"])):
            self.campaign.answer(pending.side, pending.key, found["answer"])
        assert self.campaign.version == before
        return self._answer(pending)

    def _waiting(self) -> list[str]:
        waiting = self.campaign.pending()
        return [f"{p.side} {p.key}: {p.roll.label if p.roll else p.question and p.question.text}" for p in waiting]


# What has to be so after a stage ----------------------------------------------------------------


def numbers(state: PlState, side: str) -> str:
    own = state.side(side)
    return (
        f"CP {own.cp}, FP {own.fp}, ELR {own.elr}, SAN {own.san}, CVP {own.cvp}, TVP {own.tvp}, Patrols {own.patrols}"
    )


def leaders(state: PlState, side: str) -> str:
    """A side's leaders, the best first; armor leaders behind the others."""
    found = []
    for unit in state.units_of(side, "leader", "armor-leader"):
        armor = unit.kind == "armor-leader"
        morale, drm = int(unit.type[:-2]), int(unit.type[-2:].replace("-", "-"))
        wound = " (wounded)" if unit.has(Mark.WOUNDED) else ""
        found.append((armor, drm, -morale, f"{'armor ' if armor else ''}{unit.type}{wound}"))
    return ", ".join(text for *_, text in sorted(found))


def firefight(state: PlState) -> str:
    fight = state.fight
    parts = [fight.type.value if fight.type else ""]
    parts += [f"{fight.sets_up_first} sets up first"] if fight.sets_up_first else []
    parts += [f"{fight.moves_first} moves first"] if fight.moves_first else []
    return ", ".join(parts)


def past(fight: Fight) -> str:
    cvp, tvp = ([each.get(side, 0) for side in SIDES] for each in (fight.cvp, fight.tvp))
    return f"{fight.winner} wins: CVP {cvp[0]} to {cvp[1]}, TVP {tvp[0]} to {tvp[1]}"


def limits(cg: Cg, side: str) -> str:
    bought = sum(cg.state.side(side).platoons.values())
    cap = hip_cap(cg, side)
    hidden = None if cap is None else cap.squads
    return f"{bought} of {cg.side(side).max_platoons} platoons, HIP for {hidden} squads"


def drawn(cg: Cg) -> dict[str, Any]:
    """The front as the walkthrough tells of it: hexes in order, or how many."""
    front = cg.front
    assert front is not None
    found: dict[str, Any] = {
        "overlap": " ".join(cg.sort(front.overlap)),
        "No Man's Land of both lines": " ".join(cg.sort(front.second_nml)),
        "Uncontrolled": " ".join(cg.sort(front.uncontrolled)),
    }
    for side in SIDES:
        clusters = front.clusters[side]
        inside = frozenset[str]().union(*clusters)
        found[f"{side} clusters"] = [" ".join(cg.sort(cluster)) for cluster in clusters]
        found[f"{side} MLR"] = " ".join(cg.sort(front.region[side]))
        found[f"{side} MLR beside the clusters"] = " ".join(cg.sort(front.region[side] - inside))
        found[f"{side} Isolated"] = " ".join(cg.sort(front.isolated[side]))
    return found


def held(cg: Cg, stage: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What a stage says of its end: what about, what it has to be, what it is."""
    state = cg.state
    for side in SIDES:
        for name, tell in (("numbers", numbers), ("leaders", leaders)):
            if side in stage.get(name, {}):
                yield f"{name} of {side}", stage[name][side], tell(state, side)
        if side in stage.get("limits", {}):
            yield f"limits of {side}", stage["limits"][side], limits(cg, side)
    if "firefight" in stage:
        yield "firefight", stage["firefight"], firefight(state)
    for fight, told_ in zip(state.past, stage.get("past", ()), strict=False):
        yield f"firefight {fight.number}", told_, past(fight)
    for name, text in stage.get("units", {}).items():
        yield name, text, standing(state.units[name])
    if "since idle" in stage:
        yield "firefights since one was Idle", stage["since idle"], state.since_idle
    actual = drawn(cg) if "front" in stage else {}
    for name, value in stage.get("front", {}).items():
        shown = len(actual[name].split()) if isinstance(value, int) else actual[name]
        yield name, value, shown


def play(campaign: Campaign, name: str) -> None:
    """Play all stages of a file; what differs from it is shown as lines."""
    for stage in read(name):
        start = campaign.version
        Player(campaign, stage).play()
        happened = transcript(campaign, start, stage.get("quiet", ()))
        compare(name, stage, squeezed(stage.get("transcript", "")), happened)
        cg: Cg = campaign.context  # type: ignore[assignment]
        results = list(held(cg, stage))
        compare(name, stage, [f"{a}: {b}" for a, b, _ in results], [f"{a}: {c}" for a, _, c in results])
        compare(name, stage, [], list(faults(campaign.state, cg.map.playable)))
        compare(name, stage, [], list(view_faults(campaign)))


def compare(name: str, stage: Mapping[str, Any], told_: list[str], happened: list[str]) -> None:
    """Fail with a diff of lines: - is what the file tells, + what happened."""
    lines = [line for line in ndiff(told_, happened) if not line.startswith(("?", "  "))]
    assert not lines, "\n".join([f"{name}, {stage['stage']}:", *lines])


COURSE = ("1-initial-firefight", "2-reorganization", "3-second-firefight", "4-reorganization")


def test_two_firefights_and_the_beginning_of_a_third() -> None:
    campaign = new_campaign(entered=True)
    for name in (*COURSE, "5-third-firefight"):
        play(campaign, name)
    assert audit(campaign).sound
    # Section 6: nothing but the end of play is waited for.
    assert [(p.side, p.key) for p in campaign.pending()] == [("allied", "play-status")]


def test_the_third_firefight_is_idle_if_nobody_attacks() -> None:
    campaign = new_campaign(entered=True, more_firefights=1)
    for name in (*COURSE, "idle"):
        play(campaign, name)
    assert audit(campaign).sound
