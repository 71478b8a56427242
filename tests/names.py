"""Checks the names in the code against `docs/contributing/names.txt`.

A function or method is a verb, a local says which one it is, a constant has a whole name, and a public class name
stands once. `python -m tests.names` prints each name that isn't so with file and line; exit code 1 if there is any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "laager"
TERMS = ROOT / "docs" / "contributing" / "names.txt"

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = frozenset({"property", "cached_property", "setter", "computed_field", "hybrid_property"})
"""Decorators that make a value of a function: a value may be called `broken` or `hidden`."""


@dataclass(frozen=True)
class Terms:
    """What `names.txt` says: the words that say too little, and what is allowed all the same."""

    empty: frozenset[str]
    """Words that are no name of a function on their own, besides those that end in `ed`."""
    nouns: frozenset[str]
    """Words that end in `ed` and are no participles."""
    functions: frozenset[str]
    locals: frozenset[str]
    """Locals that don't say which one they are."""
    classes: frozenset[str]
    """Public class names that may stand in several modules."""

    def is_empty(self, name: str) -> bool:
        """Return whether a function's name is a bare participle, adverb or pronoun."""
        word = name.strip("_")
        if word in self.functions:
            return False
        return word in self.empty or (re.fullmatch("[a-z]+ed", word) is not None and word not in self.nouns)


def read_terms(text: str) -> Terms:
    """Return the terms of a file: `[part]` lines, below each one term a line, with its reason behind `#`.

    Raises:
        ValueError: A term that is allowed has no reason.
    """
    parts: dict[str, set[str]] = defaultdict(set)
    part = ""
    for line in text.splitlines():
        term, _, reason = (piece.strip() for piece in line.partition("#"))
        if heading := re.fullmatch(r"\[(\w+)\]", term):
            part = heading[1]
        elif term:
            if part in {"functions", "classes"} and not reason:
                raise ValueError(f"names.txt: “{term}” has no reason; write it behind #")
            parts[part].update(term.split())
    return Terms(**{name: frozenset(parts[name]) for name in Terms.__dataclass_fields__})


def check_module(tree: ast.Module, terms: Terms) -> Iterator[tuple[int, str]]:
    """Yield the names of a module that say too little, each with its line and what is wrong."""
    fields = _fields(tree)
    for node in ast.walk(tree):
        if node in fields:
            continue
        if isinstance(node, FUNCTIONS) and terms.is_empty(node.name) and not _is_property(node):
            yield node.lineno, f"function “{node.name}” doesn't say what it does; say it with a verb and its object"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.strip("_") in terms.locals:
            yield node.lineno, f"local “{node.id}” doesn't say which one it is"
        elif isinstance(node, ast.arg) and node.arg.strip("_") in terms.locals:
            yield node.lineno, f"parameter “{node.arg}” doesn't say which one it is"
    for line, name, value in _constants(tree):
        if len(name.strip("_")) == 1 and not (isinstance(value, ast.Call) and _ends(value.func) in _TYPE_MAKERS):
            yield line, f"constant “{name}” has one letter; write out what it is"


_TYPE_MAKERS = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(_ends(decorator) in PROPERTIES for decorator in node.decorator_list)


def _ends(node: ast.expr) -> str:
    """Return the last part of a dotted name, called or not."""
    if isinstance(node, ast.Call):
        return _ends(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _constants(tree: ast.Module) -> Iterator[tuple[int, str, ast.expr | None]]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield node.lineno, target.id, node.value


def _fields(tree: ast.Module) -> set[ast.AST]:
    """Return the names that classes give their fields: files and pages say them, too."""
    return {
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for line in node.body
        if isinstance(line, ast.Assign | ast.AnnAssign)
        for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
    }


def public_classes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the public classes at the root of a module, with their lines."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.lineno, node.name


def find_problems(root: Path, terms: Terms) -> Iterator[str]:
    """Yield each name below `root` that isn't as it should be: where it is, and what is wrong."""
    classes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(root.parent)
        yield from (f"{place}:{line}: {problem}" for line, problem in check_module(tree, terms))
        for line, name in public_classes(tree):
            classes[name].append(f"{place}:{line}")
    for name, places in sorted(classes.items()):
        if len(places) > 1 and name not in terms.classes:
            yield f"{places[0]}: class “{name}” stands again at {', '.join(places[1:])}"


if __name__ == "__main__":
    problems = list(find_problems(SOURCE, read_terms(TERMS.read_text(encoding="utf-8"))))
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    sys.exit(bool(problems))
