"""What the rules of A Bridge Too Far print of charts that only the module has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

KNOWN: Mapping[str, Sequence[str]] = {
    "rg axis": (
        "CG22 names CPP of German groups in its examples. Knaust: I1 5, A3 7, A4 5; Brinkmann: "
        "I2 7, A3 7, A4 5; Harder: I6 3, I7 4, A5 4, A6 4. Of Graebner it names none.",
    ),
    "ammunition": ("The levels and what they do (CG17) are in the rules; here is only the DR.",),
}
"""Sentences by chart (of one side: with its name), for whoever fills the charts in."""
