"""A game's path as an animated GIF: the path walked again, frames chosen, and each reduced to what it changes."""

import struct
from collections.abc import Iterator
from itertools import pairwise

from PIL import GifImagePlugin, Image, ImageChops

from twofold.board import Direction, max_tile, shift
from twofold.spawn import Spawn
from twofold_service.pictures.layout import Layout, Scene
from twofold_service.pictures.raster import TOUCHED, Painter

MOST_FRAMES = 600
STEP = 3
SHADES = 4
SIDE, DIGIT, LARGEST_CELL = 400, 6, 80
"""Pixels: how wide a board is, unless its longest number needs more for each digit, up to so much a cell."""
SLOWEST, FASTEST, LENGTH, LAST = 400, 70, 30_000, 3_000
"""Milliseconds: how long a frame stands at most and at least, what all of them aim at, and how long the last stands."""
CLEAR = 255
_WAYS = tuple(Direction)


def step(direction: Direction, tile: Spawn) -> bytes:
    """A move and its tile, packed: a path of 20,000 moves takes 60 kB."""
    return bytes((_WAYS.index(direction), tile.cell, tile.value >> 1))


def gif(last: Scene, start: bytes, path: bytes) -> bytes | None:
    """The way from the first cells to the last scene; None where the path does not lead there."""
    scenes = _walked(last, start, path)
    if scenes is None:
        return None
    painter = Painter(Layout(last.size, side(last)), SHADES)
    delay = frame_time(len(scenes))
    picture = painter.begin(scenes[0])
    width, height = picture.size
    frames = [_frame(picture, (0, 0), delay)]
    for number, (before, scene) in enumerate(pairwise(scenes), 2):
        after = painter.go_on(picture, before, scene)
        frames.append(_change(picture, after, LAST if number == len(scenes) else delay))
        picture = after
    return b"".join([_head(width, height, painter.palette()), *frames, b";"])


def chosen(count: int) -> list[int]:
    """Which of so many positions become frames: evenly chosen, first and last among them."""
    if count <= MOST_FRAMES:
        return list(range(count))
    return [number * (count - 1) // (MOST_FRAMES - 1) for number in range(MOST_FRAMES)]


def frame_time(frames: int) -> int:
    """How long each frame but the last stands, in milliseconds; GIF knows hundredths of a second."""
    return min(SLOWEST, max(FASTEST, LENGTH // frames)) // 10 * 10


def side(last: Scene) -> int:
    digits = len(str(max_tile(last.cells)))
    return max(SIDE, last.size * min(LARGEST_CELL, DIGIT * digits))


def _walked(last: Scene, start: bytes, path: bytes) -> list[Scene] | None:
    """The chosen scenes."""
    wanted = set(chosen(len(path) // STEP + 1))
    scenes, scene = [], last
    for scene in _walk(last, start, path):
        if scene.moves in wanted:
            scenes.append(scene)
    return scenes if scene == last and len(scenes) == len(wanted) else None


def _walk(last: Scene, start: bytes, path: bytes) -> Iterator[Scene]:
    """Every scene of the path, as far as it is one."""
    cells, score = start, 0
    yield last._replace(cells=cells, score=0, moves=0)
    for moves, (way, cell, exponent) in enumerate(struct.iter_unpack("3B", path), 1):
        shifted = shift(last.size, cells, _WAYS[way])
        if shifted is None or shifted.cells[cell : cell + 1] != b"\0":
            return
        cells, score = shifted.cells[:cell] + bytes((exponent,)) + shifted.cells[cell + 1 :], score + shifted.gain
        yield last._replace(cells=cells, score=score, moves=moves)


def _head(width: int, height: int, palette: list[int]) -> bytes:
    """What stands before the frames: size, one table of colours for all of them, and to repeat for ever."""
    screen = struct.pack("<6sHHBBB", b"GIF89a", width, height, 0xF7, 0, 0)
    return screen + bytes(palette).ljust(3 * 256, b"\0") + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"


def _frame(picture: Image.Image, place: tuple[int, int], milliseconds: int) -> bytes:
    return b"".join(GifImagePlugin.getdata(picture, place, duration=milliseconds, transparency=CLEAR, disposal=1))


def _change(before: Image.Image, after: Image.Image, milliseconds: int) -> bytes:
    """A frame of what differs, clear where nothing does."""
    differs = ImageChops.difference(before, after).point(TOUCHED)
    left, top, right, bottom = differs.getbbox() or (0, 0, 1, 1)
    box = (left, top, right, bottom)
    change = Image.new("L", (right - left, bottom - top), CLEAR)
    change.paste(after.crop(box), mask=differs.crop(box))
    return _frame(change, (left, top), milliseconds)
