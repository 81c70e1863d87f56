"""The JSON of one event, as bytes.

Nearly every event is a move after which the game goes on. Of such a one little is left open, and what is left repeats:
its JSON is written from a template and from pieces that are remembered, at a third of the cost.
"""

from typing import Any

from twofold.board import MAX_SIZE, MIN_SIZE, Direction, Slide, legal_moves, rows_of
from twofold.clock import MS, rfc3339
from twofold.game import Event, Status
from twofold.memo import Memo
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import event_out, slides_out


def event_json(event: Event, *, daily: bool) -> bytes:
    """The JSON of `event_out`, byte by byte."""
    _, game, direction, slides, tile, _, gain = event
    if tile is None or game.status is not _RUNNING:
        return dumps(event_out(event, daily=daily))
    rules, position = game.rules, game.position
    cells, score, moves, goal_moves, _, _ = position
    limit, at, active = rules.time_limit_ms, rfc3339(game.at), game.clock.active(game.at) // MS
    rows = ",".join([_ROWS[cells[line]] for line in _LINES[rules.size]])
    if limit is None:
        limits = '"limit_ms":null,"remaining_ms":null'
    else:
        active = min(active, limit)
        limits = f'"limit_ms":{limit},"remaining_ms":{limit - active}'
    return (
        f'{{"version":{game.version},"type":"move","at":"{at}","active_ms":{active},"board":[{rows}],'
        f'"score":{score},"score_delta":{gain},"max_tile":{1 << max(cells)},'
        f'"moves":{moves},"legal_moves":{_WORDS[legal_moves(rules.size, cells)]},'
        f'"spawn_index":{position.spawn_index},"status":"running","outcome":null,"final":false,'
        f'"reached_goal":{_TRUTH[goal_moves is not None]},'
        f'"undo":{{"limit":{_LIMITS[rules.undo_limit]},"used":{game.undos},'
        f'"available":{_TRUTH[game.undo_refusal is None]}}},'
        f'"clock":{{"running":true,"active_ms":{active},{limits},"server_now":"{at}"}},'
        f'"direction":{_WORDS[direction]},"slides":[{",".join([_SLIDES[slide] for slide in slides])}],'
        f'"spawn":{{"cell":{tile.cell},"value":{tile.value}}}}}'
    ).encode()


def _text(value: Any) -> str:
    return dumps(value).decode()


_LINES = {
    size: [slice(start, start + size) for start in range(0, size * size, size)]
    for size in range(MIN_SIZE, MAX_SIZE + 1)
}
_RUNNING = Status.RUNNING  # a member is looked up slowly in its class
_TRUTH = ("false", "true")
_WORDS: Memo[Direction | tuple[Direction, ...] | None, str] = Memo(_text)
_LIMITS: Memo[int | None, str] = Memo(_text)
_ROWS: Memo[bytes, str] = Memo(lambda row: _text(rows_of(len(row), row)[0]))
_SLIDES: Memo[Slide, str] = Memo(lambda slide: _text(slides_out((slide,))[0]))
