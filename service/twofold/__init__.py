"""The rule book of 2048: boards, modes, the tile stream, the life of a game and records that prove themselves."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("twofold")
except PackageNotFoundError:
    __version__ = "0"
