"""Skeletons of the published campaigns, and files of charts and tables for a module's owner to fill in.

Nothing published is in them but what the rules themselves print (`HaslRuleset.known`); what is
left empty the players are asked. As they are written, both files load.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import Handling, RulesIndex
from laager.rules.board.card.files import PACKS
from laager.rules.board.hasl.card.filling import CHARTS, charts_of
from laager.rules.board.hasl.charts import TABLES
from laager.rules.board.hasl.refit import escape, leaders, repair

if TYPE_CHECKING:
    from laager.rules.board.hasl.ruleset import HaslRuleset

WIDTH = 100

GROUP = """\
- id: I1                # letters by its kind: I HW A V G O M T F S, and a number
  formation: N          # the formation on the card that it belongs to; leave out if none
  name: N               # Group Type
  kind: I               # I infantry, HW heavy weapons, A AFV, V vehicle, G Gun, O OBA module,
                        # M miscellaneous, T transport, F FPP, S SAN
  cost: 0               # CPP
  full:                 # the units left of the “/”
  - {type: N, count: 0, engineers: false}
  depleted:             # those right of it; leave out if it is never Depleted
  - {type: N, count: 0}
  sw:                   # need: the number in parentheses
  - {type: N, count: 0, need: 0}
  per_date: 0           # the most for one CG Date; leave out if there is no limit
  total: 0              # the CG Maximum
  dates: [N]            # the CG Dates on which it may be bought; leave out for all
  arrows: [N]           # arrow hexes of its Entry Areas; leave out for those of formation or side
  on_map: true          # whether it may set up on the map on the date of its purchase
  leader: N             # its column in the table of leaders; leave out if it brings none
  leader_drm: 0         # and its DRM
  fpp: 0                # of kind F: the FPP that it gives
  san: 0                # of kind S: by how much it raises the SAN
  module: {black: 0, red: 0, name: N}    # of kind O: its Draw Pile
  special: N            # bombardment, fpf-barrage, observer or pre-registration
  notes: N"""

FORTIFICATION = """\
- {kind: N, size: N, cost: 0, sides: [axis], per_date: 0, isolated: true, notes: N}
# kind: wire, foxhole, trench, pillbox, roadblock, a-p-mines ...; concealment, hip (size: squad,
# half-squad, crew or smc), set-dc, jungle-path, trench-upgrade, pillbox-upgrade
# isolated: whether it may be set up in an Isolated Location"""

TYPES = """\
- {axis: attack, allied: attack, name: N, sets_up_first: dr, moves_first: dr}
- {axis: attack, allied: idle, name: N, sets_up_first: N, moves_first: N}
- {axis: idle, allied: attack, name: N, sets_up_first: N, moves_first: N}
- {axis: idle, allied: idle, name: Idle Date}
# sets_up_first: axis, allied or dr; moves_first: these, or second (who sets up second)"""

BLOCKS = """\
  share: 0              # percent of its Strategic Locations that a side must Control
  enemy: 0              # and the most that the enemy may"""

RECON = "{cost: 0, drm_cost: 0, most: 0}    # CPP, CPP for each +1 of its dr, the most of these"

RESULTS: Mapping[str, str] = {
    "strength": "full or depleted",
    "leaders": "leaders as `9-1` or `10-2 and 9-1`, another word, or null; a column for each side",
    "san": "numbers by which it changes, such as -1, 0, 1",
    "elr": "numbers by which it changes, such as -1, 0, 1",
    "ammunition": "numbers by which the level changes, such as 0, 1",
    "escape": f"{', '.join(escape.OUTCOMES)}; or true and false",
    "shift": "true or false",
    "repair": f"{', '.join(repair.OUTCOMES)}; or true and false",
    "wounded-leaders": f"{leaders.HEALED}, {leaders.WOUNDED}, {leaders.DIES}; or true and false",
    "battle-hardening": "how many units harden, or true and false",
    "weather": "what the weather is, in words",
    "random-weather": "what the weather is, in words",
    "recon": "the drm",
}
"""Possible results of each table."""

