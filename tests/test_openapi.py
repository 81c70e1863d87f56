"""The API documents: what the code makes, whole, and true to themselves."""

import json
import re
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from fastapi.routing import APIRoute, iter_route_contexts

from twofold.errors import Refusal
from twofold_service.api.interface import undeployed_api
from twofold_service.documents import documents
from twofold_service.errors import ServiceError
from twofold_service.wire import frames, session
from twofold_service.wire.conversation import CLOSES
from twofold_service.wire.problems import MEDIA_TYPE

FOLDER = Path(__file__).parent.parent / "openapi"
PAGES = {
    *("/docs", "/docs/problems", "/docs/start.js", "/v1/openapi.json"),
    *("/", "/offline.html", "/sw.js", "/manifest.webmanifest", "/page/{edition}/{name}"),
}
IMAGES = ("image/png", "image/gif")
"""What no example in a document can show."""
COMMANDS = ("move", "start", "undo", "pause", "resume", "continue", "abandon")


@cache
def texts() -> dict[str, str]:
    return documents()


@cache
def rest() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(texts()["openapi.json"])
    return document


@cache
def live() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(texts()["asyncapi.yaml"])
    return document


def operations() -> dict[str, dict[str, Any]]:
    return {operation["operationId"]: operation for path in rest()["paths"].values() for operation in path.values()}


OPERATIONS = [pytest.param(operation, id=name) for name, operation in operations().items()]
each_operation = pytest.mark.parametrize("operation", OPERATIONS)
each_document = pytest.mark.parametrize("document", [rest(), live()], ids=["openapi", "asyncapi"])


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(below)


def resolved(document: dict[str, Any], node: dict[str, Any]) -> Any:
    """What a reference points to; anything else as it is."""
    if "$ref" not in node:
        return node
    steps = node["$ref"].removeprefix("#/").split("/")
    return reduce(lambda at, step: at[step.replace("~1", "/").replace("~0", "~")], steps, document)


def shown(content: dict[str, Any]) -> list[Any]:
    """The example values of a media type."""
    return [resolved(rest(), example)["value"] for example in content.get("examples", {}).values()]


def check(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    whole = {"allOf": [schema], "components": document["components"]}
    jsonschema_rs.Draft202012Validator(whole).validate(value)


# both documents


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.yaml"])
def test_the_stored_document_is_what_the_code_makes(name):
    stored = (FOLDER / name).read_text()

    assert stored == texts()[name], "run: make openapi"


def test_documents_are_made_alike_each_time():
    assert documents() == texts()


@each_document
def test_every_reference_resolves(document):
    references = [node for node in nodes(document) if isinstance(node.get("$ref"), str)]

    assert references
    for node in references:
        resolved(document, node)


@each_document
def test_every_shape_and_field_is_described(document):
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), name
        for field, about in schema.get("properties", {}).items():
            assert "$ref" in about or about.get("description"), f"{name}.{field}"


@each_document
def test_there_are_no_extensions(document):
    assert not [key for node in nodes(document) for key in node if key.startswith("x-")]


@each_document
def test_a_seed_is_shown_only_of_practice_and_of_what_is_over(document):
    for node in nodes(document):
        if isinstance(node.get("seed"), str):
            is_past_daily = "reveals_at" in node and node["date"] < "2026-12-01"
            is_finished = node.get("final") or node.get("result", {}).get("status") == "over"
            assert node.get("mode") == "practice" or is_finished or is_past_daily, node


