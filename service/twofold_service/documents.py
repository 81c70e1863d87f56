"""The documents under openapi/: made from the code, never by hand."""

import json
from typing import Any

import yaml

from twofold_service.api.interface import undeployed_api
from twofold_service.wire.asyncapi import asyncapi

WIDTH = 110


def documents() -> dict[str, str]:
    """File names and their texts."""
    return {
        "openapi.json": _json(undeployed_api().openapi()) + "\n",
        "asyncapi.yaml": yaml.dump(asyncapi(), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=WIDTH),
    }


def _json(value: Any, indent: int = 0) -> str:
    """JSON for people: what fits on one line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, list):
        lines, ends = [_json(entry, indent + 2) for entry in value], "[]"
    else:
        lines, ends = [f"{json.dumps(key)}: {_json(entry, indent + 2)}" for key, entry in value.items()], "{}"
    return f"{ends[0]}\n{inner}" + f",\n{inner}".join(lines) + f"\n{' ' * indent}{ends[1]}"


class _Plain(yaml.SafeDumper):
    """YAML without anchors, and with texts of several lines as such; lists of numbers stand on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def _list(dumper: yaml.SafeDumper, values: list[Any]) -> yaml.SequenceNode:
    plain = all(isinstance(value, int | str) or value is None for value in values)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=plain)


_Plain.add_representer(str, _text)
_Plain.add_representer(list, _list)
