"""Buying Infantry, first and last, and which squads enter later (DYO H1.2 to H1.27, H1.7, H1.84)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Field,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    Rows,
    ShopLine,
    YesNo,
    ask,
    implements,
    step,
)
from laager.catalogue.dyo import UNKNOWN, DyoMmc
from laager.catalogue.kinds import Grade, Kind
from laager.rules.design_your_own.answers import format_count
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import InfantryBought, ReinforcementsNamed
from laager.rules.design_your_own.lines import infantry as rules
from laager.rules.design_your_own.lines import pieces, support
from laager.rules.design_your_own.ob import INFANTRY, SECOND, Arrival, InfantryEntry
from laager.rules.design_your_own.spelling import type_field
from laager.rules.design_your_own.steps.buying import (
    MOST_OF_ONE,
    last_word,
    legal_rows,
    points_of,
    problems,
    shop,
    why_not,
)
from laager.rules.design_your_own.steps.missing import fill_gaps
from laager.rules.design_your_own.terms import MOST_TURNS, Reinforcements

TITLES = {"first": "this purchase of Infantry", "second": "the second purchase"}
"""What each purchase is called in a sentence."""

ROW_MARKS = {
    "engineers": rules.Capability.ASSAULT_ENGINEER,
    "sappers": rules.Capability.SAPPER,
    "commandos": rules.Capability.COMMANDO,
    "parachutes": rules.Capability.PARACHUTE,
}
"""The capabilities of single lines, by their fields in the form."""

WIDE_MARKS = {
    "mol": rules.Capability.MOL,
    "ski": rules.Capability.SKI,
    "winter_camouflage": rules.Capability.WINTER_CAMOUFLAGE,
}
"""The capabilities that all of a side have or none, by their fields in the form."""


@step("DYO H1.2", "Infantry", each_side=True, edition=2)
def infantry(cg: Cg, side: str) -> Procedure[None]:
    """Each side buys its Infantry (H1.2)."""
    yield from _purchase(cg, side, "first", "DYO H1.2")


@step("DYO H1.7", "Second Infantry purchase", each_side=True, edition=2)
def second_infantry(cg: Cg, side: str) -> Procedure[None]:
    """What points are left can buy more; after a large second purchase half of it enters later (H1.7)."""
    yield from _purchase(cg, side, "second", "DYO H1.7")
    yield from naming(cg, side)


def _purchase(cg: Cg, side: str, purchase: str, rule: str) -> Procedure[None]:
    yield from fill_gaps(cg, side, rule, "squads", "capabilities.pf_range")
    answer = yield from ask(infantry_question(cg, side, purchase, rule))
    for entry in entries_of(cg, side, purchase, answer):
        each = rules.priced_line(cg, side, entry)[1]
        why = f"{entry.number} x MPV {each.why}" if entry.number > 1 else f"MPV {each.why}"
        yield InfantryBought(side=side, entry=entry, why=why, to=(side,))


# The question -----------------------------------------------------------------------------------


def infantry_question(cg: Cg, side: str, purchase: str, rule: str) -> Question:
    """Return the question for all Infantry of a purchase; it is recorded at once."""
    wide = _wide_so_far(cg, side)
    fields = [Field("lines", Rows(_row(cg, side), most=40), "Infantry", [])]
    fields += [Field(name, YesNo(), _wide_label(cg, mark), wide[name]) for name, mark in WIDE_MARKS.items()]
    left = cg.points_left(side)
    which = "more Infantry" if purchase == "second" else "Infantry"
    return Question(
        key=SECOND if purchase == "second" else INFANTRY,
        side=side,
        text=f"What {which} do you buy? You have {left} points.",
        form=Record(tuple(fields)),
        rule=rule,
        secret=True,
        default={field.name: field.default for field in fields},
        help="One row for each type and its capabilities. What is recorded can't be given back.",
        check=lambda answer: infantry_problems(cg, side, purchase, answer),
        suggest=lambda rng: _suggest(cg, side, purchase, rng),
        totals=lambda answer: points_of(
            cg, side, answer["lines"], lambda rows: _cost(cg, side, purchase, {**answer, "lines": rows}), "lines"
        ),
        irrevocable=lambda answer: last_word(cg, side, _cost(cg, side, purchase, answer), TITLES[purchase]),
        offers=lambda answer: _offers(cg, side, purchase, answer),
    )


def _offers(cg: Cg, side: str, purchase: str, answer: Mapping[str, Any]) -> list[ShopLine]:
    """Return the MMC as the lines of a shop, as they stand with an answer."""
    every = {mmc.type: mmc for mmc in on_offer(cg, side)}
    return shop(
        (option_of(cg, side, mmc) for mmc in every.values()),
        answer["lines"],
        lambda lines: infantry_problems(cg, side, purchase, {**answer, "lines": lines}),
        dict.fromkeys(ROW_MARKS, False),
        lambda type_: (
            str(every[type_].kind),
            type_,
            "",
            "" if every[type_].grade is UNKNOWN else str(every[type_].grade),
        ),
    )


def _cost(cg: Cg, side: str, purchase: str, answer: Mapping[str, Any]) -> int:
    return sum(entry.total for entry in entries_of(cg, side, purchase, answer))


def _wide_label(cg: Cg, mark: rules.Capability) -> str:
    who = {rules.Capability.SKI: "elite MMC", rules.Capability.WINTER_CAMOUFLAGE: "MMC without skis"}
    points = format_count(cg.charts.capabilities.row(mark).adds or 0, "point")
    return f"{mark.words} for every {who.get(mark, 'MMC')}: {points} each"


def _wide_so_far(cg: Cg, side: str) -> dict[str, bool]:
    has = {name for entry in cg.ob(side).infantry for name in entry.capabilities}
    return {name: mark.value in has for name, mark in WIDE_MARKS.items()}


def _row(cg: Cg, side: str) -> Record:
    options = tuple(option_of(cg, side, mmc) for mmc in on_offer(cg, side))
    fields = [
        type_field("Type", options, cg.nation(side), "squads"),
        Field("number", Number(1, MOST_OF_ONE), "How many"),
    ]
    fields += [Field(name, YesNo(), mark.words, False) for name, mark in ROW_MARKS.items()]
    return Record(tuple(fields))


def on_offer(cg: Cg, side: str) -> tuple[DyoMmc, ...]:
    """Return the MMC that can be bought at the date: squads and crews (DYO H1.2)."""
    nation, month = cg.nation(side), cg.month
    mmc = [*nation.squads(month), *nation.crews(month)]
    if cg.reading("half-squads") != "no":
        mmc += nation.half_squads(month)
    return tuple(mmc)


def option_of(cg: Cg, side: str, mmc: DyoMmc) -> Option:
    """Return an MMC as an option: its class, prices and counters, and why you can't buy it."""
    price = plain_mpv(cg, mmc)
    if price is None:
        return Option(mmc.type, mmc.type, pieces.LACKING.format(mmc.type))
    have = rules.counters_taken(cg.ob(side).infantry).get(mmc.type, 0)
    left = mmc.counters - have if isinstance(mmc.counters, int) else None
    counters = "" if left is None else f", {left} counters left"
    label = f"{mmc.type}, {class_of(mmc)} {mmc.kind}: BPV {mmc.bpv}, MPV {price}{counters}"
    short = pieces.counters_short(cg, mmc.type, have + 1, mmc.counters)
    return Option(mmc.type, label, why_not(pieces.too_dear(cg, side, price, mmc.type), short))


