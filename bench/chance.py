"""`python -m bench.chance`: whole campaigns played by chance in memory, beside those of an earlier commit.

With `--commanders sensible sensible` they are those of `laager simulate`: commanders play, and battles are settled.

Seeds are fixed, time is CPU time. Each campaign has a digest of its whole log: where the proposals of two commits are
alike, the digests must be too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

CARDS = ("rzhavets", "training", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")
EARLIER = "8101b883"
"""The commit from which the work on speed began."""
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MOST_ANSWERS = 5000
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Played:
    """One campaign: the CPU seconds that it took, its answers, the digest of its log."""

    seconds: float
    answers: int
    digest: str


@cache
def _made(card: str) -> Any:
    from laager.campaign.cards import find_card
    from laager.campaign.ruleset import find_ruleset

    path, rules = find_card(card, None)
    return rules, find_ruleset(rules), find_ruleset(rules).read_card(path, {})


def play(card: str, number: int) -> Played:
    """Play a campaign to its end: who is asked, and what he answers, is chosen by chance."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import MemoryStore
    from laager.campaign.opening import opening_entries

    rules, ruleset, made = _made(card)
    begun, rng, answers = time.process_time(), Random(number), 0
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, number.to_bytes(32, "big"), NOON))
    campaign = Campaign(store, clock=lambda: NOON, ruleset=ruleset)
    campaign.advance()
    while (waiting := campaign.pending()) and answers < MOST_ANSWERS:
        asked = rng.choice(waiting)
        question = asked.question
        if question is None:
            campaign.roll_for(asked.side)
        else:
            value = question.default if rng.random() < 0.1 else question.sample(rng)
            campaign.answer(asked.side, asked.key, value)
        answers += 1
    return Played(time.process_time() - begun, answers, hashlib.sha256(store.data).hexdigest()[:16])


def simulate(card: str, number: int, commanders: Sequence[str]) -> Played:
    """Play a campaign as `laager simulate` does, with a commander for each side."""
    from laager.campaign.log import ROOT, encode
    from laager.simulation.play import play_campaign

    plan = _plan(card, tuple(commanders))
    begun = time.process_time()
    played = play_campaign(plan, number)
    seconds, head = time.process_time() - begun, ROOT
    for entry in played.campaign.entries:
        _, head = encode(entry, head)
    return Played(seconds, played.outcome.answers, head[:16])


@cache
def _plan(card: str, commanders: tuple[str, ...]) -> Any:
    from laager.simulation.plan import read_plan

    axis, allied = commanders
    return read_plan(card, axis=axis, allied=allied)


def several(card: str, count: int, commanders: Sequence[str] = ()) -> list[Played]:
    """Play campaigns 1, 2, 3 …; another one before warms up what is read once."""
    numbers = (count + 1, *range(1, count + 1)) if commanders else range(count + 1)
    played = [simulate(card, number, commanders) if commanders else play(card, number) for number in numbers]
    return played[1:]


def mean(played: list[Played]) -> float:
    """Return the CPU seconds of a campaign, on average."""
    return sum(campaign.seconds for campaign in played) / len(played)


def elsewhere(source: Path, card: str, count: int, commanders: Sequence[str] = ()) -> list[Played]:
    """Play the same with the code in another folder, in a process of its own."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(source), str(ROOT)))}
    words: tuple[str, ...] = (sys.executable, "-m", "bench.chance", card, "--campaigns", str(count), "--json")
    words += ("--commanders", *commanders) if commanders else ()
    done = subprocess.run(words, check=True, capture_output=True, env=environ, cwd=source)
    return [Played(*row) for row in json.loads(done.stdout)]


@contextmanager
def earlier(commit: str = EARLIER) -> Iterator[Path | None]:
    """Unpack the code of a commit; None where its history isn't at hand."""
    archive = subprocess.run(("git", "archive", commit, "src"), capture_output=True, cwd=ROOT, check=False)
    if archive.returncode:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
        yield Path(folder) / "src"


def main() -> None:
    """Play, print seconds and campaigns a second beside those of an earlier commit."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("cards", nargs="*", default=CARDS)
    parser.add_argument("--campaigns", type=int, default=5)
    parser.add_argument("--against", default=EARLIER, help="a commit")
    parser.add_argument("--commanders", nargs=2, default=(), help="who plays each side; by chance alone if left out")
    parser.add_argument("--memory", action="store_true", help="print the resident memory now and then, nothing else")
    parser.add_argument("--json", action="store_true", help="print the campaigns of the first card, nothing else")
    given = parser.parse_args()
    if given.json:
        rows = [
            (one.seconds, one.answers, one.digest) for one in several(given.cards[0], given.campaigns, given.commanders)
        ]
        sys.stdout.write(json.dumps(rows))
        return
    if given.memory:
        for number in range(1, given.campaigns + 1):
            play(given.cards[0], number)
            if number in {10, 100} or number % 250 == 0:
                used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                sys.stdout.write(f"{number:6} campaigns {used:6.0f} MiB at most\n")
                sys.stdout.flush()
        return
    with earlier(given.against) as source:
        for card in given.cards:
            if given.commanders and card == "vistula":
                continue  # Orders of battle have no battles to be settled.
            ours = elsewhere(ROOT / "src", card, given.campaigns, given.commanders)
            theirs = elsewhere(source, card, given.campaigns, given.commanders) if source else []
            line = f"{card:14} {mean(ours) * 1000:7.0f} ms of CPU {1 / mean(ours):7.1f} campaigns a second"
            if theirs:
                alike = sum(one.digest == other.digest for one, other in zip(ours, theirs, strict=True))
                line += f"   {given.against}: {mean(theirs) * 1000:7.0f} ms; {mean(theirs) / mean(ours):5.2f} times"
                line += f"; {alike} of {len(ours)} logs alike"
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
