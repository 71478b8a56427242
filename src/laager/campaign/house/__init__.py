"""House rules: what a group plays differently from what the rules say, clause by clause.

`file` is the format (`house/1`), `cells` and `figures` change tables and charts, `rules` holds what is in force,
`conduct` goes through steps so, `checking` holds a file against the rules, `words` says what is changed.
"""

from laager.campaign.house.checking import Printed, add_house, block_document, check_house, lay_house, printed_of
from laager.campaign.house.file import AGREE, OFF, HouseFile
from laager.campaign.house.rules import HOUSE, PRINTED, HouseRules, chart_data, house_rules, printed_tables, read_house
from laager.campaign.house.words import HouseLine, house_lines, line_of

__all__ = [
    "AGREE",
    "HOUSE",
    "OFF",
    "PRINTED",
    "HouseFile",
    "HouseLine",
    "HouseRules",
    "Printed",
    "add_house",
    "block_document",
    "chart_data",
    "check_house",
    "house_lines",
    "house_rules",
    "lay_house",
    "line_of",
    "printed_of",
    "printed_tables",
    "read_house",
]
