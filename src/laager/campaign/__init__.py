"""The engine: facts, log, state, steps, questions, secrecy, undo, audit.

What rules are written with can be imported from here; the rest (log, views, audit …) is in the modules.
"""

from laager.campaign.clauses import Clause, Handling, Moment, RulesIndex, implements
from laager.campaign.facts import UMPIRE, Fact
from laager.campaign.forms import Choice, Field, Form, Number, Option, Record, Rows, Several, Text, YesNo
from laager.campaign.placing import Placing, Spot
from laager.campaign.questions import (
    Irrevocable,
    Question,
    SecretQuestion,
    ShopLine,
    Total,
    Ware,
    each_row,
    no_decision,
)
from laager.campaign.readings import Readings
from laager.campaign.ruleset import Course, NewCampaign, PlayedRuleset, find_ruleset
from laager.campaign.sheet import Column, Sheet
from laager.campaign.sighting import SightAsked, SightFound, Sights
from laager.campaign.steps import (
    NOTHING,
    Context,
    Procedure,
    Roll,
    Step,
    ask,
    ask_all,
    ask_at_least,
    ask_together,
    ask_where_undecided,
    at_once,
    conduct,
    edition_of_parts,
    one_after_the_other,
    people,
    roll,
    step,
    under_clause,
    without_missed,
)

__all__ = [
    "NOTHING",
    "UMPIRE",
    "Choice",
    "Clause",
    "Column",
    "Context",
    "Course",
    "Fact",
    "Field",
    "Form",
    "Handling",
    "Irrevocable",
    "Moment",
    "NewCampaign",
    "Number",
    "Option",
    "Placing",
    "PlayedRuleset",
    "Procedure",
    "Question",
    "Readings",
    "Record",
    "Roll",
    "Rows",
    "RulesIndex",
    "SecretQuestion",
    "Several",
    "Sheet",
    "ShopLine",
    "SightAsked",
    "SightFound",
    "Sights",
    "Spot",
    "Step",
    "Text",
    "Total",
    "Ware",
    "YesNo",
    "ask",
    "ask_all",
    "ask_at_least",
    "ask_together",
    "ask_where_undecided",
    "at_once",
    "conduct",
    "each_row",
    "edition_of_parts",
    "find_ruleset",
    "implements",
    "no_decision",
    "one_after_the_other",
    "people",
    "roll",
    "step",
    "under_clause",
    "without_missed",
]
