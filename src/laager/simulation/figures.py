"""Statistics of a run: confidence intervals, comparisons, how many campaigns a difference takes. Needs SciPy."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from laager.base.extras import extra

CONFIDENCE = 0.95


@dataclass(frozen=True)
class WinShare:
    """A share of campaigns with its confidence interval (Wilson, 95 %)."""

    count: int
    total: int
    low: float
    high: float

    @property
    def part(self) -> float:
        """The share."""
        return self.count / self.total if self.total else 0.0

    def __str__(self) -> str:
        return f"{self.part:.1%} ({self.low:.1%} to {self.high:.1%})"


def share(count: int, total: int, confidence: float = CONFIDENCE) -> WinShare:
    """Return a share with its interval; from 0 to 1 if there is nothing to go by."""
    if not total:
        return WinShare(count, total, 0.0, 1.0)
    with extra("simulate"):
        from scipy.stats import binomtest
    interval = binomtest(count, total).proportion_ci(confidence, method="wilson")
    return WinShare(count, total, float(interval.low), float(interval.high))


@dataclass(frozen=True)
class PairedChange:
    """How a share changes between two runs of the same luck, campaign by campaign.

    `more` campaigns are won only with the change, `fewer` only without; `p` is McNemar's exact test.
    """

    more: int
    fewer: int
    total: int
    low: float
    high: float
    p: float

    @property
    def change(self) -> float:
        """The difference of the shares."""
        return (self.more - self.fewer) / self.total if self.total else 0.0


def paired_difference(more: int, fewer: int, total: int) -> PairedChange:
    """Return the difference between paired runs with its 95 % interval (Agresti and Min) and McNemar's exact p.

    The interval is Wald's with half a campaign more of each of the four kinds: where no campaign ended otherwise, that
    isn't taken for a proof that none would.
    """
    with extra("simulate"):
        from scipy.stats import binomtest, norm
    if not total:
        return PairedChange(0, 0, 0, 0.0, 0.0, 1.0)
    change, apart = (more - fewer) / (total + 2), (more + fewer + 1) / (total + 2)
    z = float(norm.ppf(0.5 + CONFIDENCE / 2))
    spread = z * sqrt((apart - change**2) / (total + 2))
    p = float(binomtest(more, more + fewer).pvalue) if more + fewer else 1.0
    return PairedChange(more, fewer, total, change - spread, change + spread, p)


def campaigns_needed(difference: float, apart: float = 0.5, power: float = 0.8) -> int:
    """Return how many campaigns of the same luck tell a difference of shares, at 5 % and this power.

    `apart` is the part of campaigns that end otherwise with the change than without: the fewer they are, the
    sooner a difference shows. Without the same luck `apart` is about a half, and there are two runs of that many.
    """
    with extra("simulate"):
        from scipy.stats import norm
    z = float(norm.ppf(0.5 + CONFIDENCE / 2)) * sqrt(apart)
    z += float(norm.ppf(power)) * sqrt(max(apart - difference**2, 0.0))
    return ceil((z / difference) ** 2)
