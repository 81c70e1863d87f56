"""The AsyncAPI document of the live channel: made from what is said over it."""

from typing import Any, Literal

from pydantic import TypeAdapter

from twofold import __version__
from twofold.clock import SECOND
from twofold_service.wire import sample, session
from twofold_service.wire.conversation import CLOSES, Op, Push, ops, pushes
from twofold_service.wire.games import Strict
from twofold_service.wire.problems import Problem, problem
from twofold_service.wire.sample import plain
from twofold_service.wire.schemas import ROOT, failures, name_of, published, ref

Json = dict[str, Any]
PATH = "/v1/ws"
CHANNEL = {"$ref": "#/channels/live"}


ABOUT = f"""\
One WebSocket at `{PATH}`, subprotocol `{session.PROTOCOL}`, text frames of JSON. There are three kinds: a *command*
`{{id, op, …}}`; its one *reply*, `{{id, ok}}` or `{{id, error}}` with the same problem document as over REST; and a
*push* `{{ev, …}}` without an id.

The first command is `hello`, within {session.HELLO_WITHIN // SECOND} seconds. A command is never dropped without a
reply, and an `ok` that carries an event is sent after the event is durable. Commands need no `watch` first. Replies and
pushes of one game leave a connection in the order of their versions, without gaps or repeats; only the replay of a
`key` stands outside that order. An event that a reply carries is not pushed to the same connection again.

The service pings every {session.PING_EVERY // SECOND} seconds, with a WebSocket ping and with a `ping` push for
watchdogs that cannot see the former. A pong or any frame counts as heard.

A frame over {session.LARGEST_FRAME // 1024} KiB, binary, malformed, or no command is answered by `bad_frame` (`id` is
null where none could be read). After {session.MOST_UNANSWERED} unanswered commands the service reads no further until
some are answered. What was taken before a close, by whichever side, is answered before the close frame, for which that
waits up to two seconds. Where the storage goes while a command is written, nobody knows whether it was done: after
`storage_unavailable` send it again with the same `key`, or with the `version` you saw, and it is done once.

The handshake is refused with a problem document: 403 for a foreign `Origin` (the service's own host and
`TWOFOLD_ORIGINS` are welcome, and so is none), 404 at another path, 409 `too_many` for too many sockets of one address,
503 while draining. There is no token in the URL.

| close | meaning | what a client does |
|---|---|---|
"""


def asyncapi() -> Json:
    """The whole document."""
    messages = _messages()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Twofold live",
            "version": __version__,
            "description": ABOUT + "".join(f"| {code} | {why} | {then} |\n" for code, why, then in CLOSES),
            "license": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
        },
        "defaultContentType": "application/json",
        "servers": {
            name: {"host": "{host}", "protocol": name, "description": about, "variables": {"host": HOST}}
            for name, about in (("ws", "As `twofold serve` listens."), ("wss", "Behind a proxy that speaks TLS."))
        },
        "channels": {
            "live": {
                "address": PATH,
                "title": "The live channel",
                "description": "Commands in, replies and pushes out.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": BINDING},
            }
        },
        "operations": {op: _commanded(op, about) for op, about in ops().items()}
        | {f"{ev}Pushed": _pushed(ev, push) for ev, push in pushes().items()},
        "components": {
            "correlationIds": {
                "id": {"description": "A reply's id is its command's.", "location": "$message.payload#/id"}
            },
            "messages": messages,
            "schemas": _schemas(),
        },
    }


CORRELATION = {"description": "A reply's id is its command's.", "location": "$message.payload#/id"}
HOST = {"default": "localhost:8000", "description": "where the service listens"}
BINDING = {
    "method": "GET",
    "headers": {
        "type": "object",
        "properties": {
            "Sec-WebSocket-Protocol": {"type": "string", "const": session.PROTOCOL},
            "Origin": {"type": "string", "description": "sent by browsers; the service's own host or an allowed one"},
        },
    },
    "bindingVersion": "0.1.0",
}


def _messages() -> Json:
    """A message for each command, each reply and each push, and one for all refusals."""
    messages: Json = {}
    for op, about in ops().items():
        command = {"allOf": [_shape(about.frame), {"type": "object", "properties": {"op": {"const": op}}}]}
        messages[op] = _message(op, about.does, command, {op: {"id": 7, "op": op, **about.asked}})
        answers = {name: {"id": 7, "ok": answer} for name, answer in about.answered.items()}
        messages[f"{op}Reply"] = _message(f"{op}Reply", f"The `ok` to {op}.", _reply(about.ok), answers)
    refusal = {
        "type": "object",
        "properties": {"id": {"anyOf": [ID, {"type": "null"}]}, "error": ref("Problem")},
        "required": ["id", "error"],
    }
    messages["refused"] = _message("refused", "Why a command, or what was none, is refused.", refusal, _refusals())
    for message in messages.values():
        message["correlationId"] = {"$ref": "#/components/correlationIds/id"}
    for ev, push in pushes().items():
        messages[f"{ev}Push"] = _message(f"{ev}Push", push.tells, _shape(push.frame), {ev: {"ev": ev, **push.told}})
    return messages


ID = {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "the id of the command"}


def _message(name: str, summary: str, payload: Json, examples: dict[str, Json]) -> Json:
    told = [{"name": example, "payload": plain(value)} for example, value in examples.items()]
    return {"name": name, "title": name, "summary": summary, "payload": payload, "examples": told}


def _reply(ok: type | None) -> Json:
    held = {"type": "object", "description": "nothing more to say"} if ok is None else _shape(ok)
    return {"type": "object", "properties": {"id": ID, "ok": held}, "required": ["id", "ok"]}


def _refusals() -> dict[str, Json]:
    """An example for every code a command can be refused with."""
    never = (
        "method_not_allowed",
        "too_large",
        "unsupported_media_type",
        "attempt_open",
        "busy",
        "not_final",
        "solver_unavailable",
    )
    return {
        code: {"id": None if code == "bad_frame" else 7, "error": problem(failure, "ws2f", sample.NOON)}
        for code, failure in failures().items()
        if code not in never
    }


def _commanded(op: str, about: Op) -> Json:
    return {
        "action": "receive",
        "channel": CHANNEL,
        "title": op,
        "summary": about.does,
        "messages": [_of_channel(op)],
        "reply": {"channel": CHANNEL, "messages": [_of_channel(f"{op}Reply"), _of_channel("refused")]},
    }


def _pushed(ev: str, push: Push) -> Json:
    return {
        "action": "send",
        "channel": CHANNEL,
        "title": f"{ev} pushed",
        "summary": push.tells,
        "messages": [_of_channel(f"{ev}Push")],
    }


def _of_channel(message: str) -> Json:
    return {"$ref": f"#/channels/live/messages/{message}"}


def _shape(kind: type) -> Json:
    return ref(name_of(kind.__name__))


def _schemas() -> Json:
    """All shapes that messages hold, and the shapes in them."""
    shapes: Json = {}
    kinds = [kind for op in ops().values() for kind in (op.frame, op.ok) if kind is not None]
    for kind in [*kinds, *(push.frame for push in pushes().values()), Problem]:
        mode: Literal["validation", "serialization"] = "validation" if issubclass(kind, Strict) else "serialization"
        schema = TypeAdapter(kind).json_schema(mode=mode, ref_template=ROOT + "{model}")
        shapes |= schema.pop("$defs", {}) | {kind.__name__: schema}
    return published(shapes)
