"""The story of a campaign: what happened in each battle, and over all of them, for one viewer.

`after_action` and `whole_story` make a `Story`; `write_document` writes it as Markdown, BBCode, HTML or PDF.
Everything is made of `view`, so that nothing in it can tell what the viewer may not know.
"""

from laager.sheets.story.battles import Battle, battles, find_battle, latest
from laager.sheets.story.document import Heading, Listing, Paragraph, Story, StoryPicture, StoryTable, describe
from laager.sheets.story.reports import after_action, has_story, whole_story
from laager.sheets.story.result import result_picture, standing_picture
from laager.sheets.story.writing import FORMATS, Written, write_document

__all__ = [
    "FORMATS",
    "Battle",
    "Heading",
    "Listing",
    "Paragraph",
    "Story",
    "StoryPicture",
    "StoryTable",
    "Written",
    "after_action",
    "battles",
    "describe",
    "find_battle",
    "has_story",
    "latest",
    "result_picture",
    "standing_picture",
    "whole_story",
    "write_document",
]
