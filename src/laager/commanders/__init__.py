"""Commanders: who decides for a side that no person plays, on what that side knows and nothing else.

A commander is a `Commander` under the entry-point group `laager.commanders`, so that a third party can ship one as a
package of its own. It is asked the questions that a player would be asked, and its answers pass the same checks.
"""

from laager.commanders.answering import Replies, answer_for, seat_view
from laager.commanders.commander import Commander, SeatView, commander_names, load_commander

__all__ = ["Commander", "Replies", "SeatView", "answer_for", "commander_names", "load_commander", "seat_view"]
