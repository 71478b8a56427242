"""Runs on a server: who may have how many, whose turn it is, and what is kept of them.

One process plays at a time, whatever the number of workers and servers: a worker holds the run whose turn it is for
a part of a few seconds, stores what was played, and lets go. People take turns, not runs. If a worker dies, another
one goes on with what was stored; by their seeds campaigns come out the same, and each counts once.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from laager.base import LaagerError, Refusal, RefusedError
from laager.campaign.log import ROOT, encode
from laager.commanders import load_commander
from laager.rules.board.ruleset import BoardRuleset
from laager.simulation.balance import digest_setting
from laager.simulation.battles import load_battles
from laager.simulation.figures import share
from laager.simulation.forecast import INTENSITIES
from laager.simulation.known import KnownRecord
from laager.simulation.plan import SimulationPlan
from laager.web.campaigns import actions
from laager.web.library.files.offers import Offer
from laager.web.models import Game, Player, SimulatedPart, Simulation
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import processes
from laager.web.shared.fair_queue import BusyError
from laager.web.shared.recent import Recent
from laager.web.shared.translation import language
from laager.web.simulating import jobs

if TYPE_CHECKING:
    from uuid import UUID

    from laager.web.campaigns.tables import Table

State = Simulation.State
LOG = logging.getLogger("laager.web")

PART_SECONDS = 5.0
"""How long a run has its turn. What is paused stops after it."""
HELD = timedelta(minutes=3)
"""A worker that holds a run for longer is dead."""
EVERY = 2.0
"""Seconds between two looks for runs."""
SMALLEST_BALANCE = 30
"""A run with fewer campaigns says nothing about balance."""
FORECAST_CHANGES = [f"{jobs.SETTING}{intensity}" for intensity in INTENSITIES if intensity != "usual"]
"""A forecast is made under all settings of the model."""
MOST_CHANGES = 8
"""Most what-ifs of a run."""

PLAYING = processes.Processes(lambda: 1)
"""The process that plays."""
RESULTS: Recent[tuple[UUID, int, str], jobs.Results] = Recent(20)
"""What was shown last, by run and how far it was."""


# Beginning ----------------------------------------------------------------------------------------


def campaigns_left(user: Player) -> int:
    """Return how many more campaigns somebody may have simulated."""
    runs = Simulation.objects.filter(owner=user).defer("plan")
    kept = sum(run.done if run.state == State.ENDED else run.total for run in runs)
    return max(0, int(settings.CONFIG.simulated_campaigns) - kept)


def can_simulate(card: Offer) -> bool:
    """True if campaigns of a card can be played by the server: it has battles, and the owner allows it."""
    return isinstance(card.ruleset, BoardRuleset) and settings.CONFIG.simulated_campaigns > 0


def begin(
    user: Player, card: Offer, campaigns: int, commanders: Mapping[str, str], intensity: str, changes: list[str]
) -> Simulation:
    """Put a run in the queue. Raises RefusedError or DataError with what is wrong with the wish."""
    if not can_simulate(card):
        raise RefusedError(Refusal.NO_SUCH, "campaigns of this card aren't simulated here")
    for name in commanders.values():
        load_commander(name, quick=True)
    load_battles("stated", intensity)
    if len(changes) > MOST_CHANGES:
        raise RefusedError(Refusal.BAD_ANSWER, f"a run has {MOST_CHANGES} what-ifs at most")
    check_count(user, campaigns, changes)
    made = card.read()
    plan = SimulationPlan(card.id, card.rules, made.title, made.setting, dict(commanders), intensity=intensity)
    for text in changes:
        plan.with_change(text)
    return Simulation.objects.create(
        owner=user,
        title=" ".join(made.title.split())[:200],
        card=card.id,
        own=card.owner is not None,
        ruleset=card.rules,
        plan=jobs.pack_plan(plan),
        commanders=dict(commanders),
        intensity=intensity,
        changes=changes,
        digest=digest_setting(made.setting),
        campaigns=campaigns,
    )


def check_count(user: Player, campaigns: int, changes: Sequence[str]) -> None:
    """Raise RefusedError if somebody may not have so many more campaigns played, each again with every change."""
    wanted, left = campaigns * (1 + len(changes)), campaigns_left(user)
    if not 0 < wanted <= left:
        right = "remove a run that you don't need any more" if campaigns else "play at least one"
        raise RefusedError(
            Refusal.BAD_ANSWER, f"this is {wanted} campaigns with all what-ifs, and you have {left} left", right
        )


def can_forecast(table: Table) -> bool:
    """True if the server can play a campaign on for a side: it is under way, has battles, and the owner allows it."""
    mine = table.seat.viewer in table.ruleset.sides and table.seat.may_now(Action.DRAFT)
    fit = isinstance(table.ruleset, BoardRuleset) and not table.campaign.over
    return mine and fit and settings.CONFIG.simulated_campaigns > 0


def begin_forecast(table: Table, campaigns: int) -> Simulation:
    """Put a forecast in the queue: the campaign played on by what the seat's side knows, under each setting.

    Raises RefusedError with what is wrong with the wish.
    """
    if not can_forecast(table):
        raise RefusedError(Refusal.NOT_YOURS, "there is no forecast here", "a side asks for its own, before the end")
    seat = table.seat
    check_count(seat.user, campaigns, FORECAST_CHANGES)
    return Simulation.objects.create(
        owner=seat.user,
        game=seat.game,
        side=seat.viewer,
        title=seat.game.title,
        ruleset=seat.game.ruleset,
        plan=jobs.pack_known(KnownRecord.of(table.campaign, seat.viewer)),
        commanders=dict.fromkeys(table.ruleset.sides, "sensible"),
        intensity="usual",
        changes=FORECAST_CHANGES,
        campaigns=campaigns,
    )


def forecasts_of(seat: Seat) -> list[Simulation]:
    """Return somebody's forecasts for the side of a seat, the newest first."""
    runs = Simulation.objects.filter(owner=seat.user, game=seat.game, side=seat.viewer)
    return list(runs.defer("plan"))