def class_of(mmc: DyoMmc) -> str:
    """Return the class of an MMC by its subsection of the Roster; crews rank as elite."""
    if mmc.sort is Kind.CREW:
        return "elite"
    return "?" if mmc.subsection is UNKNOWN else mmc.subsection.lower()


def plain_mpv(cg: Cg, mmc: DyoMmc) -> int | None:
    """Return the MPV of an MMC without capabilities of choice; None if values are missing."""
    at_range = mmc.range_at(cg.month)
    if not rules.has_price(mmc, cg.month) or not isinstance(mmc.bpv, int):
        return None
    marks = tuple(rules.Capability(name) for name in rules.must_be(mmc))
    return int(
        rules.mpv_each(
            cg.rulebook, mmc.bpv, marks, at_range if isinstance(at_range, int) else 0, ski_included=mmc.ski_included
        )
    )


# What an answer means ---------------------------------------------------------------------------


def entries_of(cg: Cg, side: str, purchase: str, answer: Mapping[str, Any]) -> tuple[InfantryEntry, ...]:
    """Return the lines of an answer with their prices, equal rows put together."""
    nation = cg.nation(side)
    wanted: dict[tuple[str, tuple[str, ...]], int] = {}
    for row in answer["lines"]:
        mmc = nation.mmc(row["type"])
        key = (mmc.type, _marks(mmc, row, answer))
        wanted[key] = wanted.get(key, 0) + row["number"]
    return tuple(
        rules.priced_line(cg, side, InfantryEntry(
            type=type_,
            kind=nation.mmc(type_).kind,
            number=number,
            capabilities=marks,
            purchase=purchase,
        ))[0]
        for (type_, marks), number in wanted.items()
    )  # fmt: skip


