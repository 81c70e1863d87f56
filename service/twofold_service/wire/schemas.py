"""The wire shapes as schemas of the API documents: under their public names, each field described, each code named."""

from collections.abc import Iterator, Mapping
from typing import Any

from twofold import errors as rules
from twofold_service import errors
from twofold_service.errors import RuleRefused, ServiceError
from twofold_service.wire.words import FIELDS, FIELDS_OF, LIMITS, NAMES, SHAPES

ROOT = "#/components/schemas/"


def name_of(model: str) -> str:
    """A shape's public name."""
    return NAMES.get(model) or model.removesuffix("Out")


def published(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Schemas by model, as pydantic makes them, made fit for a document: by public name, described, in order."""
    named = {name_of(model): pointed(schema) for model, schema in schemas.items()}
    for name, schema in named.items():
        untitled(schema)
        if name in SHAPES:
            schema.setdefault("description", SHAPES[name])
        for field, about in schema.get("properties", {}).items():
            own = FIELDS_OF.get(name, {}).get(field)
            _kind(about).update(LIMITS.get(name, {}).get(field, {}))
            if "$ref" not in about and (own is not None or "description" not in about):
                about["description"] = own or FIELDS.get(field, "")
    if "Problem" in named:
        named["Problem"]["properties"]["code"]["enum"] = list(failures())
    return dict(sorted(named.items()))


def ref(model: str) -> dict[str, Any]:
    """A reference to a shape by its public name."""
    return {"$ref": f"{ROOT}{model}"}


def failures() -> dict[str, ServiceError]:
    """Every failure there is, by its code, each as it is where nothing more is known of it."""
    found = [made for kind in _below(ServiceError) if (made := _made(kind)) is not None]
    found += [RuleRefused(refusal) for refusal in rules.Refusal.__subclasses__()]
    return {failure.code: failure for failure in sorted(found, key=lambda failure: failure.code)}


def _below(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)


def _made(kind: type[ServiceError]) -> ServiceError | None:
    """A failure of a kind that is raised as such; not of a branch, nor of a kind that another room refines."""
    is_branch = kind.__name__.startswith("_") or kind is RuleRefused
    return None if is_branch or kind.__module__ != errors.__name__ else kind()


def _kind(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a value where it is not null."""
    kinds: list[dict[str, Any]] = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else schema


def pointed(node: Any) -> Any:
    """A copy whose references are to public names, and whose whole numbers are written as such."""
    if isinstance(node, list):
        return [pointed(entry) for entry in node]
    if isinstance(node, Mapping):
        return {key: _public(value) if key == "$ref" else pointed(value) for key, value in node.items()}
    return int(node) if isinstance(node, float) and node.is_integer() else node


def _public(reference: str) -> str:
    return ROOT + name_of(reference.removeprefix(ROOT)) if reference.startswith(ROOT) else reference


def untitled(schema: dict[str, Any]) -> None:
    """Take out the titles that pydantic makes of names."""
    schema.pop("title", None)
    for below in [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("prefixItems", [])]:
        untitled(below)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            untitled(schema[name])
