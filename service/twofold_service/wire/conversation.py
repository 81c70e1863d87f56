"""What is said over the live channel: each command and what answers it, each push, each way to close."""

from typing import Any, NamedTuple

from twofold.clock import MS, SECOND, rfc3339
from twofold_service.wire import frames, sample, session
from twofold_service.wire.games import player_out
from twofold_service.wire.sample import event_of, game_of

Json = dict[str, Any]


class Op(NamedTuple):
    """A command: what it does, its frame, what its `ok` holds, and examples of both."""

    does: str
    frame: type
    ok: type | None
    asked: Json
    answered: dict[str, Json]


class Push(NamedTuple):
    """What the service tells without being asked."""

    tells: str
    frame: type
    told: Json


# Code, meaning, and what a client does then.
CLOSES = (
    (1007, "a text frame that is not UTF-8", "stop and tell the user"),
    (1009, f"a frame over {session.LARGEST_MESSAGE // 1024} KiB", "stop and tell the user"),
    (session.RESTART, "draining: the service restarts", "reconnect after the delay told, with jitter"),
    (session.SLOW, "too slow a reader", "reconnect, `watch` with `since`"),
    (session.SILENT, f"nothing heard for {session.SILENT_AFTER // SECOND} s", "reconnect, `watch` with `since`"),
    (session.INTERNAL, "something went wrong in the service", "reconnect, `watch` with `since`"),
    (session.BAD_TOKEN, "the token is not known, or has ended", "stop and tell the user"),
    (session.BROKEN, "the protocol was broken", "stop and tell the user"),
    (session.OTHER_VERSION, f"another subprotocol than `{session.PROTOCOL}`", "stop and tell the user"),
    (session.TOO_MANY_ERRORS, f"{session.MOST_BAD_FRAMES} frames that were no commands", "stop and tell the user"),
    (session.NO_HELLO, f"no `hello` within {session.HELLO_WITHIN // SECOND} s", "stop and tell the user"),
)


def ops() -> dict[str, Op]:
    """All commands."""
    classic, sprint, practice = sample.classic(), sample.sprint(), sample.practice()
    game, moved = classic.header.id, {"moved": True, "event": event_of(classic, 5)}
    now = {"server_now": rfc3339(sample.NOON)}
    limits = {"frame_bytes": session.LARGEST_FRAME, "unanswered": session.MOST_UNANSWERED, "watches": 100}
    welcome = {
        "player": player_out(sample.ADA),
        "protocol": session.PROTOCOL,
        **now,
        "ping_ms": session.PING_EVERY // MS,
        "limits": limits,
    }
    return {
        "hello": Op(
            "Say who you are, first of all.",
            frames.Hello,
            frames.HelloOk,
            {"token": sample.TOKEN},
            {"welcome": welcome},
        ),
        "watch": Op(
            "Be told of a game from now on, and of what came after the version you saw.",
            frames.Watch,
            frames.WatchOk,
            {"game": game, "since": 4},
            {
                "recovered": {"recovered": True, "role": "player"},
                "not_recovered": {"recovered": False, "role": "spectator", "game": game_of(classic, 5)},
            },
        ),
        "unwatch": Op("Be told of a game no more.", frames.Unwatch, None, {"game": game}, {"done": {}}),
        "move": Op(
            "Play one move; one that changes nothing is answered `moved: false`.",
            frames.Move,
            frames.MoveOk,
            {"game": game, "direction": "down", "version": 4, "key": "9b2f0c6e"},
            {
                "moved": moved,
                "nothing_moved": {"moved": False, "event": None},
                "sent_again": {**moved, "replayed": True},
            },
        ),
        "start": _op("Start the clock of a game that is ready.", sprint, 2),
        "undo": _op("Take one move back.", classic, 3),
        "pause": _op("Stop the clock of a running game.", classic, 7),
        "resume": _op("Let the clock of a paused game run again.", classic, 8),
        "continue": _op("Play on after the goal was reached.", practice, 3),
        "abandon": _op("End the game for good.", classic, 9),
        "ping": Op("Ask for the service's time.", frames.Ping, frames.PingOk, {}, {"now": now}),
    }


def _op(does: str, told: sample.Told, version: int) -> Op:
    asked = {"game": told.header.id, "version": version - 1}
    return Op(does, frames.GameCommand, frames.CommandOk, asked, {"done": {"event": event_of(told, version)}})


def pushes() -> dict[str, Push]:
    """All pushes."""
    classic = sample.classic()
    return {
        "event": Push(
            "An event of a watched game.", frames.EventPush, {"game": classic.header.id, "event": event_of(classic, 5)}
        ),
        "ping": Push(
            f"The service's time, every {session.PING_EVERY // SECOND} seconds; it needs no answer.",
            frames.PingPush,
            {"server_now": rfc3339(sample.NOON + session.PING_EVERY)},
        ),
        "draining": Push(
            "The service is about to restart: connect again after the delay.",
            frames.DrainingPush,
            {"retry_after_ms": 900},
        ),
        "analysis": Push(
            "How far the analysis of a watched game is that somebody has asked for; at 1 it is there.",
            frames.AnalysisPush,
            {"game": classic.header.id, "depth": 2, "progress": 0.4},
        ),
        "gone": Push("A watched game is gone, with its player.", frames.GonePush, {"game": classic.header.id}),
    }
