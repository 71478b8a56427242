"""A user's own cards, charts, tables, maps and catalogues, as if they were in one folder.

Files come from anywhere: every name, size and count is held against a limit before it is kept, and
files are read by the rule systems from a folder of their own that is made for that moment. Whatever
is here belongs to one person; nobody else's pages reach it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from django.db import transaction

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import parse_document
from laager.base.texts import text_of
from laager.kinds import CHECKERS
from laager.vasl import Archive
from laager.web.library.files import checks
from laager.web.library.files.checks import MOST_BYTES, Report, check_name, normalize_text, write_files
from laager.web.library.files.versions import keep_version
from laager.web.models import OwnFile, Player
from laager.web.shared import processes
from laager.web.shared.recent import Recent

MOST_FILES = 200
MOST_IN_ALL = 16 * 2**20
MOST_BEFORE = 100
"""Most earlier texts of a file that are kept."""
MOST_ZIP = 8 * 2**20
MOST_IN_ZIP = 100
ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Listed:
    """A file as a list shows it."""

    file: OwnFile

    @property
    def kind(self) -> str:
        """What the file says that it is."""
        return kind_in(self.file.text)

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return len(self.file.text.encode())


# Looking ------------------------------------------------------------------------------------------


def list_files(user: Player) -> list[Listed]:
    """Return somebody's files, by name."""
    files = OwnFile.objects.filter(owner=user).select_related("copied_owner").defer("before", "after")
    return [Listed(file) for file in files]


_MARK = re.compile(r"^laager:[ \t]*['\"]?([a-z-]{1,40})/", re.MULTILINE)


def kind_in(text: str) -> str:
    """Return the kind that a text names, without reading all of it; "" for none that there is."""
    mark = _MARK.search(text)
    return mark[1] if mark and mark[1] in CHECKERS else ""


_TOP = re.compile(r"^([a-z]{1,20}):[^\n]{0,500}(?:\n[ \t]+[^\n]{0,500}){0,8}", re.MULTILINE)


def read_tops(text: str, names: Iterable[str]) -> dict[str, str]:
    """Return some short entries at the top of a text, without reading all of it.

    Entries that aren't names or texts are left out.
    """
    values: dict[str, str] = {}
    wanted = set(names)
    for line in _TOP.finditer(text):
        if line[1] in wanted and line[1] not in values:
            with suppress(DataError, ValueError):
                value = parse_document(line[0], "").data[line[1]]
                values[line[1]] = text_of(value) if isinstance(value, str | Mapping) else ""
    return {name: value for name, value in values.items() if value}


def find(user: Player, name: str) -> OwnFile:
    """Return a file of somebody's. Raises RefusedError; that of others is not there."""
    file = OwnFile.objects.filter(owner=user, name=name).first()
    if file is None:
        names = OwnFile.objects.filter(owner=user).values_list("name", flat=True)
        advice = did_you_mean(name, names, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"you have no file {name[:60]!r}", advice)
    return file


def digest(text: str) -> str:
    """Return a digest of a text: a page compares it to see if the text has changed meanwhile."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# Keeping ------------------------------------------------------------------------------------------


def decode_file(data: bytes, name: str) -> str:
    """Return the text of a file that was sent. Raises DataError if it isn't text."""
    if len(data) > MOST_BYTES:
        problem = f"{len(data)} bytes is too large"
        raise DataError([Problem(problem, f"{MOST_BYTES} at most", file=name[:100])])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        problem = f"byte {err.start} is not UTF-8 text"
        raise DataError([Problem(problem, "save the file as UTF-8", file=name[:100])]) from None
    return normalize_text(text, name[:100])


def save(user: Player, name: str, text: str, was: str | None = None, writer: Player | None = None) -> OwnFile:
    """Keep a file, in place of one of the same name.

    `was` is the digest of the text that somebody began to change ("" for a file that is new); None
    writes over whatever is there. `writer` writes it, if that isn't the owner. Raises DataError or RefusedError.
    """
    return save_all(user, {name: text}, {name: was}, writer=writer)[0]


def save_steps(user: Player, name: str, texts: Sequence[str], was: str, writer: Player | None = None) -> OwnFile:
    """Keep a file that is there after several changes, each of which can be taken back by itself.

    `texts` are the file after each of them. Raises DataError or RefusedError; then none of them counts.
    """
    return save_all(user, {name: texts[-1]}, {name: was}, texts[:-1], writer=writer, fold=True)[0]