def find(user: Player, number: UUID) -> Simulation:
    """Return somebody's own run. Raises RefusedError if there is none of that number."""
    run = Simulation.objects.filter(owner=user, pk=number).first()
    if run is None:
        raise RefusedError(Refusal.NO_SUCH, "you have no such simulation")
    return run


def runs_of(user: Player, card: Offer) -> list[Simulation]:
    """Return somebody's runs of a card, the newest first."""
    runs = Simulation.objects.filter(owner=user, card=card.id, own=card.owner is not None)
    return list(runs.defer("plan"))


def set_state(run: Simulation, state: str) -> None:
    """Pause a run, or let it go on."""
    before = {State.PAUSED: [State.PLAYING], State.PLAYING: [State.PAUSED, State.FAILED]}[State(state)]
    Simulation.objects.filter(pk=run.pk, state__in=before).update(state=state, trouble="")


def cancel(run: Simulation) -> None:
    """End a run with what was played so far: these campaigns count. One without any is removed."""
    if run.done == 0:
        run.delete()
    else:
        Simulation.objects.filter(pk=run.pk).update(state=State.ENDED)


def seconds_left(run: Simulation) -> float | None:
    """Return about how long a run still takes, with those of other people in between; None if nobody can say."""
    if not run.done:
        return None
    others = Simulation.objects.filter(state=State.PLAYING).exclude(owner=run.owner_id)
    people = others.values("owner").distinct().count()
    return float(run.seconds / run.done * (run.total - run.done) * (1 + people))


# Playing ------------------------------------------------------------------------------------------


def keep_playing(ended: Event) -> None:
    """Play what waits until the end, in the thread that calls this."""
    while not ended.wait(EVERY):
        try:
            while not ended.is_set() and play_next_part():
                pass
        except BusyError:
            pass
        except Exception as err:
            LOG.warning("a simulation could not go on, will try again: %s", type(err).__name__)
        connection.close()


def play_next_part() -> bool:
    """Play a part of the run whose turn it is, and store it; False if there is none, or somebody else plays."""
    run = _hold_next()
    if run is None:
        return False
    change, before = divmod(run.done, run.campaigns)
    text = run.changes[change - 1] if change else ""
    play = jobs.play_part if run.game_id is None else jobs.play_forecast_part
    try:
        part = PLAYING.do(run.owner_id, play, bytes(run.plan), text, before + 1, run.campaigns, PART_SECONDS)
    except LaagerError as err:
        if not isinstance(err, BusyError):
            Simulation.objects.filter(pk=run.pk).update(state=State.FAILED, trouble=str(err))
        Simulation.objects.filter(pk=run.pk).update(held_until=None)
        return True
    with transaction.atomic():
        # A worker that came too late, or whose run was ended in the meantime, stores nothing.
        held = Simulation.objects.filter(pk=run.pk, done=run.done, turn=run.turn).exclude(state=State.ENDED)
        if held.update(done=F("done") + part.count, seconds=F("seconds") + part.seconds, held_until=None):
            if not text:
                wins = {side: run.wins.get(side, 0) + part.wins.get(side, 0) for side in {*run.wins, *part.wins}}
                Simulation.objects.filter(pk=run.pk).update(wins=wins)
            SimulatedPart.objects.create(simulation=run, change=change, first=before + 1, data=part.data)
            if run.done + part.count == run.total:
                Simulation.objects.filter(pk=run.pk).update(state=State.ENDED)
    return True


