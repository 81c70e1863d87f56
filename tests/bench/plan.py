"""How much is measured: the full run and the quick one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """`compared` players for the ways to commit; seconds are those of one measurement."""

    rounds: int = 5
    seconds: float = 2.0
    warm_up: float = 0.5
    players: tuple[int, ...] = (1, 64, 512)
    compared: int = 128
    watchers: int = 500
    told_moves: int = 20
    open_games: int = 5000
    moves_each: int = 10
    idle_sockets: int = 2000
    engine_warm_up: float = 6.0
    peer_warm_up: float = 2.0
    engine_seconds: float = 0.5
    room_repeats: int = 2


FULL = Plan()
QUICK = Plan(
    rounds=1,
    seconds=0.8,
    warm_up=0.3,
    told_moves=10,
    open_games=512,
    idle_sockets=300,
    engine_warm_up=4.0,
    peer_warm_up=1.0,
    engine_seconds=0.3,
    room_repeats=2,
)
