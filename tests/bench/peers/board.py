"""What a player of a peer sees, exponents row by row, and which way to go."""

from twofold.board import legal_moves

SIZE = 4
ORDERS = (("left", "up", "right", "down"), ("up", "left", "right", "down"))


def choose(cells: bytes, count: int) -> str | None:
    """The way a player of Twofold would go as the move of that number (`players.WAYS`); None where the game is over."""
    legal = legal_moves(SIZE, cells)
    for way in ORDERS[count & 1]:
        if way in legal:
            return way
    return None


def cells_in(answer: bytes) -> bytes:
    """The first `cells` in an answer of JSON; ValueError where there are none."""
    at = answer.index(b'"cells":[') + 9
    return bytes(map(int, answer[at : answer.index(b"]", at)].split(b",")))


def number_in(answer: bytes, name: bytes) -> int:
    """The first whole number of that name in an answer of JSON; ValueError where there is none."""
    at = answer.index(b'"%b":' % name) + len(name) + 3
    end = at
    while answer[end : end + 1].isdigit():
        end += 1
    return int(answer[at:end])
