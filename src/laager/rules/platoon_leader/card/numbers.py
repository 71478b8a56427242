"""Checks of a card's figures: charts, fortifications, calendar, weather, readings, balance."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from laager.base import did_you_mean
from laager.base.files import Where
from laager.rules.board.card.findings import CardFindings, check_choices, check_day, check_game_end
from laager.rules.platoon_leader.card.card import (
    Card,
    Firefight,
    Fortifications,
    ReinforcementGroup,
    SideCard,
    WeatherTable,
)
from laager.rules.platoon_leader.charts import FortificationPrice, charts
from laager.tables import load_packaged

PACKAGE = "laager.rules.platoon_leader"


def check_numbers(card: Card, findings: CardFindings) -> None:
    """Check what the card says in figures and names of the rules."""
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        for i, line in enumerate(half.chart):
            _line(card, side, line, (*where, "chart", i), findings)
        for i, given in enumerate(half.ob.groups):
            if given.firefight > len(card.firefights):
                message = (
                    f"the OB gives {given.rg} for firefight {given.firefight}, but the card has {len(card.firefights)}"
                )
                right = f"from 1 to {len(card.firefights)}"
                last = findings.end_at("firefights", len(card.firefights) - 1, "date")
                findings.add_problem((*where, "ob", "groups", i, "firefight"), message, right, last)
        if half.fortifications is not None:
            _fortifications(half.fortifications, (*where, "fortifications"), findings)
        if not half.patrols and half.max_patrols:
            right = "remove it, or patrols: false"
            findings.add_doubt((*where, "max_patrols"), "this side has no Patrols", right)
    _calendar(card, findings)
    if card.weather_table is not None:
        _weather(card.weather_table, findings)
    check_choices(card, PACKAGE, findings)
    _prices(card, findings)


# Charts -----------------------------------------------------------------------------------------


def _line(card: Card, side: str, line: ReinforcementGroup, where: Where, findings: CardFindings) -> None:
    last = len(card.firefights)
    for name, number in (("first", line.first), ("last", line.last or 1)):
        if number > last:
            message = f"{line.id} names firefight {number}, but the card has {last}"
            end = findings.end_at("firefights", last - 1, "date")
            findings.add_doubt((*where, name), message, f"from 1 to {last}", end)
    if line.total is not None and (line.per_firefight or 0) > line.total:
        message = f"{line.id}: {line.per_firefight} in one firefight, but {line.total} in all"
        findings.add_doubt(
            (*where, "per_firefight"), message, f"{line.total} or less", findings.end_at(*where, "total")
        )
    half = card.sides[side]  # type: ignore[index]
    one_counts = card.readings.get("company-platoons") != "none" or line.size != "company"
    if one_counts and line.platoons > half.max_platoons:
        message = f"{line.id} counts as {line.platoons} platoons, but {half.max_platoons} may be bought"
        right = "raise max_platoons, or it can never be bought (PL 2.3)"
        findings.add_doubt((*where, "size"), message, right, findings.end_at("sides", side, "max_platoons"))
    price, most = cheapest(half, line), most_cp(card, side, line.last)
    if price > most:
        message = f"{line.id} costs {price} CP at least, but there will never be more than {most}"
        findings.add_doubt((*where, "cost"), message, "lower its cost, or give the side more CP")


def cheapest(half: SideCard, line: ReinforcementGroup) -> int:
    """Return the lowest price of a group in CP, with the cheapest form of setup (PL 2.34)."""
    prices = charts().setup_costs
    reserve = half.reserves and line.may_reserve
    ways = [prices.price(line.kind, "off-map", line.cost)]
    return min(ways + [prices.price(line.kind, "reserve", line.cost)] * reserve)


def most_cp(card: Card, side: str, last: int | None = None) -> int:
    """Return the most CP that a side can have saved up by a firefight (by default the last one)."""
    half = card.sides[side]  # type: ignore[index]
    best = _best_replenishment(card.intensity_of(side).value)
    later = card.firefights[1:last]
    provided = (firefight.cp.get(side) for firefight in later)  # type: ignore[call-overload]
    gained = sum(best if given is None else given for given in provided)
    balance = sum(max(0, item.cp) for item in card.balance if item.side == side)
    return half.cp + balance + gained


@cache
def _best_replenishment(column: str) -> int:
    rows = load_packaged(PACKAGE, "tables.yaml")["cp-replenishment"].rows
    return max(value for row in rows if isinstance(value := row.results[column], int))


# Fortifications ---------------------------------------------------------------------------------


def _fortifications(card: Fortifications, where: Where, findings: CardFindings) -> None:
    rows = {row.type: row for row in charts().fortifications.rows}
    _check_allowed(card, rows, (*where, "allowed"), findings)
    for name, number in card.limits.items():
        here = (*where, "limits", name)
        if name not in rows:
            findings.add_problem(here, f"there is no fortification {name!r}", did_you_mean(name, rows))
        elif number < 0:
            findings.add_problem(here, f"{number} is too low", "0 or more")
        elif card.allowed is not None and name not in card.allowed:
            end = findings.end_at(*where, "allowed")
            findings.add_doubt(here, f"{rows[name].name} is not allowed", "add it under allowed", end)
    for name, price in card.prices.items():
        kind, _, size = name.partition(" ")
        here = (*where, "prices", name)
        if kind not in rows:
            findings.add_problem(here, f"there is no fortification {kind!r}", did_you_mean(kind, rows))
        elif size and size not in rows[kind].sizes and rows[kind].formula is None:
            advice = did_you_mean(size, rows[kind].sizes, "its sizes are")
            findings.add_problem(here, f"{rows[kind].name} has no size {size!r}", advice)
        if price < 1:
            findings.add_problem(here, f"{price} is too low", "1 FP or more")


def _check_allowed(
    card: Fortifications, rows: Mapping[str, FortificationPrice], where: Where, findings: CardFindings
) -> None:
    own = {key.partition(" ")[0] for key in card.prices}
    for i, name in enumerate(card.allowed or ()):
        here = (*where, i)
        if name not in rows:
            findings.add_problem(here, f"there is no fortification {name!r}", did_you_mean(name, rows))
            continue
        if not rows[name].priced and name not in own:
            message = f"{rows[name].name} has no price in the rules"
            findings.add_doubt(here, message, f"add its FP under prices: {{{name}: …}}")
        if name == "booby-traps" and not card.booby_traps:
            right = "add booby_traps: true, or take it out (PL CG12)"
            findings.add_doubt(here, "Booby Traps are allowed but not in force", right)
    findings.check_repeats(where, card.allowed or (), "remove one of the two")


# Calendar and weather ---------------------------------------------------------------------------


def _calendar(card: Card, findings: CardFindings) -> None:
    slots: set[tuple[date, str]] = set()
    for i, firefight in enumerate(card.firefights):
        where: Where = ("firefights", i)
        check_day(firefight.date, (*where, "date"), findings)
        slot = (firefight.date, firefight.time.strip().lower())
        if slot in slots:
            message = f"there is a firefight on {firefight.date}, {firefight.time}, already"
            findings.add_doubt(where, message, "give it another time")
        slots.add(slot)
        _game_end(firefight, where, findings)
        for side, cp in firefight.cp.items():
            if cp < 0:
                findings.add_problem((*where, "cp", side), f"{cp} is too low", "0 CP or more")
        if i == 0 and firefight.cp:
            right = "say it under sides: cp"
            findings.add_doubt((*where, "cp"), "the first firefight brings no new CP", right)
        if not firefight.weather and card.weather_table is None:
            right = "list it, or give the card a weather_table"
            findings.add_doubt(where, "no weather is listed, so the players will be asked", right)


def _game_end(firefight: Firefight, where: Where, findings: CardFindings) -> None:
    here = (*where, "game_end")
    typed = _turns_as_typed(findings.document.data, where)
    for before, after in itertools.pairwise(typed):
        if after <= before:
            right = "the earliest turn first, each once"
            findings.add_problem((*here, str(after)), f"turn {after} comes after turn {before}", right)
    check_game_end(firefight.game_end, here, findings)


def _turns_as_typed(data: Any, where: Where) -> list[int]:
    for key in (*where, "game_end"):
        data = data[key]
    return [int(float(turn)) for turn in data]


def _weather(table: WeatherTable, findings: CardFindings) -> None:
    least, most = (2, 12) if table.dice == "DR" else (1, 6)
    where: Where = ("weather_table", "rows")
    for i, row in enumerate(table.rows):
        if row.low is not None and row.high is not None and row.low > row.high:
            findings.add_problem((*where, i), f"{row.low} to {row.high} is not a range", "the lower end first")
    for final in range(least, most + 1):
        rows = [
            i
            for i, row in enumerate(table.rows)
            if (row.low is None or row.low <= final) and (row.high is None or final <= row.high)
        ]
        if not rows:
            right = f"the rows must cover {least} to {most}"
            findings.add_problem(where, f"a {table.dice} of {final} has no weather", right)
        elif len(rows) > 1:
            message = f"a {table.dice} of {final} has weather in two rows"
            findings.add_problem((*where, rows[1]), message, "let the rows begin where others end")


# Prices ----------------------------------------------------------------------


def _prices(card: Card, findings: CardFindings) -> None:
    side = card.sides[card.initial_attacker]
    price = card.initial_attack_cost or 0
    if price > side.cp:
        message = f"the assigned attack costs {price} CP, but the side begins with {side.cp}"
        findings.add_doubt(("initial_attack_cost",), message, f"{side.cp} or less")
    objectives = card.objectives
    if objectives.campaign.points in {"tvp", "tvp+cvp"} and not card.tvp:
        message = f"counts {objectives.campaign.points}, but no Location has TVP"
        findings.add_problem(("objectives", "campaign", "points"), message, "add tvp: {C4: 2, …}")
    most = sum(card.tvp.values()) * len(card.firefights)
    for part in ("initial", "sudden"):
        for i, objective in enumerate(getattr(objectives, part)):
            if objective.tvp is not None and objective.tvp > most:
                message = f"{objective.tvp} TVP are out of reach; there are {most} in all"
                findings.add_doubt(("objectives", part, i, "tvp"), message, f"{most} or less")
