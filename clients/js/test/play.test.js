/** Games played and watched over a running service. */

import assert from "node:assert/strict";
import test from "node:test";

import { connect, items, shift, verify } from "../src/node.js";
import { Serving } from "./serving.js";

const serving = await Serving.begun(test);
const SEED = "22710ba2a14dbfbfb15b97b163ff44af52fd2fee647e3703b24fe9dc46ad0690";
const ONE_BEFORE_THE_GOAL = [
  [1024, 1024, 8, 2],
  [16, 4, 2, 0],
  [2, 0, 0, 0],
  [0, 0, 0, 0],
];

/** A new player, gone after the test. */
async function joined(t, options) {
  const client = connect(serving.url, options);
  t.after(() => client.close());
  await client.join("Ada");
  return client;
}

/** A game with a known start, watched. */
async function practice(client, options = {}) {
  const game = client.game(await client.rest.createGame({ mode: "practice", seed: SEED, ...options }));
  await game.watch();
  return game;
}

/** What is gathered from an async iterator. */
async function all(events) {
  const gathered = [];
  for await (const event of events) gathered.push(event);
  return gathered;
}

test("a move is what the rules say it is, and its spawn comes on top", async (t) => {
  const game = await practice(await joined(t));
  const [way] = game.state.legal_moves;
  const expected = shift(game.state.board, way);

  const event = await game.move(way);

  assert.deepEqual(event.slides, expected.slides);
  assert.equal(event.score_delta, expected.score_delta);
  const { cell, value } = event.spawn;
  assert.equal(event.board.flat()[cell], value);
  assert.equal(game.state.version, 2);
});

