"""What pages call the kinds of files that people write: `pl-card` is a Platoon Leader card."""

from __future__ import annotations

from django.utils.translation import gettext

from laager.kinds import KIND_NAMES


def kind_in_words(kind: str) -> str:
    """Return what a page calls a kind of file, in the reader's language; a kind without a name as it is."""
    return gettext(KIND_NAMES[kind]) if kind in KIND_NAMES else kind
