"""What the OpenAPI document says in words: introduction, tags, parameters, headers, and where a call leads."""

from typing import Any

ABOUT = """\
Twofold is an open game service for 2048: every game is a log of events on the server, every tile follows from a seed
that is bound before the first move and shown after the last, and anyone can replay the whole.

## Players

There are no accounts. `POST /v1/players` makes a player and tells its bearer token once; keep it. Public games are read
without a token, and only their player writes to them.

## Games, events and versions

A game is what its log makes of it: the *version* is the number of its events, one for each command that changed
something. Send the version you saw, as `version` in the body or as `If-Match`, and a command is refused with
`stale_version` and the game as it stands if somebody was faster. Without one it applies to the game as it is.

Send an `Idempotency-Key` with whatever you may have to send twice: for 24 hours a repeat is applied once and answered
with what came of it then, the game as it stands now and `replayed: true`. Refusals are not remembered.

To be told of events as they happen, and for the fastest play, open the WebSocket `/v1/ws`, described in
`asyncapi.yaml`.

## The solver

`POST /v1/hints` tells what each direction of any board is worth, `GET /v1/games/{id}/hint` the same of your own game,
which is `assisted` from then on: it stands in those rankings alone that ask for such. The analysis of a final game is
made once and kept; 202 says that it is being made. The solver knows boards only: no seed, and no tile to come.

## Conventions

JSON is UTF-8 and snake_case; instants are RFC 3339 in UTC with milliseconds; durations are whole milliseconds. Unknown
fields are refused. Lists come in pages of at most 100: pass `next_cursor` (or `next_after`) on until it is null. Any
origin may call, without credentials. Every answer carries `X-Request-Id`.

## Problems

Every failure, that of an unknown path (`not_found`) or method (`method_not_allowed`) included, is a problem document
(RFC 9457, `application/problem+json`). Its `code` is stable; on `retryable` ones wait as long as `Retry-After` says.
Where the storage goes while a command is written, nobody knows whether it was done: after `storage_unavailable` send it
again under the same `Idempotency-Key`, or with the `version` you saw, and it is done once.
`bad_frame` comes over the WebSocket alone.

| code | status | meaning |
|---|---|---|
"""

TAGS = {
    "players": "Who plays: made without an account, on up to five devices. These calls take no `Idempotency-Key`.",
    "games": "Begin games, list and look at them, read their logs and records.",
    "pictures": "Games to look at and to show around. Each has a strong `ETag`; send it as `If-None-Match`.",
    "commands": "What a player does to a game. Each is applied at one version, and answered once it is durable.",
    "records": "A game as a document that proves itself.",
    "rules": "The rules alone, without a game.",
    "daily": "One seed per UTC date for everybody, shown a day after the date has ended.",
    "leaderboards": "The best finished game of each player in a category.",
    "solver": "What a strong player would do: hints, and what became of yours.",
    "operation": "For those who run the service.",
}

GAMES = ("01kb9zv8c3q7j1w5t9x2nmr6he", "01kb9zw1d4r8k2x6v0y3pns7jf")

# The name of a parameter, what it is, and one such. Headers come without: an example would stand for any value.
PARAMETERS: dict[str, tuple[str, Any]] = {
    "assisted": ("`true`: games with hints stand in the list, too, each player with the best of all", True),
    "bots": ("`true`: the ranking of bots, which stand in no other", True),
    "attempt": ("`first`: first attempts alone; `best`: the best attempt of each player", "first"),
    "after": ("the events after this version", 0),
    "cursor": ("`next_cursor` of the page before", None),
    "date": ("a UTC date, YYYY-MM-DD", "2026-11-30"),
    "depth": ("moves looked at: more are better, and take longer", 2),
    "games": ("two to four ids of games of the date, separated by commas", f"{GAMES[0]},{GAMES[1]}"),
    "game_id": ("the game's id", "01kb9zs4t8m2x7c0v5q9nhe3wd"),
    "Idempotency-Key": (
        "1 to 64 printable ASCII characters: a repeat within 24 hours is applied once and answered alike",
        None,
    ),
    "If-None-Match": ("the `ETag` of the picture you hold; while it is still the one, 304 answers", None),
    "If-Match": ('the version you saw, as `ETag` has it: `"5"`; another one is refused with 412', None),
    "limit": ("how many at most", 20),
    "mode": ("the mode", "classic"),
    "order": ("what comes first: score, highest tile, or the goal by moves or by active time", "score"),
    "period": ("of the UTC calendar day, ISO week or month that lasts now, or of all time", "week"),
    "raw": ("`1`: the stored rows of your own game as they are, readable or not", None),
    "size": ("board size of the category; left out, the mode's default", 4),
    "status": ("only games that stand so; `open` = ready, running, paused or won", "open"),
    "version": (
        "the version to draw, from 1, by default the game as it stands; one that it has not reached is `not_found`",
        5,
    ),
    "undo_limit": ("undo limit of the category; left out, the mode's default", 1),
}

# What their schemas say beyond the routes' signatures.
FORMS: dict[str, dict[str, Any]] = {
    "date": {"format": "date"},
    "Idempotency-Key": {"pattern": "^[ -~]{1,64}$"},
    "If-Match": {"pattern": '^("[0-9]{1,16}"|\\*)$'},
}

HEADERS = {
    "Cache-Control": ("whether and for how long it may be kept", "public, no-cache"),
    "ETag": ("a game's version, for `If-Match`; of a picture, for `If-None-Match`", '"5"'),
    "Location": ("where the new game is", "/v1/games/01kb9zs4t8m2x7c0v5q9nhe3wd"),
    "Retry-After": ("seconds to wait before the next try", 1),
    "WWW-Authenticate": ("the scheme that is asked for", "Bearer"),
    "X-Request-Id": ("id of the request, to tell when you report a problem", "5d0f6ab3c9711c"),
}

_NEW_GAME = {"game_id": "$response.body#/id"}
LINKS: dict[str, dict[str, Any]] = {
    "createGame": {
        name: {"description": about, "parameters": _NEW_GAME}
        for name, about in {
            "getGame": "The new game as it stands.",
            "move": "Play its first move.",
            "start": "Start its clock, where it waits for that.",
            "undo": "Take a move back.",
            "pause": "Stop its clock.",
            "resume": "Let its clock run again.",
            "continue": "Play on beyond the goal.",
            "abandon": "End it.",
            "getEvents": "Its log.",
            "exportGame": "Its record.",
            "drawBoardSvg": "Its picture.",
            "drawReplay": "Its path as a film.",
            "getGameHint": "What the solver would do; the game is assisted from then on.",
            "getAnalysis": "Where it went wrong, once it is final.",
        }.items()
    },
    "createLink": {
        "useLink": {
            "description": "On the other device.",
            "requestBody": {"code": "$response.body#/code"},
        }
    },
    "getToday": {"getDaily": {"description": "The same by its date.", "parameters": {"date": "$response.body#/date"}}},
    "exportGame": {"verifyRecord": {"description": "Prove it.", "requestBody": "$response.body"}},
}
