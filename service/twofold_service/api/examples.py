"""Requests and answers in the OpenAPI document: made by the engine and the wire shapes, so that they cannot rot."""

from typing import Any, NamedTuple

from twofold.clock import SECOND, rfc3339
from twofold.daily import later
from twofold.parse import parse
from twofold.verify import verify
from twofold_service.api.rules import push
from twofold_service.errors import BadFrame, ServiceError
from twofold_service.pictures.svg import svg
from twofold_service.usecases.pictures import scene
from twofold_service.usecases.values import CorruptRow, Day, Verified
from twofold_service.wire import sample
from twofold_service.wire.daily import daily_out
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import SlidesIn, corrupt_out, player_out
from twofold_service.wire.hints import game_hint_out, hint_out
from twofold_service.wire.modes import modes_out
from twofold_service.wire.players import records_out
from twofold_service.wire.problems import problem
from twofold_service.wire.rankings import compared_out, page_out
from twofold_service.wire.records import verified_out
from twofold_service.wire.sample import Told, event_of, game_of, plain
from twofold_service.wire.schemas import failures

NDJSON = "application/x-ndjson"
Values = dict[str, Any]


class Shown(NamedTuple):
    """What stands in the document of one operation: what it answers, in words and by example, and what it is asked."""

    answers: str
    response: Values
    request: Values = {}  # noqa: RUF012


def shown() -> dict[str, Shown]:
    """By operation."""
    return (
        _of_players()
        | _of_rules()
        | _of_games()
        | _of_pictures()
        | _of_commands()
        | _of_records()
        | _of_solver()
        | _of_daily()
        | _of_operation()
    )


def problems() -> dict[str, Any]:
    """A problem document for each code of REST, and the one for a version in `If-Match`."""
    stale = failures()["stale_version"]
    stale.status = 412
    spoken = {code: _problem(failure) for code, failure in failures().items() if code != BadFrame.code}
    return spoken | {"stale_if_match": _problem(stale)}


def _problem(failure: ServiceError) -> dict[str, Any]:
    if failure.code == "invalid":
        failure.errors = [(("body", "direction"), "Input should be 'up', 'down', 'left' or 'right'")]
    if failure.code == "stale_version":
        failure.game = sample.classic().view(5)
    if failure.code == "attempt_open":
        failure.game = sample.daily().view()
    return {"summary": failure.title, "value": plain(problem(failure, sample.REQUEST, sample.NOON + 5 * SECOND))}


def _of_players() -> dict[str, Shown]:
    ada, token = player_out(sample.ADA), sample.TOKEN
    link = {"code": sample.CODE, "expires_at": rfc3339(sample.NOON + 600 * SECOND)}
    return {
        "createPlayer": Shown(
            "The player, and the token, told only now.",
            {"player": {"player": ada, "token": token}},
            {"with_a_name": {"name": "Ada"}, "without": {}},
        ),
        "getMe": Shown("You.", {"player": ada}),
        "renameMe": Shown(
            "You, under the new name.", {"player": {**ada, "name": "Ada L."}}, {"a_name": {"name": "Ada L."}}
        ),
        "deleteMe": Shown("Gone.", {}),
        "createToken": Shown(
            "The new token, told only now.", {"token": {"token": token}}, {"end_others": {"others": True}}
        ),
        "createLink": Shown("The code, and until when it serves.", {"code": link}),
        "useLink": Shown(
            "The player you are now, and a token of this device.",
            {"player": {"player": ada, "token": token}},
            {"code": {"code": sample.CODE}},
        ),
        "getRecords": Shown(
            "Your records.", {"records": records_out(sample.CATEGORIES, ["2026-11-28", "2026-11-29", sample.DATE], 4)}
        ),
    }


