"""Campaigns on the workers of a Dask scheduler: the same results, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from laager.simulation.plan import read_plan
from laager.simulation.run import Means, outcomes_of

if TYPE_CHECKING:
    from laager.simulation.outcome import CampaignOutcome

pytestmark = pytest.mark.soak


def test_a_killed_worker_loses_nothing_and_nothing_counts_twice() -> None:
    distributed = pytest.importorskip("distributed")
    plan, numbers = read_plan("training", axis="chance", allied="chance"), range(1, 41)
    came: list[CampaignOutcome] = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        for outcome in Means(dask=cluster.scheduler_address).play(plan, numbers):
            came.append(outcome)
            if len(came) == 5:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    assert [outcome.number for outcome in came] == list(numbers)
    assert came == list(outcomes_of(plan, numbers))
