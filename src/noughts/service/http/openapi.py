"""The description of the API in OpenAPI, made from the routes, their types and the codes."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import getdoc
from typing import Any

import msgspec
from msgspec import Struct

from noughts.service.http.models import ErrorAnswer
from noughts.service.http.routes import Answer, Route
from noughts.service.play.refusal import REASONS

Node = dict[str, Any]
ELSEWHERE = {"not_found", "wrong_method"}  # no operation answers these


def describe(routes: Iterable[Route]) -> bytes:
    """The description of these routes, as JSON; those without answers are left out."""
    described = [route for route in routes if route.answers]
    _, components = msgspec.json.schema_components(
        _types(described), ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, Node] = {}
    for route in described:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    about = {
        "title": "noughts",
        "summary": "Referees k-in-a-row games of any size.",
        "version": "0.1.0",
    }
    whole = {"openapi": "3.1.0", "info": about, "paths": paths}
    return msgspec.json.encode(whole | {"components": {"schemas": components}})


def _types(routes: Iterable[Route]) -> list[type[Struct]]:
    """The types that the routes take and answer, each once, in their order."""
    found: dict[type[Struct], None] = {}
    for route in routes:
        if route.takes and route.method == "POST":
            found[route.takes] = None
        found |= {
            answer.holds: None
            for answer in route.answers.values()
            if not isinstance(answer.holds, str)
        }
    return [*found, ErrorAnswer]


def _operation(route: Route) -> Node:
    doc = getdoc(route.handler) or ""
    operation: Node = {
        "summary": route.handler.__name__.replace("_", " ").capitalize(),
        "description": doc,
        "operationId": route.handler.__name__,
        "responses": _responses(route),
    }
    if "{id}" in route.path:
        operation["parameters"] = [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    if route.takes and route.method == "POST":
        content = {"application/json": {"schema": _reference(route.takes)}}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.takes:
        operation["parameters"] = _query(route.takes)
    return operation


def _query(takes: type[Struct]) -> list[Node]:
    """The fields of this type as parameters of a query."""
    schema = msgspec.json.schema_components([takes])[1][takes.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema["required"],
            "description": its.pop("description", ""),
            "schema": its,
        }
        for name, its in schema["properties"].items()
    ]


def _responses(route: Route) -> Node:
    """The answers by status; below /api with the refusals, which are all alike."""
    refusals = _refusals() if route.path.startswith("/api/") else {}
    answers = {str(status): _response(answer) for status, answer in route.answers.items()}
    return answers | refusals


def _refusals() -> Node:
    """The answers that refuse a request, with the codes of each status."""
    told: dict[str, list[str]] = {}
    for code, reason in sorted(REASONS.items(), key=lambda item: item[1].status):
        if code not in ELSEWHERE:
            told.setdefault(str(reason.status), []).append(f"`{code}`: {reason.sentence}.")
    return {status: _response(Answer(ErrorAnswer, " ".join(all))) for status, all in told.items()}


def _response(answer: Answer) -> Node:
    if not isinstance(answer.holds, str):
        content = {"application/json": {"schema": _reference(answer.holds)}}
    else:
        kind = "object" if answer.holds == "application/json" else "string"
        content = {answer.holds: {"schema": {"type": kind}}}
    return {"description": answer.description, "content": content}


def _reference(type: type[Struct]) -> Node:
    return {"$ref": f"#/components/schemas/{type.__name__}"}