def _marks(mmc: DyoMmc, row: Mapping[str, Any], answer: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a row's capabilities in the order of the Roster's marks."""
    marks = {mark for name, mark in ROW_MARKS.items() if row[name]}
    marks |= {rules.Capability(name) for name in rules.must_be(mmc)}
    elite = mmc.sort is Kind.CREW or mmc.grade == Grade.ELITE
    skis = mmc.ski_included or (answer["ski"] and elite)
    if answer["mol"]:
        marks.add(rules.Capability.MOL)
    if answer["ski"] and elite and not mmc.ski_included:
        marks.add(rules.Capability.SKI)
    if answer["winter_camouflage"] and not skis:
        marks.add(rules.Capability.WINTER_CAMOUFLAGE)
    return tuple(mark.value for mark in rules.Capability if mark in marks)


def infantry_problems(cg: Cg, side: str, purchase: str, answer: Mapping[str, Any]) -> list[Problem]:
    """Return everything that the rules have against a purchase of Infantry."""
    entries = entries_of(cg, side, purchase, answer)
    breached = [
        breach.problem("" if place is None else "lines")
        for place, _, breach in rules.infantry_breaches(cg, side, (*cg.ob(side).infantry, *entries))
    ]
    dear = pieces.too_dear(cg, side, sum(entry.total for entry in entries), "all of it")
    return [*breached, *problems(dear, field="lines")]


def _suggest(cg: Cg, side: str, purchase: str, rng: Random) -> dict[str, Any]:
    """Return a legal purchase by chance: rows are added as long as the rules allow it."""
    wide: dict[str, bool] = _wide_so_far(cg, side)
    if not cg.ob(side).infantry and rng.random() < 0.4:
        wide[rng.choice(list(wide))] = True
    free = [mmc.type for mmc in on_offer(cg, side) if rules.has_price(mmc, cg.month)]

    def random_row() -> dict[str, Any]:
        row = {"type": rng.choice(free), "number": rng.randint(1, 9)}
        return row | {name: rng.random() < 0.12 for name in ROW_MARKS}

    most = rng.randint(0, 5) if free else 0
    lines = legal_rows(random_row, most, lambda rows: infantry_problems(cg, side, purchase, {**wide, "lines": rows}))
    return {"lines": lines, **wide}


MOST_ROWS = 40

Lines = Mapping[str, InfantryEntry]
"""The squads of an order of battle by the number of their line."""


@implements("DYO H1.7", "DYO H1.84")
def naming(cg: Cg, side: str) -> Procedure[None]:
    """Ask which squads enter later, if the second purchase or the scenario calls for it (H1.7, H1.84)."""
    least = support.reinforcements_due(cg, side)
    lines = squads_of(cg, side)
    if not lines or not (least or cg.terms.side(side).reinforcements):
        return
    rows = yield from ask(_question(cg, side, lines, least))
    infantry = cg.ob(side).infantry
    entering = [_entering(rows, str(i + 1)) for i in range(len(infantry))]
    arrivals = tuple(turns for _, turns in entering)
    why = f"at least {least} of the second purchase must enter as reinforcements"
    if not least:
        why = "the scenario has reinforcements"
    numbers = tuple(number for number, _ in entering)
    yield ReinforcementsNamed(
        side=side, numbers=numbers, arrivals=arrivals if any(arrivals) else (), why=why, to=(side,)
    )


def _entering(rows: Sequence[Mapping[str, Any]], line: str) -> tuple[int, tuple[Arrival, ...]]:
    """Return how many squads of a line enter later, and in which turns as far as these are named."""
    own = [row for row in rows if row["line"] == line]
    fixed = (Arrival(turn=row["turn"], number=row["number"]) for row in own if row.get("turn", 0))
    return sum(row["number"] for row in own), tuple(fixed)


def squads_of(cg: Cg, side: str) -> dict[str, InfantryEntry]:
    """Return the lines of squads by their numbers on the Roster."""
    return {str(i + 1): entry for i, entry in enumerate(cg.ob(side).infantry) if entry.kind == "squad"}


def _question(cg: Cg, side: str, lines: Lines, least: int) -> Question:
    options = tuple(
        Option(name, f"{entry.number} {entry.type} {' '.join(entry.capabilities)}".strip())
        for name, entry in lines.items()
    )
    most = max(entry.number for entry in lines.values())
    fields = [Field("line", Choice(options), "Line"), Field("number", Number(1, most), "How many")]
    if not cg.of_old:
        fields.append(Field("turn", Number(0, MOST_TURNS), "Turn (0: not fixed)", 0))
    row = Record(tuple(fields))
    groups = cg.terms.side(side).reinforcements
    due = [f"At least {least} must."] if least else []
    if least and groups:
        due = [f"At least {least} of the second purchase must."]
    due += [f"In turn {group.turn} at least {group.squads} {group.type or 'squads'} enter." for group in groups]
    return Question(
        key="reinforcements",
        side=side,
        text=f"Which squads enter as reinforcements? {' '.join(due)}",
        form=Rows(row, most=MOST_ROWS),
        rule="DYO H1.7" if least else "DYO H1.84",
        secret=True,
        default=_proposal(lines, least, groups),
        help="Lines of the Roster by number, and how many of each in which turn.",
        check=lambda rows: _problems(lines, least, groups, rows),
        suggest=lambda rng: _proposal(_shuffle(lines, rng), least, groups),
    )


def _shuffle(lines: Lines, rng: Random) -> Lines:
    return dict(rng.sample(sorted(lines.items()), len(lines)))


def _proposal(lines: Lines, least: int, groups: Sequence[Reinforcements]) -> list[dict[str, Any]]:
    """Return the fewest squads that are enough: what the scenario wants, then half of the second purchase."""
    left = {name: entry.number for name, entry in lines.items()}
    # Squads of the second purchase count for both.
    order = sorted(lines, key=lambda name: lines[name].purchase != "second")
    rows: list[dict[str, Any]] = []

    def take(names: Sequence[str], missing: int, turn: int) -> None:
        for name in names:
            number = max(0, min(missing, left[name]))
            missing -= number
            left[name] -= number
            if number:
                rows.append({"line": name, "number": number, **({"turn": turn} if turn else {})})

    for group in groups:
        fit = [name for name in order if group.type in ("", lines[name].type)]
        take(fit, group.squads, group.turn)
    second = [name for name in lines if lines[name].purchase == "second"]
    take(second, least - sum(lines[name].number - left[name] for name in second), 0)
    return rows


def _problems(
    lines: Lines, least: int, groups: Sequence[Reinforcements], rows: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    problems = []
    keys = [(row["line"], row.get("turn", 0)) for row in rows]
    for i, (line, _) in enumerate(keys):
        here = f"[{i + 1}]"
        if keys.index(keys[i]) < i:
            problems.append(Problem(f"line {line} is named twice", "name it once", here))
        have = lines[line].number
        if sum(row["number"] for row in rows if row["line"] == line) > have:
            problems.append(Problem(f"line {line} has {have}", f"{have} at most", here))
    if problems:
        return problems
    second = [entry for entry in lines.values() if entry.purchase == "second"]
    named = sum(row["number"] for row in rows if lines[row["line"]].purchase == "second")
    short = support.reinforcement_breach(least, named, sum(entry.number for entry in second))
    entering = [
        line.model_copy(update=dict(zip(("reinforcements", "arrivals"), _entering(rows, name), strict=True)))
        for name, line in lines.items()
    ]
    every = [short, *support.group_breaches(groups, entering)]
    return [breach.problem() for breach in every if breach]
