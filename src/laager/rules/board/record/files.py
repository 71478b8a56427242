"""Records as files: `laager: pl-record/1`, the public part and each side's own.

Reading reports everything that is wrong at once, with its line. Writing leaves out what goes without saying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import wrap
from typing import Any

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import Document, field_path
from laager.campaign.house import HOUSE
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.record import checks
from laager.rules.board.record.sections import public_section, side_section, try_public, try_secret
from laager.rules.board.record.shorthand import expand_public, expand_side, leave_open, shorten_public, shorten_side
from laager.rules.board.sequence import Sequences

PUBLIC, SECRET = "public", "secret"
HEADER = ("laager", "card", "round", "next", "story", "readings", PUBLIC, SECRET)
"""The names at the top of a record."""
MISSING = "is missing"
LONGEST_STORY_CHARS = 20_000


@dataclass(frozen=True)
class CampaignRecord:
    """A record that was read: what goes into a campaign's opening, and what each side enters itself.

    A side that `secrets` leaves out is asked when the campaign begins.
    """

    opening: dict[str, Any]
    secrets: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)


# Writing ------------------------------------------------------------------------------------------


def record_data(cg: CardContext, kind: str, next_step: str, public: Any, sides: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as plain data: the state of a spectator, and those of the sides whose secrets it holds."""
    data: dict[str, Any] = {
        "laager": f"{kind}-record/1",
        "card": " ".join(cg.card.title.split()),
        "round": str(public.round),
        "next": next_step,
    }
    if readings := cg.chosen_readings():
        data["readings"] = dict(readings)
    if cg.house_begun_with and HOUSE not in public.agreed:
        # In a campaign that goes on from a record, house rules are what is agreed.
        public = public.with_agreed(HOUSE, cg.house_begun_with)
    data[PUBLIC] = shorten_public(cg, public_section(public))
    secret = {side: shorten_side(cg, side, side_section(state, side, public)) for side, state in sides.items()}
    return data | {SECRET: secret} if secret else data


def record_text(data: Mapping[str, Any], remark: str = "") -> str:
    """Return a record as YAML: a line of a roster on a line."""
    from io import StringIO

    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = StringIO()
    yaml.dump(_laid_out(data), stream)
    return "".join(f"# {line}\n" for line in remark.splitlines()) + stream.getvalue()


def record_template(cg: CardContext, kind: str, sequences: Sequences, public: Mapping[Any, Any]) -> str:
    """Return a record to be filled in: what the card is, and where in its sequence of play a campaign can go on.

    `public` has by round what its public part needs.
    """
    rounds = [(str(round_), [step.id for step in steps]) for round_, steps in sequences.rounds.items() if steps]
    remark = ["Where your campaign stands. It goes on at the start of a step; the rounds and their steps are:"]
    remark += [
        line for name, steps in rounds for line in wrap(f"{name}: {', '.join(steps)}", 110, subsequent_indent="  ")
    ]
    usual, steps = rounds[min(1, len(rounds) - 1)]
    data = {"laager": f"{kind}-record/1", "card": " ".join(cg.card.title.split()), "round": usual, "next": steps[0]}
    return record_text(data | {PUBLIC: public.get(usual, {})}, "\n".join(remark))


LONG_CHARS = 40
"""A text longer than this has a line of its own."""
LINES = frozenset({"units", "forts", "groups", "past"})
"""Names below which each line of a roster stands on a line of its own."""


