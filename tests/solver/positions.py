"""Positions to judge, drawn from a seeded generator."""

import random

from twofold.board import legal_moves


def random_position(luck: random.Random, size: int = 4, top: int = 15) -> bytes:
    """Cells with a legal move: few or many tiles, small or large ones, likely in no game."""
    while True:
        highest, filled = luck.randint(1, top), luck.random()
        cells = bytes(luck.randint(1, highest) if luck.random() < filled else 0 for _ in range(size * size))
        if legal_moves(size, cells):
            return cells
