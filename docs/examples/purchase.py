"""Play the first purchase of a shipped campaign, and count what an infantry platoon brings.

Run it with `python purchase.py`. The seed fixes the dice, so that everybody sees the same.
"""

from collections import Counter

import laager

referee = laager.new("rzhavets", seed=bytes(32))

# Both sides agree on the optional rules as proposed; Laager goes on by itself to the first purchase.
for side in referee.sides:
    referee.answer(side, "agreements")
for asked in referee.pending:
    print(asked)

# Too much: everything that is wrong with an answer comes at once, and nothing has changed.
greedy = {"groups": [{"rg": "I3", "setup": "on-map", "count": 9}], "patrols": 0}
try:
    referee.answer("axis", "purchases", greedy)
except laager.DataError as refused:
    for problem in refused.problems:
        print("refused:", problem)

# An affordable purchase; the Soviets take what Laager proposes.
referee.answer("axis", "purchases", {"groups": [{"rg": "I3", "setup": "on-map", "count": 1}], "patrols": 1})
referee.answer("allied", "purchases")

# What has come, as the Germans see it; the Soviets' purchase isn't in there.
germans = referee.seen_by("axis")
come = Counter(fact.body()["unit"]["type"] for fact in germans.facts("unit-joined"))
print(dict(come.most_common(3)))

# The odds of the ELR roll to come, at +2 DRM, if CVP are compared strictly.
for row in laager.odds("pl", "elr-change", drm=2, column="strict"):
    print(f"{row.row.span}: ELR {row.value:+d}, {float(row.probability):.0%}")