def _laid_out(value: Any, name: str = "", flow: bool = False) -> Any:
    """Return plain data as YAML writes it: lines of rosters, and what holds nothing further, on one line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(value, Mapping):
        # The number of a battle is plain, not text in quotes.
        below = (
            (int(key) if key.isdigit() else key, _laid_out(held, key, flow or name in LINES))
            for key, held in value.items()
        )
        laid = CommentedMap(below)
        if flow or (name and not any(isinstance(held, Mapping | list) for held in value.values())):
            laid.fa.set_flow_style()
        return laid
    if isinstance(value, list):
        rows = CommentedSeq(_laid_out(held, "", True) for held in value)
        if flow or not any(isinstance(held, Mapping) or _is_long(held) for held in value):
            rows.fa.set_flow_style()
        return rows
    return value


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONG_CHARS


# Reading ------------------------------------------------------------------------------------------


def read_record(
    document: Document, kind: str, sequences: Sequences, cg: CardContext, state: Any, later: bool = False
) -> CampaignRecord:
    """Read a record for a campaign on the card of `cg`; `state` is an empty one.

    `later`: a first battle has been played when its round begins.

    Raises DataError with every problem.
    """
    data = document.data
    if not isinstance(data, Mapping):
        raise DataError([document.problem((), "isn't a record", f"begin with laager: {kind}-record/1")])
    problems = list(header_problems(document, kind, sequences, cg))
    public = expand_public(cg, _section(document, (PUBLIC,), problems))
    secrets = {
        side: expand_side(cg, side, _section(document, (SECRET, side), problems), public.get(side))
        for side in _mapping_at(data, SECRET)
        if side in SIDES
    }
    problems += [locate_problem(document, problem) for problem in content_problems(cg, state, public, secrets, later)]
    if problems:
        raise DataError(sorted(problems, key=lambda problem: problem.line or 0))
    if story := str(data.get("story", "")).strip():
        public = {**public, "notes": [*public.get("notes", ()), story]}
    opening = {"round": str(data["round"]), "next": str(data["next"]), PUBLIC: public}
    return CampaignRecord(opening, secrets, data.get("readings", {}))


def content_problems(
    cg: CardContext,
    empty: Any,
    public: Mapping[str, Any],
    secrets: Mapping[str, Mapping[str, Any]],
    later: bool = False,
) -> Iterator[Problem]:
    """Yield what is wrong with sections that say everything, with paths as in a record."""
    common, problems = try_public(empty, public)
    problems += checks.common_problems(cg.with_state(common), public)
    problems += checks.battle_problems(cg.with_state(common), later)
    yield from (problem.inside(PUBLIC) for problem in problems)
    for side, section in secrets.items():
        state, problems = try_secret(common, side, section)
        problems = [problem for problem in problems if not _follows(problem, public.get(side))]
        problems += checks.side_problems(cg.with_state(state), side, section, public.get(side))
        yield from (problem.inside(f"{SECRET}.{side}") for problem in problems)


def _follows(problem: Problem, known: Any) -> bool:
    """True if a line of a side's own lacks something only because its public line couldn't be read."""
    part, _, path = problem.field.partition(".")
    key = path.rpartition(".")[0]
    return problem.what == MISSING and isinstance(known, Mapping) and key in (known.get(part) or ())


def header_problems(document: Document, kind: str, sequences: Sequences, cg: CardContext) -> Iterator[Problem]:
    """Yield what is wrong with the top of a record: its kind, its card, where it goes on."""
    data = document.data
    if data.get("laager") != f"{kind}-record/1":
        yield document.problem(
            ("laager",), f"{data.get('laager')!r} isn't a record of this card's rules", f"{kind}-record/1"
        )
    for name in data:
        if name not in HEADER:
            yield document.problem((name,), "is not known here", did_you_mean(name, HEADER, "known are"))
    title = " ".join(cg.card.title.split())
    of_card = " ".join(str(data.get("card") or "").split())
    if of_card != title:
        wrong = f"this is a record of {of_card!r}" if of_card else "the record doesn't say of which card"
        yield document.problem(("card",), wrong, f"the card is {title!r}")
    yield from _point_problems(document, sequences)
    for side in _mapping_at(data, SECRET):
        if side not in SIDES:
            yield document.problem((SECRET, side), f"{side!r} is no side", f"one of {', '.join(SIDES)}")
    if len(str(data.get("story", ""))) > LONGEST_STORY_CHARS:
        yield document.problem(("story",), "the story is too long", f"{LONGEST_STORY_CHARS} characters at most")


def _point_problems(document: Document, sequences: Sequences) -> Iterator[Problem]:
    """Yield what is wrong with the point of the sequence at which the campaign goes on."""
    data = document.data
    rounds = {str(round_): round_ for round_, steps in sequences.rounds.items() if steps}
    if data.get("round") not in rounds:
        right = did_you_mean(data.get("round", ""), rounds, "one of")
        wrong = f"there is no round {data['round']!r}" if data.get("round") else "it doesn't say its round"
        yield document.problem(("round",), wrong, right)
        return
    round_ = rounds[str(data["round"])]
    if sequences.steps_before(round_, frozenset(), str(data.get("next"))) is None:
        names = [step.id for step in sequences.rounds[round_]]
        right = did_you_mean(data.get("next", ""), names, "its steps are")
        yield document.problem(("next",), f"this round has no step {data.get('next')!r}", right)


def _mapping_at(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    held = data.get(name)
    return held if isinstance(held, Mapping) else {}


def _section(document: Document, where: tuple[str, ...], problems: list[Problem]) -> Mapping[str, Any]:
    """Return a section of a document without names left empty; what isn't one is a problem."""
    held: Any = document.data
    for name in where:
        held = held.get(name) if isinstance(held, Mapping) else None
    if held is None:
        return {}
    if not isinstance(held, Mapping):
        problems.append(document.problem(where, "isn't a set of names", "write NAME: VALUE below it"))
        return {}
    return leave_open({name: value for name, value in held.items() if value is not None})


def locate_problem(document: Document, problem: Problem) -> Problem:
    """Return a problem with the file and the line in which its field stands."""
    places = {field_path(where): line for where, line in document.lines.items()}
    path, line = problem.field, None
    while path and line is None:
        line = places.get(path)
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return replace(problem, line=line or 1, file=document.name)
