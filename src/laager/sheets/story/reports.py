"""The story in words: the after-action report of a battle, and the whole of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.speech import in_words_of_card
from laager.campaign.views import view
from laager.dice import Dice, distribution
from laager.hexmap.draw import Curve, Falls, draw_chart, draw_falls, draw_film, draw_svg
from laager.sheets.story import losses, luck
from laager.sheets.story.battles import Battle, battles, find_battle, find_battles, knows_side
from laager.sheets.story.careers import careers
from laager.sheets.story.document import Block, Heading, Listing, Paragraph, Story, StoryPicture, StoryTable
from laager.sheets.story.ground import MOST_LISTED, Won, ground_won, only_control, scene
from laager.sheets.story.sentences import Teller
from laager.sheets.words import Words, words_of

DR_VALUES = range(2, 13)
"""What a DR can show."""


def has_story(campaign: Campaign) -> bool:
    """True if a campaign has battles to tell of, now or later; an order of battle by Design Your Own has none."""
    return find_battles(campaign)


@in_words_of_card
def after_action(campaign: Campaign, viewer: str, number: int | None = None, language: str = "en") -> Story:
    """Return the report on a battle for a viewer; without a number on the last one that was fought.

    Raises RefusedError if no such battle has been fought, or for an unknown viewer or language.
    """
    seen = view(campaign, viewer)
    battle = find_battle(campaign, seen, number)
    teller = Teller(campaign, seen, words_of(language))
    at = seen.log[min(battle.last, len(seen.log)) - 1].entry.at
    blocks = tuple(_battle(teller, battle))
    words = teller.words
    subtitle = f"{teller.translate(battle.kind)} · {seen.title}" if battle.kind else seen.title
    if not battle.closed:
        subtitle += f" · {words('so far')}"
    return Story(f"battle-{battle.number}", teller.translate(battle.title), subtitle, blocks, language, at)


@in_words_of_card
def whole_story(campaign: Campaign, viewer: str, language: str = "en") -> Story:
    """Return the story of a campaign as far as it has gone and a viewer may know it.

    Raises RefusedError if no battle has been fought, or for an unknown viewer or language.
    """
    seen = view(campaign, viewer)
    find_battle(campaign, seen)
    teller = Teller(campaign, seen, words_of(language))
    known = [battle for battle in battles(campaign, seen) if battle.fought]
    blocks = tuple(_whole(teller, known))
    subtitle = teller.words("The whole story") if campaign.over else teller.words("The story so far")
    return Story("story", seen.title, subtitle, blocks, language, seen.log[-1].entry.at)


# A battle -----------------------------------------------------------------------------------------


def _battle(teller: Teller, battle: Battle) -> Iterator[Block]:
    words, seen = teller.words, teller.seen
    battle_losses = teller.losses(battle)
    won = ground_won(teller.campaign, seen, battle, teller.sides)
    points = [row for row in losses.points(seen, teller.battles, teller.sides) if row.battle == battle.number]
    rolls = luck.rolls_of_note(teller.campaign, seen, battle, words.language)
    yield from (Paragraph(text) for text in teller.what_happened(battle, battle_losses, won, points, rolls))
    yield Heading(words("Losses"))
    for side in teller.sides:
        yield _groups(teller, battle, side)
    yield Heading(words("Ground"))
    yield from _ground(teller, won)
    yield _map(teller, battle, "before", words("Before the battle"), battle.before)
    yield _map(teller, battle, "after", words("After the battle"), battle.last)
    yield Heading(words("Victory points"))
    yield _points(teller, points)
    yield from _curves(teller, [past for past in teller.battles if past.fought and past.number <= battle.number])
    if rolls:
        yield Heading(words("Rolls of note"))
        yield Listing(tuple(teller.roll(roll) for roll in rolls), tuple(roll.number for roll in rolls))
    yield from _rulings(teller, battle)
    yield from _table_dice(teller, battle)


def _rulings(teller: Teller, battle: Battle | None = None) -> Iterator[Block]:
    """Yield what the table decided otherwise than the rules: for a battle, or in the whole campaign."""
    lines = [line for line in teller.seen.log if line.counts and line.entry.type == "ruling"]
    lines = [line for line in lines if battle is None or battle.prepares(line.number)]
    if lines:
        yield Heading(teller.words("Rulings"))
        yield Listing(tuple(map(teller.ruling, lines)), tuple(line.number for line in lines))


def _groups(teller: Teller, battle: Battle, side: str) -> Block:
    words = teller.words
    known = knows_side(teller.seen, side)
    rows = []
    for group in losses.by_group(teller.campaign, teller.seen, battle, side):
        name = (
            f"{group.name} ({group.group})"
            if group.group
            else words("no group")
            if known
            else words("groups not known")
        )
        rows.append((name, *((str(group.strength),) if known else ()), teller.list_losses(group.losses)))
    title = teller.name(side)
    if not rows:
        return Paragraph(words("{side}: no losses.", side=title))
    columns = (words("Group"), *((words("Strength"),) if known else ()), words("Lost"))
    return StoryTable(title, columns, tuple(rows), figures=len(columns))


def _ground(teller: Teller, won: Sequence[Won]) -> Iterator[Block]:
    words = teller.words
    if not any(side.any for side in won):
        yield Paragraph(words("No ground changed hands."))
        return
    columns = (words("Side"), words("Won"), words("Lost"))
    rows = tuple(
        (teller.name(side.side), *(list_places(words, side, gained=gained) for gained in (True, False))) for side in won
    )
    yield StoryTable(words("What changed hands"), columns, rows, figures=len(columns))


def list_places(words: Words, won: Won, *, gained: bool) -> str:
    """Return what a side won or lost as a cell of a table: Blocks, and a dozen Locations at most."""
    blocks = won.blocks_gained if gained else won.blocks_lost
    places = won.gained if gained else won.lost
    named = f"Block {', '.join(blocks)}" if len(blocks) == 1 else f"Blocks {', '.join(blocks)}" if blocks else ""
    rest = len(places[MOST_LISTED:])
    # The maps show the rest.
    more = words(" and ") + words("{n} more", n=rest) if rest else ""
    return "; ".join(filter(None, (named, ", ".join(places[:MOST_LISTED]) + more))) or "–"


def _map(teller: Teller, battle: Battle, name: str, title: str, at: int) -> StoryPicture:
    map_, layers = scene(teller.campaign, teller.seen, at, f"{teller.translate(battle.title)} · {title}")
    return StoryPicture(f"battle-{battle.number}-{name}", title, partial(draw_svg, map_, layers), at)


def _points(teller: Teller, points: Sequence[losses.BattlePoints]) -> StoryTable:
    words = teller.words
    with_tvp = any(row.tvp_total for row in points)
    columns = (words("Side"), "CVP", words("CVP total"), *(("TVP", words("TVP total")) if with_tvp else ()))
    rows = tuple(
        (
            teller.name(row.side),
            *(str(row.cvp), str(row.cvp_total)),
            *((str(row.tvp), str(row.tvp_total)) if with_tvp else ()),
        )
        for row in points
    )
    return StoryTable(words("Points of this battle"), columns, rows)


def _curves(teller: Teller, known: Sequence[Battle]) -> Iterator[StoryPicture]:
    """Yield charts of the points from the second battle on; those of TVP only where the rules have them."""
    if len(known) < 2:
        return
    words = teller.words
    all_points = losses.points(teller.seen, known, teller.sides)
    labels = tuple(str(battle.number) for battle in known)
    for name, total in (("CVP", "cvp_total"), ("TVP", "tvp_total")):
        curves = tuple(
            Curve(side, teller.name(side), tuple(getattr(row, total) for row in all_points if row.side == side))
            for side in teller.sides
        )
        if any(value for curve in curves for value in curve.values):
            title = words("{points} over the battles", points=name)
            yield StoryPicture(name.lower(), title, partial(draw_chart, title, labels, curves))


# Dice ---------------------------------------------------------------------------------------------


def _table_dice(teller: Teller, battle: Battle | None = None) -> Iterator[Block]:
    """Yield the dice of the game board, where a log of VASL stands with a report."""
    tallies = luck.table_tallies(luck.table_rolls(teller.seen, battle))
    if tallies:
        yield Heading(teller.words("Dice on the game board"))
        yield from _tallies(teller, tallies, named=False)


def _tallies(teller: Teller, tallies: Sequence[luck.Tally], named: bool = True) -> Iterator[Block]:
    """Yield what was rolled against what fair dice give; `named` if the rollers are sides."""
    words = teller.words
    rows = tuple(
        (
            teller.name(tally.who) if named else tally.who or "?",
            tally.dice.value,
            str(tally.rolls),
            f"{float(tally.mean):.2f}",
            f"{tally.sigmas:+.2f}\N{NO-BREAK SPACE}σ",
            teller.luck(tally),
        )
        for tally in tallies
    )
    columns = (words("Who"), words("Dice"), words("Rolls"), words("Average"), words("Luck"), words("In words"))
    yield StoryTable(words("Luck"), columns, rows, figures=len(columns))
    rolled = tuple(
        Falls(tally.who, teller.name(tally.who) if named else tally.who or "?",
              tuple(tally.counts.get(value, 0) for value in DR_VALUES))
        for tally in tallies if tally.dice is Dice.DR
    )  # fmt: skip
    if rolled:
        fair = tuple(float(distribution(Dice.DR).probability(value)) for value in DR_VALUES)
        title = words("DR against fair dice") if named else words("DR on the game board against fair dice")
        draw = partial(draw_falls, title, DR_VALUES, fair, rolled, words("fair dice"))
        yield StoryPicture("dice" if named else "board-dice", title, draw)
    for tally in tallies:
        if tally.dice is Dice.DR:
            who = teller.name(tally.who) if named else tally.who or "?"
            yield _spread(teller, who, tally)


def _spread(teller: Teller, who: str, tally: luck.Tally) -> StoryTable:
    words = teller.words
    rows = (
        (words("rolled"), *(str(tally.counts.get(value, 0)) for value in DR_VALUES)),
        (words("expected"), *(f"{float(tally.due(value)):.1f}" for value in DR_VALUES)),
    )
    return StoryTable(words("DR of {side}", side=who), ("", *map(str, DR_VALUES)), rows)


# The whole campaign -------------------------------------------------------------------------------


def _whole(teller: Teller, known: Sequence[Battle]) -> Iterator[Block]:
    words, seen = teller.words, teller.seen
    yield from (Paragraph(line) for line in teller.standing())
    yield Paragraph(teller.sum_up(known, losses.by_kind(teller.losses())))
    if not teller.campaign.over and not any(knows_side(seen, side) for side in teller.sides):
        yield Paragraph(words("What the sides keep secret is told when the campaign is over."))
    all_points = losses.points(seen, known, teller.sides)
    for battle in known:
        yield Heading(teller.translate(battle.title))
        points = [row for row in all_points if row.battle == battle.number]
        won = ground_won(teller.campaign, seen, battle, teller.sides)
        rolls = luck.rolls_of_note(teller.campaign, seen, battle, words.language)[:1]
        paragraphs = teller.what_happened(battle, teller.losses(battle), won, points, rolls)
        yield from (Paragraph(text) for text in paragraphs)
    yield from _film(teller, known)
    curves = tuple(_curves(teller, known))
    if curves:
        yield Heading(words("Victory points"))
        yield from curves
    yield from _exchange(teller)
    yield from _careers(teller, known)
    yield from _purchases(teller)
    yield from _rulings(teller)
    yield Heading(words("Dice of the campaign"))
    yield from _tallies(teller, luck.tallies(seen, teller.sides))
    yield from _table_dice(teller)


def _film(teller: Teller, known: Sequence[Battle]) -> Iterator[Block]:
    """Yield the front as it moved: before the first battle, and after each."""
    words = teller.words
    try:
        moments = [
            (words("Before the first battle"), known[0].before),
            *((teller.translate(battle.title), battle.last) for battle in known),
        ]
        scenes = [(caption, *scene(teller.campaign, teller.seen, at)) for caption, at in moments]
    except RefusedError:
        return
    title = words("How the front moved")
    shown = [(caption, only_control(layers)) for caption, _, layers in scenes]
    draw = partial(draw_film, scenes[-1][1], teller.seen.title, shown)
    yield Heading(title)
    yield StoryPicture("front", title, draw, known[-1].last, moves=True)


def _exchange(teller: Teller) -> Iterator[Block]:
    words = teller.words
    by_kind = losses.by_kind(teller.losses())
    if not by_kind:
        return
    rows = [(words(kind), *(str(counts[side]) for side in teller.sides)) for kind, counts in by_kind.items()]
    total = (words("All"), *(str(sum(counts[side] for counts in by_kind.values())) for side in teller.sides))
    yield Heading(words("Casualty exchange"))
    names = (teller.name(side) for side in teller.sides)
    yield StoryTable(words("Units lost for good"), (words("Kind"), *names), (*rows, total))


def _careers(teller: Teller, known: Sequence[Battle]) -> Iterator[Block]:
    """Yield the units that were in every battle, those alike as one row: what they were, their group, their fate."""
    words, tables = teller.words, list[Block]()
    for side in teller.sides:
        rows = Counter(
            (" → ".join(career.ranks), *teller.list_career(career.unit))
            for career in careers(teller.campaign, teller.seen, known, side)
        )
        if rows:
            columns = (words("Unit"), words("Group"), words("What became of it"))
            named = [(f"{n} x {ranks}" if n > 1 else ranks, *rest) for (ranks, *rest), n in rows.items()]
            title = words("{side} who were in every battle", side=teller.name(side))
            tables.append(StoryTable(title, columns, tuple(named[:MOST_LISTED]), figures=len(columns)))
            if len(named) > MOST_LISTED:
                tables.append(Paragraph(words("{n} more", n=len(named) - MOST_LISTED)))
    if tables:
        yield Heading(words("Careers"))
        yield from tables


def _purchases(teller: Teller) -> Iterator[Block]:
    words = teller.words
    yield Heading(words("Purchases by kind"))
    for side in teller.sides:
        name = teller.name(side)
        if not knows_side(teller.seen, side):
            yield Paragraph(words("{side}: secret until the campaign is over.", side=name))
            continue
        bought = teller.list_purchases(side)
        if not bought:
            yield Paragraph(words("{side}: nothing.", side=name))
            continue
        columns = (words("What"), words("Times"), words("Points"))
        yield StoryTable(
            name, columns, tuple((bought_name, str(times), str(cost)) for bought_name, times, cost in bought)
        )