def _hold_next() -> Simulation | None:
    """Hold the run whose turn it is: of the person who has waited longest the oldest one."""
    now = timezone.now()
    if Simulation.objects.filter(held_until__gt=now).exists():
        return None
    waiting = list(Simulation.objects.filter(state=State.PLAYING).defer("plan"))
    if not waiting:
        return None
    last_turn: dict[int, Any] = {}
    for run in waiting:
        last_turn[run.owner_id] = max(run.turn, last_turn.get(run.owner_id, run.turn))
    chosen = min(waiting, key=lambda run: (last_turn[run.owner_id], run.made))
    # Of two workers that choose the same one gets it.
    row = Simulation.objects.filter(pk=chosen.pk, turn=chosen.turn, state=State.PLAYING)
    if not row.update(turn=now, held_until=now + HELD):
        return None
    return Simulation.objects.get(pk=chosen.pk)


# What came out ------------------------------------------------------------------------------------


def results(run: Simulation) -> jobs.Results:
    """Return what came out of a run so far, in the reader's language. Raises RefusedError as `Processes.do` does."""
    spoken = language()
    key = (run.pk, run.done, spoken)
    show = jobs.show_results if run.game_id is None else jobs.show_forecast
    return RESULTS.get(key, lambda: _do(run, show, run.changes, _parts(run), spoken))


def check_of_card(run: Simulation) -> None:
    """Raise RefusedError for a forecast, which has tables and nothing else."""
    if run.game_id is not None:
        raise RefusedError(Refusal.NO_SUCH, "a forecast is shown as tables", "take it as CSV")


def pdf(run: Simulation, language: str) -> bytes:
    """Return the results as a PDF. Raises RefusedError for a forecast, as `parquet` and `open_campaign` do."""
    check_of_card(run)
    return bytes(_do(run, jobs.results_as_pdf, run.changes, _parts(run), "a4", language))


def parquet(run: Simulation) -> bytes:
    """Return the campaigns as a Parquet file."""
    check_of_card(run)
    return bytes(_do(run, jobs.results_as_parquet, _parts(run)))


def open_campaign(run: Simulation, number: int) -> Game:
    """Return one campaign of a run as a campaign of its owner, who sits on both sides; made if it isn't there yet.

    Raises RefusedError if it wasn't played.
    """
    check_of_card(run)
    if not 1 <= number <= min(run.done, run.campaigns):
        raise RefusedError(Refusal.NO_SUCH, f"there is no campaign {number} in this run")
    entries = _do(run, jobs.play_again, number)
    head = ROOT
    for entry in entries:
        _, head = encode(entry, head)
    # The same seed makes the same lines.
    there = Game.objects.filter(owner=run.owner, head=head).first()
    return there or actions.keep_played(run.owner, f"{run.title} #{number}"[:200], run.card, run.ruleset, entries)


def _do(run: Simulation, job: Any, *args: Any) -> Any:
    return processes.SLOW.do(run.owner_id, job, bytes(run.plan), *args)


def _parts(run: Simulation) -> list[tuple[int, bytes]]:
    rows = SimulatedPart.objects.filter(simulation=run).values_list("change", "data")
    return [(change, bytes(data)) for change, data in rows]


@dataclass(frozen=True)
class CardBalance:
    """How often each side won in the largest simulation of a card: by side, the share in per cent and its interval."""

    run: Simulation
    campaigns: int
    rows: list[tuple[str, str, str, str]]


def balance_of(card: Offer, setting: Mapping[str, Any]) -> CardBalance | None:
    """Return how balanced a card is by the largest run of it on this server; None if there is none of size.

    Between equal sensible commanders, in battles of usual losses. What counts is the card as it is now. Runs of a
    shipped card are everybody's, of an own card its owner's.
    """
    run = find_fair_run(digest_setting(setting), card.owner)
    if run is None:
        return None
    total = sum(run.wins.values())
    sides = [*card.ruleset.sides, *([""] if run.wins.get("") else [])]
    parts = [(side, share(run.wins.get(side, 0), total)) for side in sides]
    return CardBalance(run, total, [(side, f"{p.part:.0%}", f"{p.low:.0%}", f"{p.high:.0%}") for side, p in parts])


def find_fair_run(digest: str, owner: Player | None) -> Simulation | None:
    """Return the largest run of a card between equals, if it's of size; `owner`: only that player's own runs."""
    runs = Simulation.objects.filter(digest=digest, intensity="usual").exclude(wins={})
    if owner is not None:
        runs = runs.filter(owner=owner)
    fair = [run for run in runs.defer("plan") if set(run.commanders.values()) == {"sensible"}]
    run = max(fair, key=lambda run: sum(run.wins.values()), default=None)
    return run if run is not None and sum(run.wins.values()) >= SMALLEST_BALANCE else None