CONDITIONS = (
    "Modifiers by these ids Laager counts itself: exhaustion, ammunition (value: given), attacked "
    "and idle (the chit of the date just played), night, cvp-lost (per: full steps of CVP lost). "
    "Of all others the players are asked whether they apply."
)


# A whole campaign ---------------------------------------------------------------------------------

SKELETON = "skeleton"
"""The folder, in that of a rule system's packs, with the card, charts and tables of its published campaign."""
PARTS = {"card": "", "map": "-map", "charts": "-charts", "tables": "-tables"}
_CARD = re.compile(r"card(-[0-9])?\.yaml")
_TITLE = re.compile(r"^title: (?!<fill in>)(.+)$", re.MULTILINE)
OWN = {"pl": "Platoon Leader"}
"""Rule systems with a skeleton for campaigns of one's own, by what the lists call it."""


def skeletons() -> dict[str, str]:
    """Return the titles of the campaigns that have a skeleton, by name: `er`, `abtf`, `abtf-2` for its second CG."""
    titles = dict(OWN)
    for path in sorted(Path(str(files(PACKS))).glob(f"*/{SKELETON}/*.yaml")):
        card = _CARD.fullmatch(path.name)
        title = _TITLE.search(path.read_text(encoding="utf-8"))
        if card is not None and title is not None:
            titles[path.parts[-3] + (card[1] or "")] = title[1]
    return titles


def skeleton(name: str, stem: str) -> dict[str, str]:
    """Return the files of a published campaign with blanks, the card first: name -> text.

    `name` is one of `skeletons`, `stem` the card's file name without its ending: `my-arnhem`. Raises RefusedError for
    a campaign without one.
    """
    known = skeletons()
    if name not in known:
        sentence = f"there is no skeleton for {name!r}"
        raise RefusedError(Refusal.NO_SUCH, sentence, did_you_mean(name, known, "there is one for"))
    rules, _, number = name.partition("-")
    id_ = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or rules
    texts = {}
    for part, ending in PARTS.items():
        of_this = f"-{number}" if number and part == "card" else ""
        path = _folder(rules) / f"{part}{of_this}.yaml"
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        texts[f"{stem}{ending}.yaml"] = text.replace("id: NAME", f"id: {id_}").replace("NAME", stem)
    for path in sorted((_folder(rules).parent / "catalogue").glob("*.yaml")):
        texts[f"{stem}-{path.name}"] = path.read_text(encoding="utf-8")
    return texts


def _folder(rules: str) -> Path:
    return Path(str(files(PACKS))) / rules / SKELETON


# The charts ---------------------------------------------------------------------------------------


def charts_text(rules: HaslRuleset[Any, Any], tables: str) -> str:
    """Return a file of charts to be filled in; `tables` is the name of the file of tables."""
    index = RulesIndex.load_packaged(rules.package)
    lines = [
        f"# The charts of a module for {rules.title}, to be filled in by its owner.",
        f"# A card names this file under charts:, and {tables} under tables:.",
        "# Take away the “#” before what you fill in, and what is left as N or 0. What is empty is",
        "# asked of the players when it is needed.",
        "laager: hasl-charts/1",
        f"ruleset: {rules.id}",
        "title: My charts",
        "source: own",
        "source_note: Entered by the owner of the module from its printed charts.",
    ]
    for name, key, text in (
        ("fortifications", "fortifications", FORTIFICATION),
        ("scenario-types", "scenario_types", TYPES),
        ("block-control", "block_control", BLOCKS),
        ("circled", "circled", "  0: 0    # Game Turn: the number that is circled for it"),
    ):
        lines += ["", *_about(rules, index, name), f"{key}:", *_comment_out(text)]
    lines += ["", "# How many CVP lost make one DRM of the table elr (condition cvp-lost)."]
    lines += ["cvp_step:"]
    lines += ["", "# What releases units in Reserve: reminders, one sentence each."]
    lines += ["reserve_cases: []", "", "sides:"]
    for side in rules.sides:
        lines += [f"  {side}:", *_side(rules, index, side)]
    return "\n".join(lines) + "\n"