test("a move that changes nothing is answered with null", async (t) => {
  const game = await practice(await joined(t), {
    board: [
      [2, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  });

  assert.equal(await game.move("left"), null);
  assert.equal(game.version, 1);
});

test("after each event the state is what the service says", async (t) => {
  const client = await joined(t);
  const game = await client.newGame("sprint");
  await game.watch();
  const commands = [
    "start",
    "move",
    "pause",
    "resume",
    "move",
    "undo",
    "move",
    "pause",
    "resume",
    "pause",
    "resume",
    "pause",
  ];
  for (const command of [...commands, "resume", "abandon"]) {
    await game[command](...(command === "move" ? [game.state.legal_moves[0]] : []));
    const { clock: told, ...expected } = await client.rest.getGame(game.id);
    const { clock, ...state } = game.state;

    assert.deepEqual(state, expected, command);
    assert.equal(clock.running, told.running);
  }
  assert.equal(game.state.ranked, false);
});

test("so it is after an end that is undone", async (t) => {
  const client = await joined(t);
  const board = [
    [2, 4, 8],
    [16, 32, 64],
    [128, 128, 4],
  ];
  const game = await practice(client, { board });
  while (game.state.status === "running") await game.move(game.state.legal_moves[0]);
  const ended = await client.rest.getGame(game.id);
  assert.deepEqual({ ...game.state, clock: ended.clock }, ended);
  assert.equal(game.state.outcome, "no_moves");

  await game.undo();

  const revived = await client.rest.getGame(game.id);
  assert.deepEqual({ ...game.state, clock: revived.clock }, revived);
  assert.equal(revived.ended_at, null);
  await game.abandon();
  const finished = await client.rest.getGame(game.id);
  assert.deepEqual({ ...game.state, clock: finished.clock }, finished);
});

test("undos that are given up change no end", async (t) => {
  const client = await joined(t);
  const game = await client.newGame("moves100");
  while (game.state.status === "running") await game.move(game.state.legal_moves[0]);
  const { ended_at, elapsed_ms } = game.state;

  await game.abandon();

  const finished = await client.rest.getGame(game.id);
  assert.deepEqual({ ...game.state, clock: finished.clock }, finished);
  assert.deepEqual([finished.ended_at, finished.elapsed_ms, finished.final], [ended_at, elapsed_ms, true]);
});

test("a won game waits for continue, and an undo revives one that is over", async (t) => {
  const game = await practice(await joined(t), { board: ONE_BEFORE_THE_GOAL });

  assert.equal((await game.move("left")).status, "won");
  await assert.rejects(game.move("left"), {
    name: "ServiceError",
    code: "awaiting_continue",
    status: 409,
    retryable: false,
  });
  assert.equal((await game.continue()).status, "running");
  await game.undo();
  assert.deepEqual(game.state.board, ONE_BEFORE_THE_GOAL);
});

test("commands go one by one in their order, and can be read until they have gone", async (t) => {
  const game = await practice(await joined(t));
  const seen = [];
  game.on("queue", (queue) => seen.push(queue.map(({ direction, sent }) => direction[0] + (sent ? "!" : ""))));

  const moves = ["left", "down", "right", "up"].map((way) => game.move(way));
  assert.deepEqual(
    game.queue.map(({ op, direction, sent }) => [op, direction, sent]),
    [
      ["move", "left", true],
      ["move", "down", false],
      ["move", "right", false],
      ["move", "up", false],
    ],
  );
  const events = (await Promise.all(moves)).filter((event) => event);

  assert.deepEqual(
    events.map(({ version }) => version),
    events.map((_, index) => index + 2),
  );
  assert.ok(seen.every((queue) => queue.filter((one) => one.endsWith("!")).length <= 1));
  assert.deepEqual(seen.at(-1), []);
});

test("twenty alternating moves at once end on the service's board", async (t) => {
  const client = await joined(t);
  const game = await practice(client);

  await Promise.all(Array.from({ length: 20 }, (_, index) => game.move(index % 2 ? "left" : "down")));

  assert.deepEqual(game.state.board, (await client.rest.getGame(game.id)).board);
});

test("what waits can be cleared, and is not done", async (t) => {
  const game = await practice(await joined(t));
  const first = game.move(game.state.legal_moves[0]);
  const others = [game.undo(), game.undo()];

  game.clear();

  for (const other of others) await assert.rejects(other, { name: "Cleared", code: "cleared" });
  assert.equal((await first).version, 2);
  assert.deepEqual(game.queue, []);
});

test("a refusal clears what waits behind it", async (t) => {
  const game = await practice(await joined(t));
  const refused = game.resume();
  const behind = game.move("left");

  await assert.rejects(refused, { code: "not_paused" });
  await assert.rejects(behind, { code: "cleared" });
  assert.equal(game.version, 1);
});

test("a win, a pause and an end clear the moves that wait", async (t) => {
  const client = await joined(t);
  for (const stop of ["win", "pause", "abandon"]) {
    const game = await practice(client, { board: ONE_BEFORE_THE_GOAL });
    const stopped = stop === "win" ? game.move("left") : game[stop]();
    const behind = [game.move("down"), game.move("up")];

    for (const move of behind) await assert.rejects(move, { code: "cleared" }, stop);
    assert.equal((await stopped).version, 2);
  }
});

test("a command for another version is refused and shows how the game stands", async (t) => {
  const client = await joined(t);
  const game = client.game(await client.rest.createGame({ mode: "practice", seed: SEED }));
  const elsewhere = await client.rest.move(game.id, game.state.legal_moves[0]);

  await assert.rejects(game.move("left"), (error) => error.code === "stale_version" && error.game.version === 2);
  assert.deepEqual(game.state.board, elsewhere.game.board);
});

test("a key makes a command one that is done once", async (t) => {
  const client = await joined(t);
  const game = await practice(client);
  const [way] = game.state.legal_moves;
  const told = { key: "once", version: 1 };

  const events = [
    await game.move(way, told),
    await game.move(way, told),
    (await client.rest.move(game.id, way, told)).event,
  ];

  assert.deepEqual(events, [events[0], events[0], events[0]]);
  assert.equal((await client.rest.getGame(game.id)).version, 2);
});

test("all events are told to callbacks and loops, once and in order", async (t) => {
  const client = await joined(t);
  const watcher = connect(serving.url);
  t.after(() => watcher.close());
  const game = await practice(client);
  const watched = watcher.game(game.id);
  await watched.watch();
  const [called, states] = [[], []];
  watched.on("event", (event) => called.push(event));
  watched.on("state", (state, event) => states.push([state.version, event?.version]));
  const [looped, log] = [all(watched), all(watched.events(0))];

  for (let move = 0; move < 30; move++) await game.move(game.state.legal_moves[0]);
  await game.abandon();

  assert.equal(watched.role, "spectator");
  assert.equal(game.role, "player");
  assert.deepEqual(
    (await log).map(({ version }) => version),
    Array.from({ length: 32 }, (_, index) => index + 1),
  );
  assert.deepEqual(await looped, (await log).slice(1));
  assert.deepEqual(called, await looped);
  assert.deepEqual(
    states,
    called.map(({ version }) => [version, version]),
  );
  assert.deepEqual(await all(game), called);
});

test("a loop that is slow reads on from the log", async (t) => {
  const client = await joined(t);
  const game = await practice(client, { size: 8 });
  for (let move = 0; move < 300; move++) await game.move(game.state.legal_moves[0]);
  await game.abandon();

  const versions = (await all(game.events(0))).map(({ version }) => version);

  assert.deepEqual(
    versions,
    Array.from({ length: 302 }, (_, index) => index + 1),
  );
});

test("a callback can be taken off again", async (t) => {
  const game = await practice(await joined(t));
  let calls = 0;
  const off = game.on("event", () => calls++);
  await game.move(game.state.legal_moves[0]);
  off();

  await game.undo();

  assert.equal(calls, 1);
});

test("the same game is the same value, whoever asks for it", async (t) => {
  const client = await joined(t);
  const game = await practice(client);

  assert.equal(client.game(game.id), game);
  assert.equal(client.game(game.state), game);
});

test("time that runs is told by the service's clock", async (t) => {
  const client = await joined(t);
  const game = await client.newGame("sprint");
  assert.deepEqual([game.clock.activeMs(), game.clock.remainingMs()], [0, 120_000]);
  await game.watch();
  await game.start();
  const before = game.clock.activeMs();
  await client.rest.getHealth();

  const [active, left] = [game.clock.activeMs(), game.clock.remainingMs()];
  const told = (await game.pause()).clock;

  // The estimate is as good as the way to the service is quick.
  assert.ok(active <= told.active_ms + 500 && active >= before - 500, `${before} ${active} ${told.active_ms}`);
  assert.ok(Math.abs(active + left - 120_000) < 1);
  assert.ok(Math.abs(client.live.offset) < 1000);
  assert.equal(game.clock.activeMs(), told.active_ms);
});

test("a deleted player's games are gone for those who watch", async (t) => {
  const client = await joined(t);
  const watcher = connect(serving.url);
  t.after(() => watcher.close());
  const watched = watcher.game((await practice(client)).id);
  await watched.watch();
  const gone = new Promise((resolve) => watched.on("gone", resolve));
  const loop = assert.rejects(all(watched), { name: "GameGone" });

  await client.rest.deleteMe();

  assert.equal((await gone).code, "gone");
  await loop;
  await assert.rejects(watched.move("left"), { code: "gone" });
});

test("a bad token closes the connection for good, and says so", async (t) => {
  const client = connect(serving.url, { token: "tf_nobody" });
  t.after(() => client.close());
  const states = [];
  client.live.on("status", ({ state, reason }) => states.push([state, reason?.code]));

  await assert.rejects(client.live.open(), { code: "unauthorized", retryable: false });

  assert.deepEqual(states, [
    ["connecting", undefined],
    ["closed", "unauthorized"],
  ]);
});

test("another token is taken without an end to the games", async (t) => {
  const client = await joined(t);
  const game = await practice(client);

  await client.changeToken({ others: true });

  assert.equal((await game.move(game.state.legal_moves[0])).version, 2);
  assert.equal((await client.rest.getMe()).name, "Ada");
});

test("another device becomes the same player by a code", async (t) => {
  const client = await joined(t);
  const other = connect(serving.url);

  const player = await other.useLink((await client.rest.createLink()).code);

  assert.deepEqual(player, client.player);
  assert.notEqual(other.token, client.token);
});

test("lists come page by page", async (t) => {
  const client = await joined(t);
  const made = [];
  for (let number = 0; number < 5; number++) made.push((await client.newGame("classic")).id);

  const listed = await all(items((cursor) => client.rest.listGames({ limit: 2, cursor })));

  assert.deepEqual(
    listed.map(({ id }) => id),
    made.toReversed(),
  );
});

test("an export proves itself, here and there", async (t) => {
  const client = await joined(t);
  const game = await client.newGame("classic", { size: 5 });
  await game.move(game.state.legal_moves[0]);
  await game.abandon();
  const record = await client.rest.exportGame(game.id);

  const { valid, proof, findings, result } = await client.rest.verifyRecord(record);

  assert.deepEqual(verify(record), { valid, proof, findings, result });
  assert.deepEqual([valid, proof], [true, "seed"]);
});