def test_every_code_is_named():
    kinds, codes = [ServiceError], {refusal.code for refusal in Refusal.__subclasses__()}
    for kind in kinds:
        kinds += kind.__subclasses__()
        codes.add(kind.code)

    assert set(rest()["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == codes
    assert all(f"`{code}`" in rest()["info"]["description"] for code in codes)
    assert set(rest()["components"]["examples"]) - {"stale_if_match"} == codes - {"bad_frame"}


# OpenAPI


def test_every_route_is_in_the_document_and_the_other_way_round():
    routes: set[tuple[str | None, str]] = set()
    unlisted: set[tuple[str | None, str]] = set()
    for context in iter_route_contexts(undeployed_api().routes):
        if isinstance(context.original_route, APIRoute):
            where = routes if context.include_in_schema else unlisted
            where |= {(context.path_format, method) for method in context.methods or ()}

    assert {(path, method.upper()) for path, item in rest()["paths"].items() for method in item} == routes
    assert {path for path, _ in unlisted} == PAGES


def test_operation_ids_are_unique_and_camel_case():
    names = [operation["operationId"] for path in rest()["paths"].values() for operation in path.values()]

    assert len(names) == len(set(names))
    assert all(re.fullmatch("[a-z]+([A-Z][a-z]+)*", name) for name in names)


def test_tags_in_use_are_those_described():
    used = {tag for operation in operations().values() for tag in operation["tags"]}

    assert {tag["name"] for tag in rest()["tags"] if tag["description"]} == used


@each_operation
def test_an_operation_says_what_it_does(operation):
    assert operation["summary"] and operation["description"]
    assert operation["security"] is not None
    assert all(parameter["description"] for parameter in operation.get("parameters", ()))


@each_operation
def test_an_operation_shows_what_it_takes_and_answers(operation):
    success = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    bodies = [operation["requestBody"]] if "requestBody" in operation else []

    for body in [*bodies, success]:
        assert all(shown(content) or kind in IMAGES for kind, content in body.get("content", {}).items())
    assert "content" in success or "204" in operation["responses"]


@each_operation
def test_an_operation_names_its_problems(operation):
    problems = {status: told for status, told in operation["responses"].items() if status >= "4"}

    assert "500" in problems
    for status, response in problems.items():
        content = response["content"]
        assert list(content) == [MEDIA_TYPE]
        assert shown(content[MEDIA_TYPE])
        assert {example["status"] for example in shown(content[MEDIA_TYPE])} == {int(status)}


@each_operation
def test_every_answer_tells_its_headers(operation):
    for status, response in operation["responses"].items():
        assert "X-Request-Id" in response["headers"]
        assert ("Retry-After" in response["headers"]) == (status in ("202", "429", "503", "507"))


@each_operation
def test_examples_are_valid(operation):
    bodies = [*operation["responses"].values(), *([operation["requestBody"]] if "requestBody" in operation else [])]

    for content in [content for body in bodies for content in body.get("content", {}).values()]:
        for value in shown(content):
            check(rest(), content["schema"], value)
    for parameter in operation.get("parameters", ()):
        if "example" in parameter:
            check(rest(), parameter["schema"], parameter["example"])


@each_operation
def test_links_lead_to_operations_and_fill_in_what_these_take(operation):
    for status, response in operation["responses"].items():
        for link in response.get("links", {}).values():
            target = operations()[link["operationId"]]
            assert set(link.get("parameters", ())) <= {parameter["name"] for parameter in target.get("parameters", ())}
            assert "requestBody" not in link or "requestBody" in target
            for expression in re.findall(r"\$response\.body#/(\w+)", json.dumps(link)):
                assert all(
                    expression in value
                    for value in shown(operation["responses"][status]["content"]["application/json"])
                )


def test_a_new_game_leads_to_its_commands_and_its_log():
    links = operations()["createGame"]["responses"]["201"]["links"]

    assert {"getGame", "move", "getEvents"} <= set(links)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_a_key_a_version_and_but_for_a_move_no_body(name):
    command = operations()[name]

    assert {"Idempotency-Key", "If-Match"} <= {parameter["name"] for parameter in command["parameters"]}
    assert command["requestBody"].get("required", False) is (name == "move")
    assert shown(command["responses"]["412"]["content"][MEDIA_TYPE])[0]["code"] == "stale_version"


def test_open_and_half_open_operations_say_so():
    security = {name: operation["security"] for name, operation in operations().items()}

    assert security["listModes"] == []
    assert security["getGame"] == [{}, {"bearer": []}]
    assert security["createGame"] == [{"bearer": []}]


def test_nothing_of_the_framework_shows():
    assert not {"HTTPValidationError", "ValidationError"} & set(rest()["components"]["schemas"])
    assert not [name for name in rest()["components"]["schemas"] if name.endswith(("In", "Out"))]


# AsyncAPI


def test_every_op_is_an_operation_with_its_replies():
    receiving = {name: told for name, told in live()["operations"].items() if told["action"] == "receive"}

    assert set(receiving) == set(frames.OPS)
    for name, operation in receiving.items():
        replies = [message["$ref"].rpartition("/")[2] for message in operation["reply"]["messages"]]
        assert replies == [f"{name}Reply", "refused"]


def test_every_push_is_an_operation():
    pushes = {name for name, told in live()["operations"].items() if told["action"] == "send"}

    assert pushes == {"eventPushed", "pingPushed", "drainingPushed", "gonePushed", "analysisPushed"}


@pytest.mark.parametrize("name", list(live()["components"]["messages"]))
def test_messages_are_shown_and_their_examples_valid(name):
    message = live()["components"]["messages"][name]

    assert message["summary"] and message["examples"]
    for example in message["examples"]:
        check(live(), message["payload"], example["payload"])


@pytest.mark.parametrize("op", frames.OPS)
def test_the_service_reads_the_commands_it_shows(op):
    for example in live()["components"]["messages"][op]["examples"]:
        assert frames.read(json.dumps(example["payload"]).encode()).op == op


def test_every_close_code_is_told():
    codes = {
        value for value in vars(session).values() if type(value) is int and (value == 1012 or 4000 <= value < 4999)
    }

    told = {code for code, _, _ in CLOSES}

    assert codes - {session.LARGEST_FRAME} <= told
    assert all(f"| {code} |" in live()["info"]["description"] for code in told)