def _side(rules: HaslRuleset[Any, Any], index: RulesIndex, side: str) -> Iterator[str]:
    parts = [("cpp", "{fixed: 0, dice: DR}    # so many, and a DR or dr on top"), ("rg", GROUP)]
    if _is_awaited(index, "recon"):
        parts.insert(1, ("recon", RECON))
    for key, text in parts:
        yield from (f"    {line}" for line in _about(rules, index, key, side))
        yield f"    {key}:"
        yield from (f"    {line}" for line in _comment_out(text))


# The tables ---------------------------------------------------------------------------------------


def tables_text(rules: HaslRuleset[Any, Any]) -> str:
    """Return a file of tables to be filled in."""
    index = RulesIndex.load_packaged(rules.package)
    lines = [
        f"# The tables of a module for {rules.title}, to be filled in by its owner.",
        "# Take away the “[]” and the “#” before a table that you fill in, and what is left as N.",
        "# Rows are by the final roll: at, or from and to; one end left out stands open.",
        *(f"# {line}" for line in wrap(CONDITIONS, WIDTH - 2)),
        "laager: tables/1",
        "source: Entered by the owner of the module from its printed tables.",
        "tables: []",
    ]
    for name in TABLES:
        if _is_awaited(index, name):
            lines += ["", *_about(rules, index, name)]
            if _clauses(index, name):
                lines.append(f"# Results: {RESULTS[name]}.")
                lines += _comment_out(_table(name, _clauses(index, name)[0]))
    return "\n".join(lines) + "\n"


def _table(name: str, rule: str) -> str:
    results = "german: N, british: N" if name == "leaders" else "result: N"
    columns = ["  columns: [german, british]"] if name == "leaders" else []
    return "\n".join(
        (
            f"- id: {name}",
            f"  title: {TABLES[name].partition(':')[0]}",
            f"  rule: {rule}",
            "  roll: DR              # or dr",
            *columns,
            "  rows:",
            f"  - {{to: 0, {results}}}",
            f"  - {{from: 0, to: 0, {results}}}",
            f"  - {{from: 0, {results}}}",
            "  modifiers:",
            f"  - {{id: exhaustion, value: given, when: Campaign Exhaustion DRM, rule: {rule}}}",
            f"  - {{id: another, value: 0, when: N, rule: {rule}}}",
        )
    )


# What stands above each ---------------------------------------------------------------------------


def _is_awaited(index: RulesIndex, name: str) -> bool:
    """True if any rule waits for a chart."""
    return any(CHARTS[name] in charts_of(clause) for clause in index.values())


def _clauses(index: RulesIndex, name: str) -> list[str]:
    """Return the clauses that Laager carries out once a chart is there."""
    return [
        clause.id
        for clause in index.values()
        if clause.handling is Handling.ASKED and CHARTS[name] in charts_of(clause)
    ]


def _about(rules: HaslRuleset[Any, Any], index: RulesIndex, name: str, side: str = "") -> list[str]:
    chart = CHARTS[name]
    text = f"{chart.decides[:1].upper()}{chart.decides[1:]}."
    clauses = _clauses(index, name)
    if clauses:
        text += f" Once it is there Laager carries out {', '.join(clauses)}."
    printed = [*rules.chart_notes.get(name, ()), *rules.chart_notes.get(f"{name} {side}", ())]
    sentences = [text, *(f"Known from the rules: {known}" for known in printed)]
    return [f"# {line}" for part in sentences for line in wrap(part, WIDTH - 6)]


def _comment_out(text: str) -> list[str]:
    return [line if line.startswith("#") else f"# {line}" for line in text.splitlines()]
