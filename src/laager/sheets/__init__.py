"""Sheets on paper and on the screen: terminal, CSV, and printed forms as PDF.

`catalogue` says what can be printed for a viewer just now, `print_pdf` makes the PDF.
"""

from laager.sheets.offers import KINDS, SheetOffer, catalogue, plain, prepare_pdf, print_pdf
from laager.sheets.paper import PAPERS
from laager.sheets.words import LANGUAGES

__all__ = ["KINDS", "LANGUAGES", "PAPERS", "SheetOffer", "catalogue", "plain", "prepare_pdf", "print_pdf"]
