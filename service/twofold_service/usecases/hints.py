"""Hints: what the solver would do, of any board, and of a player's own game, which is `assisted` from then on."""

from twofold.board import cells_of, legal_moves
from twofold.errors import GameOver, InvalidBoard
from twofold_service.errors import Invalid, RuleRefused
from twofold_service.usecases import solving
from twofold_service.usecases.asking import ask
from twofold_service.usecases.lines import Lines
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import Desk, GameStore, Now
from twofold_service.usecases.rooms import Rooms, check_owner
from twofold_service.usecases.values import Command, GameView, Header, Hint, Player


class Hints:
    """Gives hints. What the solver is told is a board: never a seed, nor which spawn comes next."""

    def __init__(self, rooms: Rooms, store: GameStore, play: Play, desk: Desk, now: Now) -> None:
        self._rooms = rooms
        self._store = store
        self._play = play
        self._desk = desk
        self._now = now
        self._lines = Lines("Hints")

    async def of_board(self, rows: list[list[int]], depth: int, address: str) -> Hint:
        """What each direction of a board is worth; Invalid where it is none or none of them changes it."""
        try:
            size, cells = cells_of(rows)
        except InvalidBoard as error:
            raise Invalid(errors=[(("body", "board"), str(error))]) from error
        if not legal_moves(size, cells):
            raise Invalid(errors=[(("body", "board"), "no direction changes this board")])
        return await self._solved(size, cells, depth, address)

    async def of_game(self, game: str, player: Player, depth: int, address: str) -> tuple[GameView, Hint]:
        """The same of a player's own game as it stands, which is kept as assisted before this answers.

        NotFound, Forbidden, GameOver, Busy, SolverUnavailable.
        """
        room = await self._rooms.open(game)
        check_owner(room.header, player)
        view = (await self._play.played(Command("settle", game, self._now()))).view
        if view.game.over:
            raise RuleRefused(GameOver)
        hint = await self._solved(view.game.rules.size, view.game.position.cells, depth, address)
        if not view.header.assisted:
            await self._assist(view.header)
        return view, hint

    async def _solved(self, size: int, cells: bytes, depth: int, address: str) -> Hint:
        async with self._lines.turn(address):
            hint: Hint = await ask(self._desk, address, solving.hint, size, cells, depth)
            return hint

    async def _assist(self, header: Header) -> None:
        """Keep that a hint is given; GameOver where the game has ended meanwhile, here or in another process."""
        async with self._rooms.held(header.id) as room:  # no move is on its way that could end it as unassisted
            try:
                kept = await self._store.mark_assisted(header.key)
            except BaseException:
                self._rooms.forget(room)  # what storage has is not known
                raise
            if not kept:
                self._rooms.forget(room)
                raise RuleRefused(GameOver)
            room.assist()
