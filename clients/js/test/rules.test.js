import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";

import { legalMoves, maxTile, shift } from "../src/board.js";
import { hmacSha256, sha256 } from "../src/sha256.js";
import { commitment, dailySeed, draw, drawFrom, spawn, startTiles } from "../src/spawn.js";
import { create, move, Refusal } from "../src/life.js";
import { emptyBoard, withTile } from "../src/board.js";
import { vectors } from "./vectors.js";

test("every push of the original is ours", () => {
  for (const { before, direction, after_before_spawn, score_delta, moved } of vectors("moves")) {
    const { slides, ...pushed } = shift(before, direction);

    assert.deepEqual(pushed, { board: after_before_spawn, moved, score_delta });
    assert.deepEqual(placed(before, slides), after_before_spawn);
    assert.deepEqual(
      slides.map((slide) => slide.from).toSorted((a, b) => a - b),
      slides.map((slide) => slide.from),
    );
  }
});

/** What slides make of a board: tiles that are not told of stand. */
function placed(board, slides) {
  const size = board.length;
  const cells = board.flat();
  for (const { from } of slides) cells[from] = 0;
  for (const { to, value } of slides) cells[to] += value;
  return board.map((_, y) => cells.slice(y * size, y * size + size));
}

test("merges are told by both tiles, a standing one included", () => {
  const { slides } = shift(
    [
      [2, 2, 0],
      [0, 0, 4],
      [0, 0, 0],
    ],
    "left",
  );

  assert.deepEqual(slides, [
    { from: 0, to: 0, value: 2, merged: true },
    { from: 1, to: 0, value: 2, merged: true },
    { from: 5, to: 3, value: 4, merged: false },
  ]);
});

test("a game is over where the original's is", () => {
  for (const { board, legal } of vectors("over")) assert.deepEqual(legalMoves(board), legal.toSorted(inOrder));
});

const ORDER = ["up", "down", "left", "right"];
const inOrder = (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b);

test("the goal is reached where the original's is", () => {
  for (const { size, before, won_before, keep_playing, direction, ignored, won_after } of vectors("win")) {
    const rules = { size, goal: 2048, time_limit_ms: null, move_limit: null, undo_limit: null };
    const { game } = create(rules, "00".repeat(32), before, { start: true, given: false });
    game.position.reachedGoal = won_before;
    if (won_before && !keep_playing) game.status = "won";

    if (ignored) assert.throws(() => move(game, direction, 0, null), Refusal);
    else assert.equal((move(game, direction, 0, null)?.game ?? game).position.reachedGoal, won_after);
  }
});

test("tiles beyond 32 bits merge exactly", () => {
  const [high, higher] = [2 ** 40, 2 ** 52];

  assert.deepEqual(
    shift(
      [
        [high, high, 0],
        [higher, 0, higher],
        [0, 0, 0],
      ],
      "right",
    ),
    {
      board: [
        [0, 0, 2 ** 41],
        [0, 0, 2 ** 53],
        [0, 0, 0],
      ],
      moved: true,
      score_delta: 2 ** 41 + 2 ** 53,
      slides: [
        { from: 0, to: 2, value: high, merged: true },
        { from: 1, to: 2, value: high, merged: true },
        { from: 3, to: 5, value: higher, merged: true },
        { from: 5, to: 5, value: higher, merged: true },
      ],
    },
  );
  assert.equal(maxTile([[2 ** 65, 2]]), 2 ** 65);
});

const kinds = {
  commit: ({ seed, commitment: expected }) => assert.equal(commitment(seed), expected),
  spawn: ({ seed, index, empty, choice, value }) => assert.deepEqual(draw(seed, index, empty), { choice, value }),
  daily: ({ secret, date, seed, commitment: expected }) => {
    assert.equal(dailySeed(secret, date), seed);
    assert.equal(commitment(seed), expected);
  },
  game: ({ seed, size, policy, start, moves, score, board: end, spawn_index, over }) => {
    let board = startTiles(seed, size).reduce(withTile, emptyBoard(size));
    assert.deepEqual(board, start);
    let gained = 0;
    let index = 2;
    for (const letter of moves) {
      const way = policy.find((direction) => shift(board, direction).moved);
      assert.equal(way[0], letter.toLowerCase());
      const pushed = shift(board, way);
      gained += pushed.score_delta;
      board = withTile(pushed.board, spawn(seed, index++, pushed.board));
    }
    assert.deepEqual([board, gained, index, legalMoves(board).length === 0], [end, score, spawn_index, over]);
  },
};

test("the tile stream is the contract's", () => {
  const lines = vectors("spawn");
  for (const line of lines) kinds[line.kind](line);

  assert.deepEqual(new Set(lines.map(({ kind }) => kind)), new Set(Object.keys(kinds)));
});

test("words that would favour a value or a cell are passed over", () => {
  const highest = 2 ** 32 - 1;

  assert.deepEqual(drawFrom([highest, 4294967290, 20, 7].values(), 5), { value: 4, choice: 2 });
  assert.deepEqual(drawFrom([4294967289, highest, 8].values(), 15), { value: 2, choice: 8 });
  assert.deepEqual(drawFrom([1, highest].values(), 16), { value: 2, choice: 15 });
});

test("SHA-256 and HMAC are those of the platform, at every length around a block", () => {
  for (let length = 0; length <= 200; length++) {
    const [bytes, key] = [randomBytes(length), randomBytes(length)];

    assert.deepEqual(Buffer.from(sha256(bytes)), createHash("sha256").update(bytes).digest());
    assert.deepEqual(Buffer.from(hmacSha256(key, bytes)), createHmac("sha256", key).update(bytes).digest());
  }
});
