"""The solver at play on given seeds: pure functions for the process beside the event loop, some moves at a time."""

from twofold.board import Direction
from twofold.game import Game, Status, create
from twofold.rules import MODES
from twofold_service.usecases import solving

_RULES = MODES["daily"].rules()


def begun(seed: bytes) -> Game:
    """A daily game of a seed; no time passes in it."""
    return create(_RULES, seed, 0).game


def played_on(games: list[Game], depth: int, most: int) -> list[Game]:
    """The same games after about so many moves of all together, of each that is not over as many; WeightsRefused.

    The solver sees each board before its tile appears, and nothing of the seed.
    """
    games = list(games)
    while most > 0 and (going := [place for place, game in enumerate(games) if not game.over]):
        boards = [games[place].position.cells for place in going]
        for place, advice in zip(going, solving.solver().advise_all(_RULES.size, boards, depth), strict=True):
            games[place] = _moved(games[place], advice.best)
        most -= len(going)
    return games


def _moved(game: Game, way: Direction | None) -> Game:
    event = None if way is None else game.move(way, 0)
    assert event is not None, "a game that is not over has a best move"
    return event.game.go_on(0).game if event.game.status is Status.WON else event.game
