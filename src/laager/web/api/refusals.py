"""Refusals in one shape: a code, a sentence, and every problem with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from laager.base import LaagerError, Problem, Refusal
from laager.base.schema_words import explain
from laager.web.shared.http import STATUS_OF, add_retry_after

LOG_IN = "log-in"
"""The code of what is refused because nobody knows whose request it is."""


class Wrong(Schema):
    """Something that is wrong with what was sent."""

    file: str = Field("", description="The file that it stands in, if it is a file's problem.")
    line: int | None = Field(None, description="Its line there, from 1.")
    field: str = Field("", description="Where it is in what was sent, such as `groups[2].type`.")
    what: str = Field(description="What is wrong.")
    right: str = Field("", description="What would be right.")


class Refused(Schema):
    """Why nothing was done. Nothing has changed."""

    refused: str = Field(description="A short code for programs, such as `stale`.")
    text: str = Field(description="A sentence for people.")
    problems: list[Wrong] = Field([], description="All that is wrong, if it is about data.")


class NobodyError(LaagerError):
    """Nobody knows whose request it is, or it came with a token that is not good."""

    code = Refusal.NOT_YOURS


def answers(good: Any, *more: int, code: int = 200) -> dict[Any, Any]:
    """Return the answers that a call can give: the good one, and the refusals that it can meet."""
    known = frozenset({401, 422, 429, 503, *more})
    return {code: good, known: Refused}


READ = (404, 409)
"""Statuses that looking at a campaign can have besides the usual ones."""
WRITE = (400, 403, 404, 409, 413)
"""Statuses that changing something can have besides the usual ones."""


def describe_problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems as plain values."""
    parts = ("file", "line", "field", "what", "right")
    return [{part: getattr(problem, part) for part in parts} for problem in problems]


def refusal(err: LaagerError) -> dict[str, Any]:
    """Return a refusal as plain values."""
    code = LOG_IN if isinstance(err, NobodyError) else err.code.value
    placed = (
        "\n".join(problem.told for problem in err.problems) if any(problem.place for problem in err.problems) else ""
    )
    return {"refused": code, "text": placed or str(err), "problems": describe_problems(err.problems)}


def install(api: NinjaAPI) -> None:
    """Let an API tell every refusal in this shape."""

    @api.exception_handler(LaagerError)
    def laager(request: HttpRequest, err: LaagerError) -> HttpResponse:
        if isinstance(err, NobodyError):
            return _nobody(api, request, refusal(err))
        return add_retry_after(api.create_response(request, refusal(err), status=STATUS_OF[err.code]), err)

    @api.exception_handler(AuthenticationError)
    def nobody(request: HttpRequest, err: AuthenticationError) -> HttpResponse:
        text = "log in, or send an API token"
        return _nobody(api, request, {"refused": LOG_IN, "text": text, "problems": []})

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, err: ValidationError) -> HttpResponse:
        problems = [_problem(problem) for problem in err.errors]
        text = "; ".join(map(str, problems))
        refused = {"refused": Refusal.BAD_DATA.value, "text": text, "problems": describe_problems(problems)}
        return api.create_response(request, refused, status=422)

    @api.exception_handler(HttpError)
    def http_error(request: HttpRequest, err: HttpError) -> HttpResponse:
        # The parser's own sentence is behind the one of the framework.
        text = str(err.__cause__ or err)
        refused = {"refused": Refusal.BAD_DATA.value, "text": text, "problems": []}
        return api.create_response(request, refused, status=err.status_code)

    @api.exception_handler(Http404)
    def nowhere(request: HttpRequest, err: Http404) -> HttpResponse:
        return api.create_response(request, NOTHING_THERE, status=404)

    @api.exception_handler(RequestDataTooBig)
    def too_big(request: HttpRequest, err: RequestDataTooBig) -> HttpResponse:
        text = "this is too large; send 8 MB at most"
        refused = {"refused": Refusal.BAD_DATA.value, "text": text, "problems": []}
        return api.create_response(request, refused, status=413)


NOTHING_THERE = {
    "refused": Refusal.NO_SUCH.value,
    "text": "there is nothing at this address; /api/v1/openapi.json lists what there is",
    "problems": [],
}


def _nobody(api: NinjaAPI, request: HttpRequest, refused: dict[str, Any]) -> HttpResponse:
    response = api.create_response(request, refused, status=401)
    response["WWW-Authenticate"] = "Bearer"
    return response


def _problem(error: Mapping[str, Any]) -> Problem:
    # The first parts say that it is the body, and what the function calls it.
    where = [part for part in error["loc"] if part not in {"body", "query", "path", "sent"}]
    field = ""
    for part in where:
        field += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if field else str(part)
    wrong, right = explain(error)
    return Problem(wrong[:300], right[:300], field)


@csrf_exempt
def nothing_there(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Say in the API's own shape that there is nothing at an address."""
    from django.http import JsonResponse

    return JsonResponse(NOTHING_THERE, status=404)


urlpatterns = [path("api/<path:rest>", nothing_there, name="api-nothing")]
