/** A player, a watcher and one who begins games, while the service is killed, stopped and started again under them. */

import assert from "node:assert/strict";
import test from "node:test";

import { connect, items, verify } from "../src/node.js";
import { Serving } from "./serving.js";

const ENDS = ["SIGKILL", "SIGTERM", "SIGKILL"];
const PATIENT = { retry: { first: 20, longest: 200, deadline: 120_000 } };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What everybody saw, and what the service has kept. */
async function livedThrough(serving) {
  const [player, watcher] = [connect(serving.url, PATIENT), connect(serving.url, PATIENT)];
  const states = [];
  player.live.on("status", ({ state, draining }) => states.push(draining ? "draining" : state));
  await player.join();
  const game = await player.newGame("practice", { size: 8 });
  await game.watch();
  game.resumes = true;
  const told = [];
  const watching = (async () => {
    for await (const event of watcher.game(game.id).events(0)) told.push(event);
  })();
  let over = false;
  const answered = [];
  const playing = (async () => {
    while (!over) {
      const events = await Promise.all(game.state.legal_moves.slice(0, 2).map((way) => game.move(way)));
      answered.push(...events.filter((event) => event));
    }
  })();
  const made = [game.id];
  const making = (async () => {
    while (!over) {
      made.push((await player.rest.createGame({ mode: "classic" })).id);
      await sleep(10);
    }
  })();
  for (const end of ENDS) {
    await sleep(400);
    await serving.stop(end);
    await serving.start();
  }
  await sleep(400);
  over = true;
  await Promise.all([playing, making]);
  answered.push(await game.abandon());
  await watching;
  const log = await gathered(watcher.game(game.id).events(0));
  const record = await player.rest.exportGame(game.id);
  const kept = (await gathered(items((cursor) => player.rest.listGames({ cursor, limit: 100 })))).map(({ id }) => id);
  player.close();
  watcher.close();
  return { told, log, answered, record, made, kept, states };
}

async function gathered(values) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

const serving = await Serving.begun(test);
const story = await livedThrough(serving);

test("no event is missed or repeated", () => {
  assert.deepEqual(
    story.told.map(({ version }) => version),
    story.log.map((_, index) => index + 1),
  );
  assert.deepEqual(story.told, story.log);
});

test("the service did restart under a game that went on by itself", () => {
  const { told } = story;
  const pauses = told.filter(({ type }) => type === "pause");

  assert.deepEqual(
    pauses.map(({ cause }) => cause),
    ENDS.map(() => "outage"),
  );
  assert.deepEqual(
    pauses.map(({ version }) => told[version].type),
    ENDS.map(() => "resume"),
  );
  assert.ok(told.at(-1).moves > 20);
});

test("every move was made once and answered, those that met an outage too", () => {
  const ours = story.log.filter(({ type }) => type === "move" || type === "over");

  assert.deepEqual(story.answered, ours);
});

test("every game was begun once", () => {
  assert.deepEqual(story.made.toSorted(), story.kept.toSorted());
  assert.ok(story.made.length > 10);
});

test("the record proves itself", () => {
  assert.ok(verify(story.record).valid);
});

test("the connection said what became of it", () => {
  assert.ok(story.states.includes("draining"));
  assert.deepEqual(story.states.filter((state) => state === "open").length, ENDS.length + 1);
  assert.equal(story.states.at(-1), "closed");
});
