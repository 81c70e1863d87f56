import assert from "node:assert/strict";
import { test } from "node:test";

import { compare } from "../src/compare.js";
import { digest } from "../src/canonical.js";
import { InvalidRecord, NotComparable } from "../src/errors.js";
import { parseRecord } from "../src/parse.js";
import { replay } from "../src/replay.js";
import { verify } from "../src/verify.js";
import { vectors } from "./vectors.js";

const lines = vectors("verdicts");
const records = new Map(lines.flatMap((line) => (line.name ? [[line.name, line.record]] : [])));

/** The document that a line tells of. */
function source(line) {
  if (!line.of) return line.text ?? line.record;
  const document = structuredClone(records.get(line.of));
  const part = line.place.slice(0, -1).reduce((whole, key) => whole[key], document);
  const last = line.place.at(-1);
  if (!line.missing) part[last] = line.value;
  else if (Array.isArray(part)) part.splice(last, 1);
  else delete part[last];
  if (line.sealed) document.digest = digest(document);
  return document;
}

/** What is found in a record, or where and why it is refused. */
function verdictOf(record) {
  try {
    return { verdict: verify(record) };
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    return { refused: { place: error.place, reason: error.reason } };
  }
}

/** Parsers of JSON put it differently. */
const plain = ({ verdict, refused }) => {
  const reason = refused?.reason.replace(/^(not JSON|not UTF-8).*/s, "$1");
  return { verdict, refused: refused && { ...refused, reason } };
};

test("every record is judged as by the rule book in Python", () => {
  const judged = lines.filter((line) => !line.compare);
  for (const line of judged) {
    const expected = plain({ verdict: line.verdict, refused: line.refused });

    assert.deepEqual(
      plain({ verdict: undefined, refused: undefined, ...verdictOf(source(line)) }),
      expected,
      JSON.stringify(line),
    );
  }
  assert.ok(judged.length > 400);
});

test("a record is the same as a document, as text and as bytes", () => {
  for (const [name, record] of records) {
    const text = JSON.stringify(record);

    assert.ok(verify(record).valid, name);
    assert.deepEqual(verify(text), verify(record));
    assert.deepEqual(verify(new TextEncoder().encode(text)), verify(record));
    assert.equal(JSON.stringify(parseRecord(text)), text);
  }
});

test("games are compared as by the rule book in Python", () => {
  const compared = lines.filter((line) => line.compare);
  for (const line of compared) {
    if (line.refused) assert.throws(() => compare(line.compare), new NotComparable(line.refused));
    else assert.deepEqual(compare(line.compare), line.comparison);
  }
  assert.ok(compared.some((line) => line.refused) && compared.some((line) => line.comparison?.fork));
});

test("a replay tells each event of the record and ends where it ended", () => {
  for (const record of records.values()) {
    const events = [...replay(record)];
    const { board, score, max_tile, moves, status, outcome, reached_goal } = events.at(-1);
    const last = { score, max_tile, moves, status, outcome, reached_goal, board };

    assert.deepEqual(
      events.map((event) => event.type),
      ["created", ...record.events.map(([type]) => type)],
    );
    assert.deepEqual(
      events.map((event) => event.version),
      events.map((_, index) => index + 1),
    );
    assert.deepEqual({ ...record.result, ...last }, record.result);
  }
});

test("what is no UTF-8, too long or too deep is no record", () => {
  for (const source of ["\ud800", new Uint8Array([0xff]), " ".repeat(8 * 2 ** 20 + 1), "[".repeat(10 ** 6)]) {
    assert.throws(() => parseRecord(source), { name: "InvalidRecord", code: "invalid_record", place: [] });
  }
});
