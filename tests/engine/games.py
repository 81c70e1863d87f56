"""Games that were played, for the tests of their records; between them they hold every kind of event."""

from tests.engine.table import LEFT, Table
from twofold.game import Cause


def classic() -> Table:
    """Undone, paused, fallen idle and abandoned."""
    table = Table("classic").wait(1_500).play(4).wait(700).undo().play(2).pause().wait(9_000).resume()
    return table.play(3).wait(12.5).pause(Cause.OUTAGE).resume().wait(300_000).resume().abandon()


def sprint() -> Table:
    """Played until time was up, its last move taken back after that."""
    table = Table("sprint").wait(2_000).start().wait(1_500).play(5).pause(Cause.DISCONNECT).wait(70_000).resume()
    return table.wait(60_000).play(5).wait(60_000).undo()


def moves100() -> Table:
    """Ended by its limit, revived, ended again."""
    return Table("moves100").play(99).wait(10).play(1).wait(4_000).undo().play(1)


def daily() -> Table:
    return Table("daily").play(20).abandon(Cause.REVEAL)


def practice() -> Table:
    """On a given board: won, played on, and stuck at last."""
    table = Table("practice", given=[[1024, 1024, 0], [4, 8, 2], [2, 4, 8]]).wait(5).move(LEFT).wait(5)
    return table.go_on().play_out()


def undone() -> Table:
    """Taken back far beyond the positions that a game holds."""
    return Table("practice").play(20).wait(80).undo(15).play(3)


def waiting() -> Table:
    """Not even started."""
    return Table("break")


def under_way() -> Table:
    return Table("classic").wait(900).play(10)


PLAYED = {game.__name__: game for game in (classic, sprint, moves100, daily, practice, undone, waiting, under_way)}