def save_all(
    user: Player,
    texts: Mapping[str, str],
    was: Mapping[str, str | None] | None = None,
    steps: Sequence[str] = (),
    *,
    writer: Player | None = None,
    fold: bool = False,
) -> list[OwnFile]:
    """Keep several files, all or none of them. Raises DataError or RefusedError.

    `steps` are texts between the one that is there and the new one; then there is one file. `writer` writes them, if
    that isn't the owner. With `fold`, versions are kept as `keep_version` does it.
    """
    writer = writer or user
    checked = {check_name(name): normalize_text(text, name) for name, text in texts.items()}
    with transaction.atomic():
        # Who holds this row is the only one who changes this library.
        Player.objects.select_for_update().get(pk=user.pk)
        there = {kept_file.name: kept_file for kept_file in OwnFile.objects.filter(owner=user).defer("before", "after")}
        for name, mark in (was or {}).items():
            _check_unchanged(there.get(name), name, mark)
        _check_room(there, checked)
        made = []
        for name, text in checked.items():
            file = there.get(name) or OwnFile(owner=user, name=name)
            if name in there and file.text != text:
                keep_version(file, writer, fold)
                for earlier in (file.text, *steps):
                    file.before = _with_before(file.before, earlier, writer)
                file.after = []
            if file.text != text or file.writer_id is None:
                file.writer = writer
            file.text = text
            file.save()
            made.append(file)
    return made


def _with_before(before: Sequence[str], text: str, changer: Player) -> list[str]:
    """Return the earlier texts of a file with one more, that `changer` replaced; the oldest ones fall away."""
    packed = base64.b64encode(zlib.compress(text.encode())).decode()
    versions = [*before, f"{changer.pk}:{packed}"][-MOST_BEFORE:]
    while len(versions) > 1 and sum(map(len, versions)) > MOST_BYTES:
        del versions[0]
    return versions


def may_step(file: OwnFile, changer: Player, texts: Sequence[str]) -> bool:
    """True if somebody may have back the last of a file's earlier texts.

    The owner may; others only if they replaced it themselves, and so have seen it.
    """
    return bool(texts) and (changer.pk == file.owner_id or texts[-1].startswith(f"{changer.pk}:"))


def take_back(user: Player, name: str, was: str | None = None, writer: Player | None = None) -> OwnFile:
    """Give a file the text that it had before. `writer` wants it, if that isn't the owner.

    Raises RefusedError if there is none for that person, or `was` isn't the digest of its text now.
    """
    return _step_version(user, name, was, writer or user, ("before", "after", "there is nothing to take back"))


def do_again(user: Player, name: str, was: str | None = None, writer: Player | None = None) -> OwnFile:
    """Give a file the text that was taken back last. Raises RefusedError as `take_back` does."""
    return _step_version(user, name, was, writer or user, ("after", "before", "there is nothing to do again"))


def _step_version(user: Player, name: str, was: str | None, writer: Player, way: tuple[str, str, str]) -> OwnFile:
    source, target, nothing = way
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=user.pk)
        file = find(user, name)
        if was and digest(file.text) != was:
            sentence = f"{name} was changed meanwhile, in another window perhaps"
            raise RefusedError(Refusal.STALE, sentence, "look at it, then do this again")
        texts = getattr(file, source)
        if not may_step(file, writer, texts):
            raise RefusedError(Refusal.NO_SUCH, nothing)
        # Texts of old have no mark of who replaced them: those are the owner's.
        text = zlib.decompress(base64.b64decode(texts.pop().rpartition(":")[2])).decode()
        setattr(file, target, _with_before(getattr(file, target), file.text, writer))
        keep_version(file, writer, fold=True)
        file.text, file.writer = text, writer
        file.save()
    return file


def _check_unchanged(there: OwnFile | None, name: str, mark: str | None) -> None:
    if mark is None:
        return
    if mark == "" and there is not None:
        sentence = f"there is a file {name} already; choose another name"
        raise RefusedError(Refusal.BAD_ANSWER, sentence)
    if mark and there is not None and digest(there.text) != mark:
        raise RefusedError(
            Refusal.STALE,
            f"{name} was changed meanwhile, in another window perhaps",
            "what you typed is below: save it again to write over that change",
        )


def _check_room(there: Mapping[str, OwnFile], new: Mapping[str, str]) -> None:
    if len({*there, *new}) > MOST_FILES:
        raise DataError([Problem("the library is full", f"{MOST_FILES} files at most")])
    kept = sum(len(file.text.encode()) for name, file in there.items() if name not in new)
    if kept + sum(len(text.encode()) for text in new.values()) > MOST_IN_ALL:
        raise DataError([Problem("the library is full", f"{MOST_IN_ALL // 2**20} MB at most")])


def remove(user: Player, name: str) -> None:
    """Remove a file. Raises RefusedError if there is none; campaigns begun from it go on."""
    find(user, name).delete()


def rename(user: Player, name: str, to: str) -> OwnFile:
    """Rename a file. Raises DataError or RefusedError if the name isn't valid or is taken."""
    to = check_name(to)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=user.pk)
        file = find(user, name)
        if to != name and OwnFile.objects.filter(owner=user, name=to).exists():
            sentence = f"there is a file {to} already; choose another name"
            raise RefusedError(Refusal.BAD_ANSWER, sentence)
        file.name = to
        file.save(update_fields=["name"])
    return file


# Many at once -------------------------------------------------------------------------------------


