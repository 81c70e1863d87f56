"""A game's record: the document as the service exported it, and its proof, for which no service is needed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twofold import record as rule_book
from twofold.parse import LIMIT_BYTES, parse
from twofold.verify import Verdict
from twofold.verify import verify as prove


@dataclass(frozen=True, slots=True)
class Record:
    """The document, and the rule book's reading of it. Equal documents make equal records."""

    document: Mapping[str, Any]
    parsed: rule_book.Record = field(compare=False, repr=False)

    @classmethod
    def of(cls, source: bytes | str | dict[str, Any]) -> "Record":
        """The record in a JSON text or a document; twofold.errors.InvalidRecord names what is wrong."""
        parsed = parse(source)
        return cls(source if isinstance(source, dict) else json.loads(source), parsed)

    @classmethod
    def load(cls, path: str | Path) -> "Record":
        with Path(path).open("rb") as file:
            return cls.of(file.read(LIMIT_BYTES + 1))

    @property
    def id(self) -> str:
        """The game's id."""
        return self.parsed.header.id

    @property
    def result(self) -> rule_book.Result:
        """What the record says the game came to."""
        return self.parsed.result

    def verify(self) -> Verdict:
        """Play it again and compare every figure; `valid`, `proof`, `findings`, `result`."""
        return prove(self.parsed)

    def to_json(self) -> str:
        return json.dumps(self.document, ensure_ascii=False)

    def save(self, path: str | Path) -> Path:
        path = Path(path)
        path.write_text(self.to_json() + "\n", encoding="utf-8")
        return path


def verify(source: "Record | bytes | str | dict[str, Any] | Path") -> Verdict:
    """Prove a record: a value, a JSON text, a document, or a file's path."""
    if isinstance(source, Path):
        return Record.load(source).verify()
    return (source if isinstance(source, Record) else Record.of(source)).verify()
