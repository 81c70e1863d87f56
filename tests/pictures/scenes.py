"""Scenes to draw, paths to film, and pictures read again."""

from io import BytesIO

from PIL import Image

from tests.engine.table import Table
from twofold_service.pictures import film
from twofold_service.pictures.layout import Box, Scene

RGB = tuple[int, int, int]


def scene(size: int = 4, cells: bytes | None = None, score: int = 1284, moves: int = 143, **more: str) -> Scene:
    """A scene, by default of the first tiles in order."""
    shown = bytes(range(size * size)) if cells is None else cells
    return Scene(more.get("mode", "classic"), more.get("date"), size, shown, score, moves)


def ladder(size: int, first: int) -> Scene:
    """A full board of tiles in order, none of them greater than such a board can hold."""
    return scene(size, bytes(min(first + step, size * size + 1) for step in range(size * size)))


def filmed(table: Table) -> tuple[Scene, bytes, bytes]:
    """A played game as a film needs it: the last scene, the first cells, and the path."""
    path = b"".join(film.step(event.direction, event.spawn) for event in table.path if event.direction and event.spawn)
    position = table.game.position
    last = scene(table.game.rules.size, position.cells, position.score, position.moves, mode=table.mode)
    return last, table.events[0].game.position.cells, path


def drawn(last: Scene, start: bytes, path: bytes) -> bytes:
    """A film of a path that leads to its last scene."""
    picture = film.gif(last, start, path)
    assert picture is not None
    return picture


def read(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture))


def frames(picture: bytes) -> list[tuple[Image.Image, int]]:
    """Each frame as it is seen, and how long."""
    film_read, seen = read(picture), []
    for number in range(getattr(film_read, "n_frames", 1)):
        film_read.seek(number)
        seen.append((film_read.convert("RGB"), int(film_read.info["duration"])))
    return seen


def colours(picture: Image.Image, box: Box, inset: int = 0) -> set[RGB]:
    """The colours inside a box, so far from its edges."""
    left, top = box.x + inset, box.y + inset
    crop = picture.crop((left, top, left + box.width - 2 * inset, top + box.height - 2 * inset)).convert("RGB")
    found = crop.getcolors(256)
    assert found is not None
    return {shown for _, shown in found if isinstance(shown, tuple)}  # type: ignore[misc]


def rim(picture: Image.Image, box: Box) -> set[RGB]:
    """The colours along a box, just inside it and beside its round corners."""
    near, wide, tall = box.radius, box.width - 2 * box.radius, box.height - 2 * box.radius
    strips = (Box(box.x + near, box.y + 1, wide, 1, 0), Box(box.x + near, box.y + box.height - 2, wide, 1, 0))
    sides = (Box(box.x + 1, box.y + near, 1, tall, 0), Box(box.x + box.width - 2, box.y + near, 1, tall, 0))
    return set[RGB]().union(*(colours(picture, strip) for strip in (*strips, *sides)))