def unpack_files(sent: Sequence[tuple[str, bytes]]) -> dict[str, str]:
    """Return the texts in files that were sent, by name; ZIP files are unpacked.

    Folders within a ZIP fall away. Raises DataError with everything that isn't valid.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name, data in sent:
        try:
            parts = _contents(name, data) if data[:2] == b"PK" else [(name, data)]
            for inner, content in parts:
                plain = check_name(inner.replace("\\", "/").rpartition("/")[2])
                if plain in texts:
                    problem, right = f"there are two files {plain}", "give each its own name"
                    raise DataError([Problem(problem, right)])
                texts[plain] = decode_file(content, plain)
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    if not texts:
        raise DataError([Problem("no file arrived", "choose a YAML file, or a ZIP of some")])
    return texts


def _contents(name: str, data: bytes) -> list[tuple[str, bytes]]:
    try:
        return list(_in_zip(name, data))
    except DataError as err:
        # The reader of archives was made for boards, and advises for those.
        right = "send a ZIP of YAML files and nothing else"
        raise DataError(
            replace(problem, right=right if "VASL" in problem.right else problem.right) for problem in err.problems
        ) from None


def _in_zip(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a ZIP, each within its limits. Raises DataError."""
    if len(data) > MOST_ZIP:
        problem = f"{len(data)} bytes is too large"
        raise DataError([Problem(problem, f"{MOST_ZIP} at most", file=name[:100])])
    archive = Archive(data, name[:100])
    inner = [member for member in archive.names if not member.endswith("/")]
    inner = [member for member in inner if not member.startswith("__MACOSX/")]
    if len(inner) > MOST_IN_ZIP:
        problem = f"{len(inner)} files in one ZIP"
        raise DataError([Problem(problem, f"{MOST_IN_ZIP} at most", file=name[:100])])
    strange = [member for member in inner if not member.lower().endswith(ENDINGS)]
    if strange:
        problem = f"{strange[0][:60]!r} is not a YAML file"
        raise DataError([Problem(problem, "put nothing else into the ZIP", file=name[:100])])
    total = 0
    for member in inner:
        content = archive.read(member, MOST_BYTES)
        total += len(content)
        if total > MOST_IN_ALL:
            problem = "unpacks to too much"
            raise DataError([Problem(problem, f"{MOST_IN_ALL} bytes at most", file=name[:100])])
        yield member, content


def pack_files(user: Player, names: Sequence[str] = ()) -> bytes:
    """Return files as a ZIP, all of them unless some are named. Raises RefusedError for others."""
    files = [find(user, name) for name in names] if names else list(OwnFile.objects.filter(owner=user))
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(file.name, file.text)
    return made.getvalue()


# Checking -----------------------------------------------------------------------------------------


def _texts(user: Player) -> Iterable[OwnFile]:
    return OwnFile.objects.filter(owner=user).defer("before", "after")


@contextmanager
def folder_of(user: Player | None, texts: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Write somebody's files, with `texts` over them, into a temporary folder."""
    with write_files(texts_of(user) | dict(texts or {})) as folder:
        yield folder


def texts_of(user: Player | None) -> dict[str, str]:
    """Return the texts of somebody's files, by name."""
    return {file.name: file.text for file in _texts(user)} if user else {}


LARGE = 8_000
"""Characters of a file, with those that it names, from which on a process of its own checks it; about 50 ms."""

CHECKED: Recent[str, Report] = Recent(500)
"""What the checks of large files said, by the content of the whole library."""


def check_text(user: Player | None, name: str, text: str) -> Report:
    """Check a text as a file of somebody's library, as `laager check` does.

    Raises RefusedError only if the check takes too much time or memory, or if too much is being checked.
    """
    return check_among(user, texts_of(user) | {name: text}, name)


def check_among(user: Player | None, texts: Mapping[str, str], name: str) -> Report:
    """Check one of several texts for somebody. Raises as `check_text` does."""
    if user is None or not is_large(texts, name):
        return checks.check(texts, name)
    key = _digest_of(user, texts, name)
    return CHECKED.get(key, lambda: processes.SLOW.do(user.pk, checks.check, texts, name))


def is_large(texts: Mapping[str, str], name: str) -> bool:
    """True if a file, with those that it names, is so large that a process of its own should read it."""
    return sum(len(texts[file]) for file in _files_needed(texts, name)) >= LARGE


def _files_needed(texts: Mapping[str, str], name: str) -> set[str]:
    """Return the names of the files that a check may read: the file, those that it names, those that they name."""
    needed, new = set[str](), {name}
    if kind_in(texts[name]) in checks.NAMED_BY_CARDS:
        # The cards that name it are checked with it.
        new |= {other for other, text in texts.items() if name in text}
    while new:
        needed |= new
        new = {other for other in texts if other not in needed and any(other in texts[file] for file in new)}
    return needed


def _digest_of(user: Player, texts: Mapping[str, str], name: str) -> str:
    parts = [str(user.pk), name, *(part for pair in sorted(texts.items()) for part in pair)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
