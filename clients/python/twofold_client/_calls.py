"""The operations on players, rules, dailies and rankings as data: what is asked, and how its answer is read."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from twofold.board import Direction
from twofold.rules import Mode
from twofold_client import values
from twofold_client._call import MOST, Call, Rows, Way, a, following, get, post, rows_of, said
from twofold_client._reading import field, read
from twofold_client.advice import Hint
from twofold_client.standings import Comparison, Daily, Page, Ranking, Records, Result

Item = TypeVar("Item")
Order = Literal["score", "max_tile", "moves", "time"]
Period = Literal["day", "week", "month", "all"]

# Players: on these the service takes no key.


def create_player(name: str | None = None, *, bot: bool = False) -> Call[values.NewPlayer]:
    """A new player, no account needed; the token is told only now. A program says that it is a `bot`, for good."""
    return post("createPlayer", "/v1/players", a(values.NewPlayer), said(name=name, bot=bot or None))


def me() -> Call[values.Player]:
    """Who you are."""
    return get("getMe", "/v1/players/me", a(values.Player))


def rename(name: str | None) -> Call[values.Player]:
    """Take another name, or none."""
    return post("renameMe", "/v1/players/me", a(values.Player), {"name": name}, method="PATCH", idempotent=True)


def delete_me() -> Call[None]:
    """You and all your games are gone, at once and for good."""
    return post("deleteMe", "/v1/players/me", lambda _: None, method="DELETE")


def create_token(others: bool = False) -> Call[str]:
    """A new token; yours goes on until the new one is used, at most a minute. `others` ends all other devices'."""
    return post("createToken", "/v1/players/me/token", lambda told: field(told, "token", str), {"others": others})


def create_link() -> Call[values.Link]:
    """A one-time code that makes another device yours, for ten minutes; an earlier one ends."""
    return post("createLink", "/v1/players/me/link", a(values.Link), idempotent=True)


def use_link(code: str) -> Call[values.NewPlayer]:
    """Become the player who made the code."""
    return post("useLink", "/v1/players/link", a(values.NewPlayer), {"code": code})


def records() -> Call[Records]:
    """Your bests and sums, by category and in total."""
    return get("getRecords", "/v1/players/me/records", a(Records))


# The rules alone.


def modes() -> Call[tuple[Mode, ...]]:
    """The modes and the options each leaves open; the first option is the default."""
    return get("listModes", "/v1/modes", lambda told: field(told, "items", tuple[Mode, ...]))


def slides(board: Rows, direction: Way) -> Call[values.Slid]:
    """What a direction does to a board, before the spawn."""
    return post("computeSlides", "/v1/slides", a(values.Slid), _push(board, direction), idempotent=True)


def many_slides(boards: Iterable[tuple[Rows, Way]]) -> Call[tuple[values.Slid, ...]]:
    """The same for up to 256 boards at once."""
    asked = [_push(board, direction) for board, direction in boards]
    return post("computeSlides", "/v1/slides", _tuple_of(values.Slid), asked, idempotent=True)


def hint(board: Rows, depth: int = 2) -> Call[Hint]:
    """What each direction of a board is worth to the service's solver, which looks 1 to 4 moves ahead."""
    return post("getHint", "/v1/hints", a(Hint), {"board": rows_of(board), "depth": depth}, idempotent=True)


def _push(board: Rows, direction: Way) -> dict[str, Any]:
    return {"board": rows_of(board), "direction": Direction(direction).value}


# The daily puzzle, rankings, and the service itself.


def today() -> Call[Daily]:
    """The puzzle of the UTC date now."""
    return get("getToday", "/v1/daily", a(Daily))


def daily(date: str) -> Call[Daily]:
    """The puzzle of a UTC date (YYYY-MM-DD), up to a week ahead."""
    return get("getDaily", "/v1/daily/{date}", a(Daily), date=date)


def results(
    date: str,
    order: Order = "score",
    attempt: Literal["first", "best"] = "first",
    *,
    assisted: bool = False,
    bots: bool = False,
    limit: int = MOST,
    cursor: str | None = None,
) -> Call[Page[Result]]:
    """Who played a date how well, people or `bots`; the first page also says where you stand.

    With `assisted`, games with hints stand among the others.
    """
    asked = {"order": order, "attempt": attempt, **_which(assisted, bots), "limit": limit, "cursor": cursor}

    def further(cursor: str) -> Call[Page[Result]]:
        return results(date, order, attempt, assisted=assisted, bots=bots, limit=limit, cursor=cursor)

    return get("getResults", "/v1/daily/{date}/results", _ranking(further), asked, date=date)


def compare(date: str, *games: str) -> Call[Comparison]:
    """Two to four games of a date, move by move."""
    asked = {"games": ",".join(games)}
    return get("compareGames", "/v1/daily/{date}/compare", a(Comparison), asked, date=date)


def leaderboard(
    mode: str = "classic",
    *,
    size: int | None = None,
    undo_limit: int | None = None,
    period: Period = "all",
    assisted: bool = False,
    bots: bool = False,
    limit: int = MOST,
    cursor: str | None = None,
) -> Call[Page[Result]]:
    """The best finished game of each player in a category, of the UTC day, ISO week or month that lasts, or of all.

    People's, or those of `bots`. With `assisted`, games with hints stand among the others.
    """
    category = {"mode": mode, "size": size, "undo_limit": undo_limit, "period": period}
    asked = {**category, **_which(assisted, bots), "limit": limit, "cursor": cursor}

    def further(cursor: str) -> Call[Page[Result]]:
        which = {"assisted": assisted, "bots": bots}
        return leaderboard(mode, size=size, undo_limit=undo_limit, period=period, **which, limit=limit, cursor=cursor)

    return get("getLeaderboard", "/v1/leaderboards", _ranking(further), asked)


def health() -> Call[str]:
    """Whether the process is alive."""
    return get("getHealth", "/healthz", lambda told: field(told, "status", str))


def readiness() -> Call[str]:
    """Whether the service takes requests."""
    return get("getReadiness", "/readyz", lambda told: field(told, "status", str))


def metrics() -> Call[str]:
    """Prometheus metrics, for those who may read them."""
    return get("getMetrics", "/metrics", lambda text: bytes(text).decode(), media="text/plain")


def _which(assisted: bool, bots: bool) -> dict[str, str | None]:
    """What is not asked for is not said, so that services of earlier releases need not know of it."""
    return {"assisted": "true" if assisted else None, "bots": "true" if bots else None}


def _ranking(further: Callable[[str], Call[Page[Result]]]) -> Callable[[Any], Page[Result]]:
    def take(told: Any) -> Page[Result]:
        bare = read(Ranking, told)
        return Page(bare.items, following(told, further), bare.order, bare.as_of, bare.me)

    return take


def _tuple_of(kind: type[Item]) -> Callable[[Any], tuple[Item, ...]]:
    return lambda told: tuple([read(kind, item, place) for place, item in enumerate(read(list, told))])
