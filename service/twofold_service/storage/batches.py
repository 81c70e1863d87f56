"""Moves as a batch of them is committed: in one row together, from which they are folded into their games' own rows.

Every game's rows lie on pages of their own, and to write those is most of what a commit costs. So of a move after which
the game goes on no more is written at first than who moved where and when: played again it is what it was. A second
later it is written to its game's rows, with the moves that followed it. That is only for a database which one process
holds: until moves are folded, its memory alone knows what they came to.
"""

import logging
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from twofold.clock import SECOND
from twofold.game import Event, Game
from twofold_service.storage.appends import Misfit, keep_keys
from twofold_service.storage.codec import EVENT, HOT, event_row, hot_of, move_row
from twofold_service.storage.statements import Row, execute, insert_sql, update_sql
from twofold_service.storage.unfolded import played_again
from twofold_service.usecases.ports import Append, VersionConflict
from twofold_service.usecases.values import Header

log = logging.getLogger("twofold.journal")
FOLD_AFTER = SECOND
GAMES_A_STEP = 16
ROWS_A_STEP = 64
MOST_KNOWN = 1 << 16
MOST_GAMES_KNOWN = 256

_INSERT = insert_sql("batch", ("number", "moves"), "?")
_FOLD_STATE, _FOLD_LOG = update_sql(HOT, "?"), insert_sql("event", EVENT, "?")


@dataclass(slots=True)
class Waiting:
    """Moves of one game that are to be folded; `batch` holds the first of them, and was written at `since`.

    They are kept as the rows they will be, which are small, and `game` as it stands after them; `before` is the version
    it had before the first.
    """

    player: int
    batch: int
    since: int
    before: int
    game: Game
    rows: list[Row]


