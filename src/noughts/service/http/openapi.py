"""The description of the API in OpenAPI, made from the routes, their types and the codes."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from inspect import getdoc
from typing import Any

import msgspec
from msgspec import Struct

from noughts.service.http.models import ErrorAnswer
from noughts.service.http.routes import Route
from noughts.service.play.refusal import REASONS

Node = dict[str, Any]
SCHEMAS = "#/components/schemas/"
INFO = {
    "title": "noughts",
    "summary": "Referees k-in-a-row games of any size.",
    "version": version("noughts"),
}
ELSEWHERE = {"not_found", "wrong_method"}  # no operation answers these


def describe(routes: Iterable[Route]) -> bytes:
    """The description of these routes, as JSON; those without answers are left out."""
    described = [route for route in routes if route.answers]
    bodies = [route.takes for route in described if route.takes and route.method == "POST"]
    answers = [answer for route in described for answer in route.answers.values()]
    types = [*bodies, *(type for type in answers if not isinstance(type, str)), ErrorAnswer]
    _, schemas = msgspec.json.schema_components(types, ref_template=f"{SCHEMAS}{{name}}")
    paths: dict[str, Node] = {}
    for route in described:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    whole = {"openapi": "3.1.0", "info": INFO, "paths": paths, "components": {"schemas": schemas}}
    return msgspec.json.encode(whole)


def _operation(route: Route) -> Node:
    name = route.handler.__name__
    operation: Node = {"operationId": name, "description": getdoc(route.handler)}
    parameters = [_parameter("path", "id", {"type": "string"})] if "{id}" in route.path else []
    if route.takes and route.method == "POST":
        content = {"application/json": {"schema": _reference(route.takes)}}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.takes:
        fields = msgspec.json.schema_components([route.takes])[1][route.takes.__name__]
        parameters += [_parameter("query", *field) for field in fields["properties"].items()]
    return operation | {"parameters": parameters, "responses": _responses(route)}


def _parameter(where: str, name: str, schema: Node) -> Node:
    """A parameter that a request needs; its description is that of its type."""
    about = {"description": schema.pop("description", "")}
    return {"in": where, "name": name, "required": True, "schema": schema} | about


def _responses(route: Route) -> Node:
    """The answers by status; below /api with the refusals, with all codes of each status."""
    responses: Node = {
        str(status): {"description": "Successful Response", "content": _content(answer)}
        for status, answer in route.answers.items()
    }
    if route.path.startswith("/api/"):
        for code, (status, sentence) in REASONS.items():
            if code not in ELSEWHERE:
                refused = {"description": "", "content": _content(ErrorAnswer)}
                response = responses.setdefault(str(status), refused)
                response["description"] += f"`{code}`: {sentence}. "
    return responses


def _content(answer: type[Struct] | str) -> Node:
    if not isinstance(answer, str):
        return {"application/json": {"schema": _reference(answer)}}
    return {answer: {"schema": {"type": "object" if answer.endswith("/json") else "string"}}}


def _reference(type: type[Struct]) -> Node:
    return {"$ref": f"{SCHEMAS}{type.__name__}"}