def _of_rules() -> dict[str, Shown]:
    one = {"board": [[2, 2, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}
    none = {"board": [[2, 4, 0], [0, 0, 0], [0, 0, 0]], "direction": "left"}
    answers = [plain(push(SlidesIn.model_validate(asked), ())) for asked in (one, none)]
    return {
        "listModes": Shown("All modes.", {"modes": modes_out()}),
        "computeSlides": Shown(
            "What the push does; for a list, in its order.",
            {"a_merge": answers[0], "several": answers},
            {"a_merge": one, "several": [one, none]},
        ),
    }


def _of_games() -> dict[str, Shown]:
    classic, practice = sample.classic(), sample.practice()
    broken = corrupt_out(CorruptRow("01kb7d2m4x6c8v0b2n4q6w8e0r", "classic"))
    log = [event_of(classic, version) for version in range(1, 3)]
    lines = [*log, {"eof": True, "count": len(log)}]
    return {
        "createGame": Shown(
            "The new game.",
            {"classic": game_of(classic, 1), "sprint": game_of(sample.sprint(), 1), "daily": game_of(sample.daily())},
            {
                "classic": {"mode": "classic", "size": 4, "undo_limit": 1},
                "sprint": {"mode": "sprint"},
                "daily": {"mode": "daily"},
                "in_place_of_another": {"mode": "classic", "replaces": classic.header.id},
                "practice_from_a_board": {
                    "mode": "practice",
                    "board": sample.AT_THE_GOAL,
                    "seed": practice.game.seed.hex(),
                },
                "practice_of_a_past_daily": {"mode": "practice", "date": later(sample.DATE, -3)},
            },
        ),
        "listGames": Shown(
            "A page of your games.",
            {"a_page": {"items": [game_of(classic, 6), broken, game_of(practice)], "next_cursor": "ZzE6NDE3"}},
        ),
        "getGame": Shown(
            "The game.", {"running": game_of(classic, 5), "over": game_of(classic), "practice": game_of(practice, 2)}
        ),
        "getEvents": Shown(
            "The events, as a page or as lines.",
            {
                "a_page": {"items": log, "next_after": 2},
                NDJSON: b"".join(dumps(line) + b"\n" for line in lines).decode(),
            },
        ),
        "exportGame": Shown(
            "The record, or the stored rows.",
            {"record": classic.record(), "raw": {"game": broken, "events": [{"version": 1, "type": "created"}]}},
        ),
    }


def _of_pictures() -> dict[str, Shown]:
    practice = sample.practice().view(2)
    return {
        "drawBoardSvg": Shown("The picture.", {"a_board": svg(scene(practice.header, practice.game)).decode()}),
        "drawBoardPng": Shown("The picture.", {}),
        "drawReplay": Shown("The picture.", {}),
    }


def _of_commands() -> dict[str, Shown]:
    classic, sprint, practice = sample.classic(), sample.sprint(), sample.practice()
    game = game_of(classic, 5)
    return {
        "move": Shown(
            "What came of the move.",
            {
                "moved": {"moved": True, **_played(classic, 5)},
                "won": {"moved": True, **_played(practice, 2)},
                "nothing_moved": {"moved": False, "event": None, "game": game},
                "sent_again": {"moved": True, **_played(classic, 5), "replayed": True},
            },
            {"at_a_version": {"direction": "down", "version": 4}, "at_any_version": {"direction": "down"}},
        ),
        "start": _commanded(sprint, 2),
        "undo": _commanded(classic, 3),
        "pause": _commanded(classic, 7),
        "resume": _commanded(classic, 8),
        "continue": _commanded(practice, 3),
        "abandon": _commanded(classic, 9),
    }


def _of_records() -> dict[str, Shown]:
    record = sample.classic().record()
    verified = Verified(verify(parse(dumps(record))), "stored")
    return {"verifyRecord": Shown("What the replay says.", {"valid": verified_out(verified)}, {"a_record": record})}


def _of_solver() -> dict[str, Shown]:
    asked = {"board": [[2, 4, 8, 16], [2, 0, 0, 8], [0, 0, 0, 4], [0, 0, 0, 2]], "depth": 2}
    return {
        "getHint": Shown("The hint.", {"a_hint": hint_out(sample.HINT)}, {"a_board": asked}),
        "getAnalysis": Shown("The analysis.", {"an_analysis": sample.ANALYSIS}),
        "getGameHint": Shown("The hint.", {"a_hint": game_hint_out(sample.classic().view(5), sample.HINT)}),
    }


def _of_daily() -> dict[str, Shown]:
    day = Day(sample.DATE, sample.daily().game.seed)
    today = daily_out(day, 412, sample.RESULT, None, sample.NOON)
    past = daily_out(day, 1630, sample.RESULT, sample.PAR, sample.NOON + 7 * 86_400 * SECOND)
    return {
        "getToday": Shown("The puzzle; its seed is not shown yet.", {"today": today}),
        "getDaily": Shown("The puzzle.", {"today": today, "past": past}),
        "getResults": Shown("A page of results.", {"first_page": page_out(sample.page(), "score")}),
        "getLeaderboard": Shown("A page of results.", {"first_page": page_out(sample.page(), "score")}),
        "compareGames": Shown("The games side by side.", {"two_games": compared_out(sample.compared())}),
    }


def _of_operation() -> dict[str, Shown]:
    metrics = "# HELP twofold_sockets open WebSockets\n# TYPE twofold_sockets gauge\ntwofold_sockets 12.0\n"
    return {
        "getHealth": Shown("Alive.", {"alive": {"status": "ok"}}),
        "getReadiness": Shown("Ready.", {"ready": {"status": "ready"}}),
        "getMetrics": Shown("Metrics in Prometheus' text format.", {"some": metrics}),
    }


def _played(told: Told, version: int) -> Values:
    return {"event": event_of(told, version), "game": game_of(told, version)}


def _commanded(told: Told, version: int) -> Shown:
    done = told.events[version - 1].type.value
    return Shown(
        "The event, and the game after it.", {done: _played(told, version)}, {"at_a_version": {"version": version - 1}}
    )
