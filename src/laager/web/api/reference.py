"""The page that shows the API's calls, made from its own OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


@dataclass(frozen=True)
class Call:
    """A call of the API as the page shows it."""

    id: str
    method: str
    path: str
    text: str
    params: tuple[tuple[str, str, str], ...]
    sends: str
    gives: str
    statuses: tuple[str, ...]


class Reference(DocsBase):
    """Our own page: nothing is fetched from anywhere, and no script is needed."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Return the page."""
        spec = api.get_openapi_schema()
        groups: dict[str, list[Call]] = {}
        for tag, call in calls(spec):
            groups.setdefault(tag, []).append(call)
        shapes = {name: _shape(schema) for name, schema in spec["components"]["schemas"].items()}
        context = {
            "groups": groups,
            "shapes": shapes,
            "info": spec["info"],
            "spec_url": reverse(f"{api.urls_namespace}:openapi-json"),
        }
        return render(request, "api/reference.html", context)


def calls(spec: Mapping[str, Any]) -> Iterator[tuple[str, Call]]:
    """Yield every call of a document with the group that it belongs to."""
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            good = next(code for code in operation["responses"] if int(code) < 300)
            call = Call(
                id=operation["operationId"],
                method=method.upper(),
                path=path,
                text=operation.get("description", operation["summary"]),
                params=tuple(_parameter(part) for part in operation.get("parameters", ())),
                sends=_content(operation.get("requestBody", {})),
                gives=_content(operation["responses"][good]),
                statuses=tuple(sorted(str(code) for code in operation["responses"])),
            )
            yield operation["tags"][0], call


def _parameter(part: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a parameter's name, where it stands, and what it means."""
    return part["name"], part["in"], part.get("description", "") or _word(part["schema"])


def _content(part: Mapping[str, Any]) -> str:
    """Return what a body holds in a word: the name of its shape, or its media type."""
    for media_type, content in part.get("content", {}).items():
        if media_type != "application/json":
            return str(media_type)
        return _word(content["schema"])
    return ""


def _word(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_word(choice) for choice in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        known = schema.get("enum", [schema.get("const")])
        return " | ".join(str(value) for value in known)
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_word(schema.get('items', {}))}"
    if kind == "null":
        return "nothing"
    return f"{kind} ({schema['format']})" if "format" in schema else kind


def _shape(schema: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the fields of a shape: name, kind, description."""
    fields = schema.get("properties", {})
    return [(name, _word(field), field.get("description", "")) for name, field in fields.items()]
