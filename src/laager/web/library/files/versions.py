"""Earlier texts of files that others see: who wrote them and when. Each save of such a file keeps one.

What a file was before it was shared is no version. The oldest versions fall away, so that no library grows without end.
"""

from __future__ import annotations

import zlib
from datetime import timedelta

from django.utils import timezone

from laager.web.library.files.checks import MOST_BYTES
from laager.web.models import Audience, FileVersion, OwnFile, Player

MOST_VERSIONS = 50
"""Most versions of a file that are kept; packed they take no more than the largest file."""
STROKES_FOLDED = timedelta(minutes=10)
"""For so long the strokes that one person draws on a map are one change."""


def keep_version(file: OwnFile, writer: Player, fold: bool = False) -> None:
    """Keep the text that a file has as a version, if others see it; `writer` is about to change it.

    With `fold`, a text that the same person replaced a short time ago stands for this one, too. Whoever calls it holds
    the row of the file's owner.
    """
    if file.seen_by == Audience.NOBODY:
        return
    last = FileVersion.objects.filter(file=file).defer("packed").first()
    recent = last is not None and timezone.now() - last.replaced < STROKES_FOLDED
    if fold and recent and file.writer_id == writer.pk:
        return
    packed = zlib.compress(file.text.encode())
    FileVersion.objects.create(
        file=file,
        number=last.number + 1 if last else 1,
        packed=packed,
        size=len(packed),
        writer=file.writer,
        written=file.changed,
    )
    _drop_oldest(file)


def _drop_oldest(file: OwnFile) -> None:
    total = 0
    sizes = FileVersion.objects.filter(file=file).values_list("number", "size")
    for kept, (number, size) in enumerate(sizes, 1):
        total += size
        # The newest stays, whatever its size.
        if kept > MOST_VERSIONS or (kept > 1 and total > MOST_BYTES):
            FileVersion.objects.filter(file=file, number__lte=number).delete()
            return


def unpack_version(version: FileVersion) -> str:
    """Return the text of a version."""
    return zlib.decompress(version.packed).decode()
