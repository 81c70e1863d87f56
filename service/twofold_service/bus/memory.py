"""The bus of one process: tells at once, in the same process."""

from collections.abc import Callable

from twofold_service.usecases.values import Player, Told


class MemoryBus:
    """Calls those who listen, in the order they came."""

    def __init__(self) -> None:
        self.on_told: list[Callable[[Told], None]] = []
        self.on_renamed: list[Callable[[Player], None]] = []
        self.on_gone: list[Callable[[int], None]] = []
        self.on_token_ended: list[Callable[[int], None]] = []

    def tell(self, told: Told) -> None:
        for listener in self.on_told:
            listener(told)

    def tell_renamed(self, player: Player) -> None:
        for listener in self.on_renamed:
            listener(player)

    def tell_gone(self, player: int) -> None:
        for listener in self.on_gone:
            listener(player)

    def tell_token_ended(self, token: int) -> None:
        for listener in self.on_token_ended:
            listener(token)
