"""The engine: facts, log, state, steps, questions, secrecy, undo, audit.

What rules are written with can be imported from here; the rest (log, views, audit …) is in the modules.
"""

from laager.campaign.clauses import Clause, Handling, Moment, RulesIndex, implements
from laager.campaign.facts import UMPIRE, Fact
from laager.campaign.questions import (
    Choice,
    Field,
    Form,
    Irrevocable,
    Number,
    Option,
    Question,
    Record,
    Rows,
    SecretQuestion,
    Several,
    Text,
    Total,
    YesNo,
    each_row,
    no_decision,
)
from laager.campaign.readings import Readings
from laager.campaign.ruleset import Course, NewCampaign, PlayedRuleset, find_ruleset
from laager.campaign.sheet import Column, Sheet
from laager.campaign.sighting import SightAsked, SightFound, Sights
from laager.campaign.steps import Context, Procedure, Roll, Step, ask, ask_all, people, roll, step, together

__all__ = [
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
    "SightAsked",
    "SightFound",
    "Sights",
    "Step",
    "Text",
    "Total",
    "YesNo",
    "ask",
    "ask_all",
    "each_row",
    "find_ruleset",
    "implements",
    "no_decision",
    "people",
    "roll",
    "step",
    "together",
]
