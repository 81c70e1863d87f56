"""`python -m twofold verify FILE…`: records proved with the rule book alone, without the extras."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from twofold.errors import InvalidRecord
from twofold.parse import LIMIT_BYTES, parse
from twofold.verify import Verdict, verify


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 if all files are valid records, 1 if not, 2 for usage."""
    parser = ArgumentParser("twofold", description="The rule book of 2048.")
    commands = parser.add_subparsers(dest="command", required=True)
    files = commands.add_parser("verify", help="play records again and check every figure")
    files.add_argument("files", nargs="+", metavar="FILE", help="a record, - for standard input")
    all_valid = True
    for name in parser.parse_args(arguments).files:
        valid, told = prove(name)
        print(f"{_printable(name)}: {told}")
        all_valid = all_valid and valid
    return 0 if all_valid else 1


def prove(name: str) -> tuple[bool, str]:
    """Whether a file is a valid record, and what to say of it in one line."""
    try:
        verdict = verify(parse(_content(name)))
    except OSError as error:
        return False, f"cannot be read: {error.strerror}"
    except InvalidRecord as error:
        return False, f"not a record: {error}"
    return verdict.valid, _told(verdict)


def _content(name: str) -> bytes:
    """The file, or as much of it as shows that it is too long."""
    if name == "-":
        return sys.stdin.buffer.read(LIMIT_BYTES + 1)
    with open(name, "rb") as file:
        return file.read(LIMIT_BYTES + 1)


def _told(verdict: Verdict) -> str:
    if not verdict.valid:
        return f"INVALID: {'; '.join(map(str, verdict.findings))}"
    points, moves = verdict.result["score"], verdict.result["moves"]
    return f"valid, proof {verdict.proof}, {_counted(points, 'point')} in {_counted(moves, 'move')}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _printable(name: str) -> str:
    """A file's name where it has bytes that are no text."""
    return name.encode(errors="backslashreplace").decode()


if __name__ == "__main__":
    sys.exit(main())