class Batches:
    """Which moves wait to be folded, and which versions of games are known without looking.

    What a transaction takes and folds is only so once it is `committed`.
    """

    def __init__(self, *, is_held: bool) -> None:
        self._is_held = is_held
        self._is_read = not is_held
        self._waiting: dict[int, Waiting] = {}
        self._known: dict[int, dict[int, int]] = {}
        self._last = self._kept_from = 0
        self._taken: list[Append] = []
        self._folded: set[int] = set()
        self._wrote: list[tuple[Header, int]] = []
        self._doubted: set[int] = set()
        self._all_doubted = False

    @property
    def wait(self) -> bool:
        """Whether some moves are committed that their games' own rows do not tell of."""
        return bool(self._waiting) or not self._is_read

    def recall(self, connection: Connection) -> None:
        """Before all else of a transaction: fold what an earlier process left, or one of unknown end of this one."""
        if self._is_read:
            return
        left = played_again(connection)
        self._last = max(self._last, left.last)
        for key, moves in left.games.items():
            for event in moves.events:
                self._add(moves.player, key, 0, 0, event)
        self._is_read = True
        self.fold_all(connection)
        execute(connection, "DELETE FROM batch")  # what fits nowhere today is not to fit another game tomorrow

    def take(self, connection: Connection, appends: list[Append]) -> list[Append]:
        """Write those that are moves after which the game goes on, of games that are known; the others are left."""
        if not self._is_held:
            return appends
        left, taken = [], self._taken
        for append in appends:
            event = append.event
            if append.whole or event is None or event.game.version - 1 != self._version(append.header):
                left.append(append)
            else:
                taken.append(append)
        if taken:
            keep_keys(connection, taken)
            self._last += 1
            moves = [move_row(append.header.key, append.event) for append in taken if append.event is not None]
            execute(connection, _INSERT, [(self._last, orjson.dumps(moves))])
        return left

    def wrote(self, appends: list[Append]) -> None:
        """These have been written to their games' own rows."""
        if self._is_held:
            self._wrote += [(append.header, append.event.version) for append in appends if append.event is not None]

    def fold(self, connection: Connection, games: Iterable[int], *, apart: bool = False) -> None:
        """Write what waits of these games to their own rows; `apart`: so that one which refuses stops no other."""
        for key in games:
            waiting = self._waiting.get(key)
            if waiting is None or key in self._folded:
                continue
            self._folded.add(key)
            try:
                with connection.begin_nested() if apart else nullcontext():
                    fits = _write(connection, key, waiting)
            except IntegrityError:
                if not apart:
                    raise
                fits = False
            if not fits:
                self._leave_out(key, waiting.player)
        if self._folded:
            self._remove_folded(connection)

    def fold_all(self, connection: Connection, *, apart: bool = False) -> None:
        """Write all that waits."""
        self.fold(connection, list(self._waiting), apart=apart)

    def fold_player(self, connection: Connection, player: int, *, apart: bool = False) -> None:
        """Write what waits of one player's games."""
        games = [key for key, waiting in self._waiting.items() if waiting.player == player]
        self.fold(connection, games, apart=apart)

    def doubt(self, player: int | None) -> None:
        """This transaction may change games of a player, or of everybody: no version is known without looking."""
        if player is None:
            self._all_doubted = True
        else:
            self._doubted.add(player)

    def fold_due(self, connection: Connection, now: int, *, apart: bool = False) -> None:
        """Write some of what has waited long enough."""
        some = islice(self._waiting.items(), GAMES_A_STEP)
        self.fold(connection, [key for key, waiting in some if waiting.since + FOLD_AFTER <= now], apart=apart)

    def committed(self, now: int) -> None:
        """All of a transaction holds."""
        for key in self._folded:
            waiting = self._waiting.pop(key)
            self._know(waiting.player, key, waiting.game.version)
        for append in self._taken:
            if append.event is not None:
                self._add(append.header.player.key, append.header.key, self._last, now, append.event)
        for header, version in self._wrote:
            self._know(header.player.key, header.key, version)
        for player in self._doubted:
            self._known.pop(player, None)
        if self._all_doubted:
            self._known.clear()
        self.undone()

    def undone(self) -> None:
        """The transaction does not hold."""
        self._taken.clear()
        self._folded.clear()
        self._wrote.clear()
        self._doubted.clear()
        self._all_doubted = False

    def forget(self) -> None:
        """What was committed is not certain: it is read again before anything is written."""
        self._is_read = not self._is_held  # first: the loop, asking whether moves wait, is not to find that none do
        self.undone()
        self._waiting.clear()
        self._known.clear()

    def _leave_out(self, key: int, player: int) -> None:
        """What waits of a game does not fit its row: nothing that follows it may be taken."""
        log.error("the last moves of game number %d do not fit its row, and are left out", key)
        self._doubted.add(player)
        if any(append.header.key == key for append in self._taken):
            raise Misfit(VersionConflict())

    def _version(self, header: Header) -> int | None:
        """The version a game stands at, where that is known without looking."""
        waiting = self._waiting.get(header.key)
        if waiting is not None:
            return waiting.game.version
        versions = self._known.get(header.player.key)
        return None if versions is None else versions.get(header.key)

    def _know(self, player: int, key: int, version: int) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        versions = self._known.setdefault(player, {})
        if len(versions) >= MOST_GAMES_KNOWN:
            versions.clear()
        versions[key] = version

    def _add(self, player: int, key: int, batch: int, since: int, event: Event) -> None:
        waiting = self._waiting.get(key)
        if waiting is None:
            waiting = self._waiting[key] = Waiting(player, batch, since, event.game.version - 1, event.game, [])
        waiting.game = event.game
        waiting.rows.append(event_row(key, event))

    def _remove_folded(self, connection: Connection) -> None:
        """Remove batches of which no move waits: those before the first that one still does."""
        waiting = (waiting.batch for key, waiting in self._waiting.items() if key not in self._folded)
        first = next(waiting, self._last if self._taken else self._last + 1)
        if first - self._kept_from >= ROWS_A_STEP or len(self._folded) == len(self._waiting):
            execute(connection, "DELETE FROM batch WHERE number < ?", [(first,)])
            self._kept_from = first


def _write(connection: Connection, key: int, waiting: Waiting) -> bool:
    """Whether the moves follow the game's own row, and so are written."""
    if execute(connection, _FOLD_STATE, [(*hot_of(waiting.game), key, waiting.before)]) != 1:
        return False
    execute(connection, _FOLD_LOG, waiting.rows)
    return True
