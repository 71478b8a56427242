"""The story of a campaign: what happened in each battle, and over all of them, for one viewer.

`after_action` and `whole_story` make a `Document`; `written` writes it as Markdown, BBCode, HTML or PDF.
Everything is made of `view`, so that nothing in it can tell what the viewer may not know.
"""

from laager.sheets.story.battles import Battle, battles, fought, latest
from laager.sheets.story.document import Document, Grid, Heading, Listing, Paragraph, Picture, described
from laager.sheets.story.reports import after_action, has_story, whole_story
from laager.sheets.story.writing import FORMATS, Written, written

__all__ = [
    "FORMATS",
    "Battle",
    "Document",
    "Grid",
    "Heading",
    "Listing",
    "Paragraph",
    "Picture",
    "Written",
    "after_action",
    "battles",
    "described",
    "fought",
    "has_story",
    "latest",
    "whole_story",
    "written",
]
