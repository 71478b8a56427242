"""Plots of a run as SVG, by Matplotlib: who wins, figures over time, ground held, what changes most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from laager.base.extras import extra
from laager.campaign.speech import ENGLISH, say
from laager.simulation.compare import Comparison, sorted_by_size
from laager.simulation.figures import share
from laager.simulation.plan import SimulationPlan, describe_change
from laager.simulation.sheets import FIGURE_TITLES, context_of, name_of
from laager.simulation.tally import END, RunTally

COLOURS = {"axis": "#4a6fa5", "allied": "#b5533c", "": "#888888"}
"""The sides' colours in plots; of draws the last."""

SIZE = (7.0, 3.6)
"""Width and height of a plot, in inches."""


def plots_of(
    plan: SimulationPlan,
    tally: RunTally,
    comparisons: Sequence[Comparison] = (),
    *,
    all_maps: bool = False,
    language: str = ENGLISH,
) -> dict[str, str]:
    """Return all plots of a run as SVG, by name; with `all_maps` a map for each slot, else of the last."""
    context = context_of(plan)
    figures = {"winners": _winners(plan, tally, context), "battles": _battles(tally)}
    for figure in tally.figures():
        figures[figure] = _over_time(tally, context, figure)
    for slot in (*(tally.slots if all_maps else tally.slots[-1:]), END) if tally.slots else ():
        figures["control-end" if slot == END else f"control-{slot}"] = _control(tally, context, slot)
    if comparisons:
        figures["what-if"] = _tornado(plan, comparisons, context)
    return {name: _svg(figure, language) for name, figure in figures.items()}


