"""The command on a terminal of its own, as a person starts it."""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.engine import games
from twofold.parse import parse
from twofold.verify import verify
from twofold_cli import tokens
from twofold_client import Client

WITHIN = 30.0


class Terminal:
    """80 × 24, with a command on it."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        command = [sys.executable, "-m", "twofold_cli", *arguments]
        self._process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.told = ""

    def until(self, text: str) -> None:
        """Read until the text was told."""
        end = time.monotonic() + WITHIN
        while text not in self.told:
            assert time.monotonic() < end and self._read(), f"{text!r} was not told: {self.told[-2000:]!r}"

    def press(self, keys: str) -> None:
        self.send(keys.encode())

    def send(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def ended(self) -> int:
        """Read to the end; the exit status."""
        while self._read():
            pass
        return self._process.wait(WITHIN)

    def terminate(self) -> None:
        self._process.terminate()

    def hang_up(self) -> int:
        """The window is closed; the exit status."""
        os.close(self._master)
        self._master = -1
        return self._process.wait(WITHIN)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._master >= 0:
            os.close(self._master)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], WITHIN)
        try:
            told = os.read(self._master, 1 << 16) if ready else b""
        except OSError:  # the other end is closed
            told = b""
        self.told += told.decode(errors="replace")
        return bool(told)


@pytest.fixture
def terminal(home):
    opened = []

    def open_one(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_a_game_is_played_exported_and_left(terminal):
    game = terminal("play", "--export", "mine.json")
    game.until("Classic 4×4")
    game.press("asdw\x1b[A\x1b[Dq")
    assert game.ended() == 0
    assert "Exported to mine.json" in game.told
    record = parse(Path("mine.json").read_bytes())
    assert verify(record).valid and record.result["moves"] > 0


NO_KEYS = [
    b"\xff",
    b"\xc3(",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\x80" * 500,
    b"\x00\x01\x1c",
    b"\x1b[99999999999999999999999u",
    b"\x1b[:1u",
    b"\x1b[1114112u",
    b"\x1b[200~\xff\x1b[201~",
    bytes(range(128, 256)),
]


@pytest.mark.parametrize("sent", NO_KEYS, ids=repr)
def test_what_is_no_key_ends_no_game(terminal, sent):
    game = terminal("play", "--export", "mine.json")
    game.until("Classic 4×4")

    game.send(sent)
    for key in "asdwasdw":
        game.press(key)
        time.sleep(0.05)
    game.press("q")

    assert game.ended() == 0
    assert "Exported to mine.json" in game.told and "Traceback" not in game.told
    assert parse(Path("mine.json").read_bytes()).result["moves"] > 0


def test_what_is_no_key_ends_no_replay(terminal, write):
    shown = terminal("show", write("game.json", games.daily()))
    shown.until("Daily 4×4")
    shown.send(b"\xff\xfe")
    time.sleep(0.2)
    shown.press("\x1b[F")
    shown.until("The record ends here")
    shown.press("q")
    assert shown.ended() == 0


def test_a_record_is_replayed(terminal, write):
    shown = terminal("show", write("game.json", games.daily()))
    shown.until("Daily 4×4")
    shown.press("\x1b[F")
    shown.until("The record ends here")
    shown.press("q")
    assert shown.ended() == 0


def test_who_is_new_to_a_service_joins_and_is_known_the_next_time(terminal, url):
    told = []
    for _ in range(2):
        game = terminal("play", "--server", url, "--name", "Ada")
        game.until("Classic 4×4")
        game.press("q")
        assert game.ended() == 0
        told.append(game.told)
    assert ["open game goes on" in one for one in told] == [False, True]
    kept = json.loads(tokens.path().read_text())
    assert list(kept) == [url] and kept[url] not in "".join(told)
    with Client(url, kept[url]) as player:
        assert player.me().name == "Ada"
        (kept_game,) = player.games()
    assert all(f"Back to this game: twofold play --server {url} --game {kept_game.id}\r\n" in one for one in told)


def test_a_service_that_is_not_there_is_one_line(terminal):
    game = terminal("play", "--server", "http://127.0.0.1:9")
    assert game.ended() == 3
    waiting, failed = game.told.strip().split("\r\n")
    assert waiting == "http://127.0.0.1:9 does not answer, trying again for 10 seconds …"
    assert failed.startswith("twofold: http://127.0.0.1:9: POST /v1/players: no connection: ")


@pytest.mark.parametrize("verb", ["play", "show"])
def test_who_is_told_to_end_gives_the_terminal_back_as_it_was(terminal, write, verb):
    one = terminal("play") if verb == "play" else terminal("show", write("game.json", games.daily()))
    one.until("4×4")
    one.terminate()
    assert one.ended() == 143
    assert one.told.index("\x1b[?1049h") < one.told.index("\x1b[?1049l")  # the other screen is left again


@pytest.mark.parametrize("file", ["no/such/folder.json", "."])
def test_a_place_where_no_export_can_be_written_is_said_before_the_game(terminal, file):
    game = terminal("play", "--export", file)
    assert game.ended() == 2
    assert game.told == f"twofold: {file}: no file can be written there\r\n"


def test_what_a_service_refuses_is_no_lack_of_an_answer(terminal, url):
    game = terminal("play", "--server", url, "--mode", "practice", "--date", "2001-01-01")
    assert game.ended() == 1
    assert game.told.endswith("twofold: There is no daily puzzle of this date here.\r\n")


@pytest.mark.parametrize("verb", ["play", "show"])
def test_a_closed_window_ends_the_command(terminal, write, verb):
    """Without a controlling terminal, as here, no signal says so."""
    one = terminal("play") if verb == "play" else terminal("show", write("game.json", games.daily()))
    one.until("4×4")
    assert one.hang_up() == 129
