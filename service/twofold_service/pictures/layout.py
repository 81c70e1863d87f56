"""What a picture shows, and where: the same arithmetic for every format."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

DIGIT = 0.6
"""How wide a digit is at most, in font sizes; text that needs more room is squeezed."""


class Scene(NamedTuple):
    """A position as pictures show it; a cell is 0 or the exponent of its tile."""

    mode: str
    date: str | None
    size: int
    cells: bytes
    score: int
    moves: int


class Text(NamedTuple):
    """A line of text from a point on its baseline."""

    content: str
    x: int
    y: int
    height: float
    anchor: Literal["start", "middle"]

    @property
    def width(self) -> float:
        """What is kept free for it."""
        return len(self.content) * DIGIT * self.height


class Box(NamedTuple):
    x: int
    y: int
    width: int
    height: int
    radius: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board of `size` × `size` cells, about `side` pixels wide, under a heading."""

    size: int
    side: int

    @property
    def gap(self) -> int:
        return self.side // (10 * self.size)

    @property
    def tile(self) -> int:
        return (self.side - (self.size + 1) * self.gap) // self.size

    @property
    def board(self) -> Box:
        side = self.size * self.tile + (self.size + 1) * self.gap
        return Box(self._part(40), self._part(194), side, side, self._part(12))

    @property
    def width(self) -> int:
        return self.board.width + 2 * self.board.x

    @property
    def height(self) -> int:
        return self.board.y + self.board.height + self.board.x

    @property
    def plate(self) -> Box:
        """Where the score stands."""
        width = self._part(300)
        return Box(self.width - self.board.x - width, self.board.x, width, self._part(130), self._part(12))

    def cell(self, index: int) -> Box:
        row, column = divmod(index, self.size)
        step, edge = self.tile + self.gap, self.gap
        radius = max(2, round(self.tile * 0.04))
        return Box(self.board.x + edge + column * step, self.board.y + edge + row * step, self.tile, self.tile, radius)

    def number(self, exponent: int, box: Box) -> Text:
        """A tile's digits in its middle, as large as they fit."""
        digits = str(1 << exponent)
        return _middle(digits, box, self.tile * (0.5 if len(digits) < 3 else 0.44))

    @property
    def details_box(self) -> Box:
        """What the line under the title may take."""
        return Box(self.board.x, self._part(128), self._room, self._part(54), 0)

    @property
    def score_box(self) -> Box:
        """What the score may take of its plate."""
        plate, upper, lower = self.plate, self._part(46), self.plate.radius
        return Box(plate.x, plate.y + upper, plate.width, plate.height - upper - lower, 0)

    def title(self, scene: Scene) -> Text:
        return _line(title(scene), self.board.x, self._part(104), self._part(84), self._room)

    def details(self, scene: Scene) -> Text:
        return _line(details(scene), self.board.x, self._part(166), self._part(38), self._room)

    def score_label(self) -> Text:
        middle = self.plate.x + self.plate.width // 2
        return Text("SCORE", middle, self.plate.y + self._part(42), self._part(28), "middle")

    def score(self, scene: Scene) -> Text:
        return _middle(str(scene.score), self.score_box, self._part(62))

    @property
    def _room(self) -> int:
        """How long a line beside the score may be."""
        return self.plate.x - self.board.x - self._part(20)

    def _part(self, thousandths: int) -> int:
        return round(self.side * thousandths / 1000)


def title(scene: Scene) -> str:
    return _TITLES.get(scene.mode) or scene.mode.capitalize()


def details(scene: Scene) -> str:
    parts = [f"{scene.size} by {scene.size}", f"{scene.moves} move{'s' * (scene.moves != 1)}"]
    return " · ".join(parts if scene.date is None else [scene.date, parts[1]])


def _middle(digits: str, box: Box, largest: float) -> Text:
    part = 0.8 if len(digits) <= 6 else 0.9
    height = min(largest, box.width * part / (DIGIT * len(digits)))
    return Text(digits, box.x + box.width // 2, box.y + round(box.height / 2 + height * 0.36), height, "middle")


def _line(content: str, x: int, y: int, largest: float, room: int) -> Text:
    return Text(content, x, y, min(largest, room / (DIGIT * len(content))), "start")


_TITLES = {"moves100": "100 moves"}
