"""Dice: DR and dr, where their faces come from, and their exact odds. All values are immutable."""

from laager.dice.odds import Distribution, distribution
from laager.dice.sources import DiceSource, EnteredDice, ScriptedDice, SeededDice
from laager.dice.values import Dice, Faces, Modifier, Rolled, check_faces, parse_faces

__all__ = [
    "Dice",
    "DiceSource",
    "Distribution",
    "EnteredDice",
    "Faces",
    "Modifier",
    "Rolled",
    "ScriptedDice",
    "SeededDice",
    "check_faces",
    "distribution",
    "parse_faces",
]