def _figure(title: str, size: tuple[float, float] = SIZE) -> tuple[Any, Any]:
    with extra("simulate"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Any, language: str) -> str:
    from matplotlib import rc_context
    from matplotlib.text import Text

    # Ticks that are words have been set by hand; setting them again keeps them where they are.
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            labels = [label.get_text() for label in axis.get_ticklabels()]
            if any(any(sign.isalpha() for sign in label) for label in labels):
                axis.set_ticks(axis.get_ticklocs(), [say(label, language) for label in labels])
    for text in figure.findobj(Text):
        text.set_text(say(text.get_text(), language))
    out = StringIO()
    # The same run gives the same bytes: no date, no random ids.
    with rc_context({"svg.hashsalt": "laager", "svg.fonttype": "path"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _winners(plan: SimulationPlan, tally: RunTally, context: Any) -> Any:
    figure, axes = _figure(f"Who wins: {tally.campaigns:,} campaigns", (7.0, 2.2))
    sides = [*plan.commanders, *([""] if tally.wins[""] else [])]
    for row, side in enumerate(reversed(sides)):
        part = share(tally.wins[side], tally.ended_campaigns)
        off = [[part.part - part.low], [part.high - part.part]]
        axes.barh(row, part.part, xerr=off, color=COLOURS.get(side, "#888888"), capsize=4)
        axes.text(min(part.high + 0.01, 0.98), row, f"{part.part:.0%}", va="center")
    axes.set_yticks(range(len(sides)), [name_of(context, side) for side in reversed(sides)])
    axes.set_xlim(0, 1.05)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    return figure


def _battles(tally: RunTally) -> Any:
    figure, axes = _figure("Battles per campaign")
    counts = sorted(tally.battles.items())
    axes.bar([count for count, _ in counts], [times for _, times in counts], color="#777777")
    axes.set_xlabel("battles fought")
    axes.set_ylabel("campaigns")
    return figure


def _over_time(tally: RunTally, context: Any, name: str) -> Any:
    figure, axes = _figure(FIGURE_TITLES[name])
    slots = [*tally.slots, END]
    for side in context.card.sides:
        bands = [tally.quantiles(name, slot, side, (0.05, 0.25, 0.5, 0.75, 0.95)) for slot in slots]
        places = [place for place, band in enumerate(bands) if band]
        shown = [band for band in bands if band]
        for low, high, alpha in ((0, 4, 0.15), (1, 3, 0.3)):
            axes.fill_between(
                places, [b[low] for b in shown], [b[high] for b in shown], color=COLOURS[side], alpha=alpha, linewidth=0
            )
        axes.plot(places, [b[2] for b in shown], color=COLOURS[side], label=name_of(context, side))
    axes.set_xticks(range(len(slots)), [*(str(slot) for slot in tally.slots), "End"])
    axes.set_xlabel("at the start of; bands hold the middle half and nine tenths")
    axes.legend(frameon=False)
    return figure


def _control(tally: RunTally, context: Any, slot: int) -> Any:
    """Draw the map's hexes, each by how often which side Controls a Location in it."""
    with extra("simulate"):
        from matplotlib.collections import PolyCollection
    shares = hex_shares(tally, slot)
    red, blue = name_of(context, "allied"), name_of(context, "axis")
    title = f"Control at the start of {slot}: red {red}, blue {blue}"
    if slot == END:
        title = f"Control at the end: red {red}, blue {blue}"
    figure, axes = _figure(title, (7.5, 6))
    hexes = [hex_ for hex_ in context.map.hexes.values() if hex_.name in context.map.playable]
    shapes = [list(_corners(hex_.q, hex_.r)) for hex_ in hexes]
    colours = [_blend(shares.get(hex_.name)) for hex_ in hexes]
    axes.add_collection(PolyCollection(shapes, facecolors=colours, edgecolors="#cccccc", linewidths=0.3))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.invert_yaxis()
    axes.axis("off")
    return figure


def hex_shares(tally: RunTally, slot: int) -> dict[str, tuple[float, float]]:
    """Return by hex how often axis and allied Control a Location in it, as parts of all campaigns."""
    most: dict[str, dict[str, int]] = {}
    for (number, side, at), times in tally.control.items():
        if number == slot:
            held = most.setdefault(at.partition(".")[0], {})
            held[side] = max(held.get(side, 0), times)
    total = tally.campaigns if slot == END else tally.reached[slot]
    return {name: (held.get("axis", 0) / total, held.get("allied", 0) / total) for name, held in most.items()}


def _corners(q: int, r: int) -> Iterator[tuple[float, float]]:
    """Yield the corners of a flat-topped hex by its axial place; y grows to the south."""
    root = 3**0.5
    x, y = 1.5 * q, root * (r + q / 2)
    for dx, dy in ((1, 0), (0.5, root / 2), (-0.5, root / 2), (-1, 0), (-0.5, -root / 2), (0.5, -root / 2)):
        yield x + dx, y + dy


def _blend(parts: tuple[float, float] | None) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    if parts is None:
        return (1.0, 1.0, 1.0)
    axis, allied = (to_rgb(COLOURS[side]) for side in ("axis", "allied"))
    rest = max(0.0, 1 - sum(parts))
    red, green, blue = (min(1.0, rest * 0.93 + parts[0] * axis[i] + parts[1] * allied[i]) for i in range(3))
    return red, green, blue


def _tornado(plan: SimulationPlan, comparisons: Sequence[Comparison], context: Any) -> Any:
    side = next(iter(plan.commanders))
    rows = list(reversed(sorted_by_size(comparisons, side)))
    names = {each: name_of(context, each) for each in plan.commanders}
    title = f"What if? How much more often {names[side]} win"
    figure, axes = _figure(title, (7.0, 1.2 + 0.4 * len(rows)))
    for row, item in enumerate(rows):
        change = item.by_side[side]
        off = [[change.change - change.low], [change.high - change.change]]
        axes.barh(row, change.change, xerr=off, color=COLOURS[side if change.change >= 0 else "allied"], capsize=4)
    axes.axvline(0, color="#444444", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [describe_change(item.change, names) for item in rows])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:+.0%}")
    return figure


def titles_of(plots: Mapping[str, str]) -> dict[str, str]:
    """Return what stands under each plot."""
    words = {"winners": "Who wins", "battles": "Battles per campaign", "what-if": "What if?", **FIGURE_TITLES}
    return {name: words.get(name, name.replace("-", " ").capitalize()) for name in plots}
