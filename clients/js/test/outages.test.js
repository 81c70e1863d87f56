/** A pause because the service was away: resumed by itself where that is wished, and no move lost. */

import assert from "node:assert/strict";
import test from "node:test";

import { event, GAME, problem, settled, started, watched } from "./fakes.js";

for (const first of ["refusal", "pause"]) {
  test(`a pause by an outage is resumed, and the move that met it made after it (${first} first)`, async (t) => {
    const { client, net, tick } = started(t);
    const game = await watched(client, net);
    game.resumes = true;
    const moves = [game.move("left"), game.move("up")];
    net.last.end();
    tick(100);
    net.last.greet();
    net.last.tell({ id: 3, ok: { recovered: true, role: "player" } });
    const told = [
      { id: 2, error: problem("stale_version", { game: { ...GAME, version: 4, status: "paused" } }) },
      { ev: "event", game: "g", event: event(4, { type: "pause", cause: "outage", status: "paused" }) },
    ];

    for (const frame of first === "pause" ? told.toReversed() : told) {
      assert.equal(net.last.commands.length, 2, "as long as not all is told");
      net.last.tell(frame);
      await settled();
    }

    const resume = net.last.commands[2];
    assert.deepEqual([resume.op, resume.version], ["resume", 4]);
    net.last.tell({ id: resume.id, ok: { event: event(5, { type: "resume" }) } });
    await settled();
    const again = net.last.commands[3];
    assert.deepEqual([again.op, again.direction, again.version], ["move", "left", 5]);
    assert.notEqual(again.key, net.last.commands[1].key);
    net.last.tell({ id: again.id, ok: { moved: true, event: event(6) } });
    await settled();
    net.last.tell({ id: net.last.commands[4].id, ok: { moved: true, event: event(7) } });
    assert.deepEqual(
      (await Promise.all(moves)).map(({ version }) => version),
      [6, 7],
    );
  });
}

test("a pause by anybody else is not", async (t) => {
  const { client, net, tick } = started(t);
  const game = await watched(client, net);
  game.resumes = true;
  const moves = [game.move("left"), game.move("up")].map((move) => assert.rejects(move));
  net.last.end();
  tick(100);
  net.last.greet();
  net.last.tell({ id: 3, ok: { recovered: true, role: "player" } });
  net.last.tell({ ev: "event", game: "g", event: event(4, { type: "pause", cause: "disconnect", status: "paused" }) });
  net.last.tell({ id: 2, error: problem("stale_version", { game: { ...GAME, version: 4, status: "paused" } }) });

  await Promise.all(moves);
  assert.deepEqual(game.queue, []);
  assert.equal(net.last.commands.length, 2);
});

test("who only watches resumes nothing, and nobody resumes twice", async (t) => {
  for (const role of ["spectator", "player"]) {
    const { client, net } = started(t);
    const game = await watched(client, net, role);
    game.resumes = true;
    if (role === "player") for (const command of ["pause", "resume"]) game[command]().catch(() => {});

    net.last.tell({ ev: "event", game: "g", event: event(4, { type: "pause", cause: "outage", status: "paused" }) });

    assert.deepEqual(
      game.queue.map(({ op }) => op),
      role === "player" ? ["pause", "resume"] : [],
    );
    client.close();
    t.mock.timers.reset();
  }
});
