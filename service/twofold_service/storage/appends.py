"""Events into tables: the statements behind a move, and what an event that changes a status brings besides."""

from sqlalchemy import Connection

from twofold.board import max_tile
from twofold.clock import MS
from twofold.game import Event, Game, Outcome
from twofold_service.storage import standings
from twofold_service.storage.changes import Change, change, insert_many, update_many, write
from twofold_service.storage.codec import EVENT, HOT, STATE, event_row, hot_of, state_of
from twofold_service.storage.statements import Row, mark_of, query
from twofold_service.usecases.boards import Finish
from twofold_service.usecases.ports import Append, KeyConflict, VersionConflict
from twofold_service.usecases.values import Header

_BEST = ("player", "category", "score", "max_tile")
_KEEP_HIGHEST = " ON CONFLICT (player, category) DO UPDATE SET " + ", ".join(
    f"{name} = CASE WHEN excluded.{name} > best.{name} THEN excluded.{name} ELSE best.{name} END"
    for name in ("score", "max_tile")
)
_KEEP_BEST = insert_many("best", _BEST, _KEEP_HIGHEST)
_KEY = ("game", "name", "op", "direction", "version", "made", "at")
INSERT_EVENT = insert_many("event", EVENT)
_INSERT_KEY = insert_many("command_key", _KEY, " ON CONFLICT DO NOTHING")
_HOT, _WHOLE = update_many(HOT), update_many((*STATE, "keeper"))


class Misfit(Exception):
    """Some append of a batch does not fit the stored version or key; which one is known where the batch is one."""

    def __init__(self, conflict: Exception) -> None:
        super().__init__(str(conflict))
        self.conflict = conflict


def append_all(connection: Connection, appends: list[Append], process: str) -> None:
    """Write keys, and events where each game's stored version is still the one before; Misfit where it is not so."""
    misfit = change(connection, changes_of(appends, process))
    if misfit is not None:
        raise Misfit(misfit.conflict)
    for append in appends:
        if append.revives:
            standings.withdraw(connection, append.header.player.key, append.header.key)
    keep_results(connection, over_by(appends))


def changes_of(appends: list[Append], process: str) -> list[Change]:
    """What is to be written of these appends, but for what an end brings, or an end that is undone."""
    appends = sorted(appends, key=_game)  # one order for all writers: none waits in a ring
    events = [(append.header, append.event) for append in appends if append.event is not None]
    if any(append.whole for append in appends):
        states = Change(_WHOLE, [_whole_row(header, event, process) for header, event in events], VersionConflict())
    else:
        states = Change(_HOT, [_hot_row(header, event) for header, event in events], VersionConflict())
    log = Change(INSERT_EVENT, [event_row(header.key, event) for header, event in events], VersionConflict())
    return [item for item in (_keys(appends), states, log) if item.rows]


def over_by(appends: list[Append]) -> list[tuple[Header, Event]]:
    """The games that are over by these appends, with their last events."""
    events = [(append.header, append.event) for append in appends if append.whole and append.event is not None]
    return [(header, event) for header, event in events if event.game.over]


def keep_keys(connection: Connection, appends: list[Append]) -> None:
    """Write the idempotency keys of these appends; Misfit where one stands in storage already."""
    keys = _keys(appends)
    if keys.rows and change(connection, [keys]):
        raise Misfit(keys.conflict)


def keep_results(connection: Connection, over: list[tuple[Header, Event]]) -> None:
    """The places in the rankings of games that are over, and their peaks among their players' bests."""
    bests: dict[tuple[int, str], tuple[int, int]] = {}
    results: list[standings.Result] = []
    assisted = _assisted(connection, [header.key for header, _ in over])
    for header, event in over:
        game = event.game
        if game.outcome is None or game.ended_at is None or header.category is None:
            continue
        whose = header.player.key, header.category
        score, tile = bests.get(whose, (0, 0))
        bests[whose] = max(score, game.peak_score), max(tile, game.peak_tile)
        if header.ranks(game) and game.position.moves > 0:
            results.append(_result(header, header.category, game, game.outcome, game.ended_at, header.key in assisted))
    if bests:
        write(connection, [(_KEEP_BEST, [(*whose, *peaks) for whose, peaks in bests.items()])])
    if results:
        standings.enter(connection, results)


def _assisted(connection: Connection, games: list[int]) -> set[int]:
    """Which of these games had a hint: as storage has it, for another process may have given it."""
    if not games:
        return set()
    marks = ", ".join([mark_of(connection)] * len(games))
    found = query(connection, f"SELECT key FROM game WHERE assisted AND key IN ({marks})", tuple(games))  # noqa: S608
    return {key for (key,) in found}


def _result(
    header: Header, category: str, game: Game, outcome: Outcome, ended_at: int, assisted: bool
) -> standings.Result:
    position = game.position
    finish = Finish(
        id=header.id,
        category=category,
        date=header.date,
        attempt=header.attempt,
        score=position.score,
        max_tile=max_tile(position.cells),
        moves=position.moves,
        active_ms=game.clock.banked // MS,
        goal_moves=position.goal_moves,
        goal_active_ms=None if position.goal_active is None else position.goal_active // MS,
        ended_at=ended_at,
        assisted=assisted,
        bot=header.player.bot,
    )
    return standings.Result(
        header.key, header.player.key, game.pauses, game.elapsed_ms, outcome.value, position.reached_goal, finish
    )


def _hot_row(header: Header, event: Event) -> Row:
    return (*hot_of(event.game), header.key, event.version - 1)


def _whole_row(header: Header, event: Event, process: str) -> Row:
    return (*state_of(event.game), process, header.key, event.version - 1)


def _key_row(append: Append) -> Row:
    assert append.key is not None
    name, used = append.key
    return (append.header.key, name, used.op, used.direction, used.version, used.event_version, append.at)


def _keys(appends: list[Append]) -> Change:
    return Change(_INSERT_KEY, [_key_row(append) for append in appends if append.key is not None], KeyConflict())


def _game(append: Append) -> int:
    return append.header.key
