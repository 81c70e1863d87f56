/** The live connection, with a test for a service: lost, silent, drained, refused, closed. */

import assert from "node:assert/strict";
import test from "node:test";

import { connect } from "../src/index.js";
import { event, GAME, json, problem, settled, started, watched } from "./fakes.js";

test("nothing is opened before it is needed", async (t) => {
  const { client, net, live } = started(t, { fetch: async () => json({ player: { id: "p" }, token: "tf_p" }) });

  await client.join();
  client.game(GAME);

  assert.equal(net.made.length, 0);
  assert.equal(live.status.state, "idle");
});

test("who we are is said first, then what was asked meanwhile", (t) => {
  const { client, net } = started(t, { token: "tf_x" });
  client
    .game(GAME)
    .move("left", { key: "k" })
    .catch(() => {});

  net.last.greet();

  assert.equal(net.last.url, "ws://service/v1/ws");
  assert.equal(net.last.asked, "twofold.v1");
  assert.deepEqual(net.last.said, [
    { id: "hello", op: "hello", client: "twofold-client-js/0.1.0", token: "tf_x" },
    { id: 1, op: "move", game: "g", direction: "left", version: 3, key: "k" },
  ]);
});

test("a lost connection is opened again, later each time up to the longest pause", (t) => {
  const { live, net, states, tick } = started(t);
  live.open().catch(() => {});
  const pauses = [];
  for (let failure = 0; failure < 8; failure++) {
    net.last.end();
    pauses.push(live.status.retryAt - Date.now());
    assert.equal(live.status.reason.code, "unreachable");
    tick(pauses.at(-1));
    assert.equal(net.made.length, failure + 2);
    assert.deepEqual([live.status.state, live.status.retryAt], ["lost", null]);
  }

  net.last.greet();

  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  assert.deepEqual(live.status, { state: "open", reason: null, retryAt: null, draining: false });
  assert.deepEqual([...new Set(states.map(({ state }) => state))], ["connecting", "lost", "open"]);
});

test("the pause is anything from nothing on", (t) => {
  const { live, net } = started(t, { retry: { first: 100, longest: 5000, random: () => 0.25 } });
  live.open().catch(() => {});

  net.last.end();

  assert.equal(live.status.retryAt - Date.now(), 25);
});

test("after a connection that was good the pauses begin anew", (t) => {
  const { live, net, tick } = started(t);
  live.open().catch(() => {});
  for (let failure = 0; failure < 3; failure++) {
    net.last.end();
    tick(1000);
  }
  net.last.greet();

  net.last.end();

  assert.equal(live.status.retryAt - Date.now(), 100);
});

test("a watch that was not answered before the next loss is said once", async (t) => {
  const { client, net, tick } = started(t);
  await watched(client, net);
  for (let loss = 0; loss < 2; loss++) {
    net.last.end();
    tick(100);
    net.last.greet();
  }

  assert.deepEqual(net.last.commands, [{ id: 2, op: "watch", game: "g", since: 3 }]);
});

test("one does not have to wait", (t) => {
  const { live, net } = started(t);
  live.open().catch(() => {});
  net.last.end();

  live.retryNow();
  live.retryNow();

  assert.equal(net.made.length, 2);
});

test("games are watched on from the version known, and what had no answer is said again as it was", async (t) => {
  const { client, net, tick } = started(t);
  const game = await watched(client, net);
  net.last.tell({ ev: "event", game: "g", event: event(4) });
  const moved = game.move("left");
  const waiting = game.move("up");
  const [, said] = net.last.commands;

  net.last.end();
  tick(100);
  net.last.greet();

  assert.deepEqual(net.last.commands, [{ id: 3, op: "watch", game: "g", since: 4 }, said]);
  net.last.tell({ id: 3, ok: { recovered: true, role: "player" } });
  net.last.tell({ id: 2, ok: { moved: true, event: event(5), replayed: true } });
  assert.equal((await moved).version, 5);
  assert.deepEqual(game.queue, [{ op: "move", direction: "up", sent: false }], "the event before it is not told yet");
  net.last.tell({ ev: "event", game: "g", event: event(5) });
  assert.equal(net.last.commands[2].version, 5);
  net.last.tell({ id: 4, ok: { moved: false, event: null } });
  assert.equal(await waiting, null);
});

test("an event that was told before is not told again", async (t) => {
  const { client, net } = started(t);
  const game = await watched(client, net);
  const told = [];
  game.on("event", ({ version }) => told.push(version));

  for (const version of [4, 4, 3, 5]) net.last.tell({ ev: "event", game: "g", event: event(version) });

  assert.deepEqual(told, [4, 5]);
});

test("after too many events the game is told of as a whole", async (t) => {
  const { client, net } = started(t);
  const game = client.game(GAME);
  const watching = game.watch();
  net.last.greet();
  const states = [];
  game.on("state", (state, caused) => states.push([state.version, caused]));

  net.last.tell({ id: 1, ok: { recovered: false, role: "player", game: { ...GAME, version: 900 } } });

  assert.equal((await watching).version, 900);
  assert.deepEqual(states, [[900, null]]);
});

test("a silent service is asked, and given up when it does not answer", (t) => {
  const { live, net, tick } = started(t, { silence: 3000 });
  live.open().catch(() => {});
  net.last.greet();
  tick(1000);
  tick(1000);
  assert.deepEqual(net.last.said.at(-1), { id: "ping", op: "ping" });
  net.last.tell({ id: "ping", ok: { server_now: "2027-01-15T12:00:02.000Z" } });
  for (let second = 0; second < 2; second++) tick(1000);
  assert.equal(live.status.state, "open");

  tick(1000);

  assert.equal(live.status.state, "lost");
  assert.equal(live.status.reason.code, "timeout");
  assert.ok(net.made[0].closed);
});

test("whoever asks whether the service is there learns it within a third of the silence", (t) => {
  const { live, net, tick } = started(t, { silence: 3000 });
  live.open().catch(() => {});
  net.last.greet();

  live.probe();
  tick(1000);

  assert.equal(live.status.state, "lost");
});

test("a service that pings is not asked", (t) => {
  const { live, net, tick } = started(t);
  live.open().catch(() => {});
  net.last.greet();
  for (let push = 0; push < 10; push++) {
    tick(3000);
    net.last.tell({ ev: "ping", server_now: "2027-01-15T12:00:05.000Z" });
  }

  assert.deepEqual(net.last.said.length, 1);
  assert.equal(live.status.state, "open");
});

test("a handshake that takes too long is given up", (t) => {
  const { live, net, tick } = started(t, { timeout: 2000 });
  live.open().catch(() => {});

  tick(2000);

  assert.equal(live.status.state, "lost");
  assert.ok(net.last.closed);
});

test("a draining service is told nothing more, and met again after its delay", async (t) => {
  const { client, live, net, tick } = started(t);
  const opened = live.open();
  net.last.greet();
  await opened;
  net.last.tell({ ev: "draining", retry_after_ms: 900 });
  assert.ok(live.status.draining);
  client
    .game(GAME)
    .move("left")
    .catch(() => {});
  assert.deepEqual(net.last.commands, []);

  net.last.end(1012, "draining");

  assert.deepEqual([live.status.state, live.status.draining], ["lost", false]);
  assert.equal(live.status.retryAt - Date.now(), 1000);
  tick(1000);
  net.last.greet();
  assert.equal(net.last.commands.length, 1);
});

for (const [code, told] of [
  [4500, "unauthorized"],
  [4501, "not_ours"],
  [4504, "wrong_version"],
  [4505, "not_ours"],
  [4506, "not_ours"],
  [1007, "not_ours"],
  [1009, "not_ours"],
]) {
  test(`${code} closes for good`, async (t) => {
    const { client, live, net } = started(t);
    const moved = client.game(GAME).move("left");
    net.last.greet();

    net.last.end(code);

    await assert.rejects(moved, { code: told });
    assert.deepEqual([live.status.state, live.status.reason.code], ["closed", told]);
    await assert.rejects(client.game(GAME).move("left"), { code: told });
  });
}

for (const code of [1001, 1006, 1012, 4000, 4001, 4003]) {
  test(`${code} is followed by another connection`, (t) => {
    const { live, net } = started(t);
    live.open().catch(() => {});
    net.last.greet();

    net.last.end(code);

    assert.equal(live.status.state, "lost");
  });
}

test("an old token's end is nothing to one who has a new one", (t) => {
  const { client, live, net } = started(t, { token: "tf_old" });
  live.open().catch(() => {});
  net.last.greet();
  client.rest.token = "tf_new";

  net.last.end(4500);

  assert.equal(live.status.state, "lost");
});

test("another protocol is not spoken", async (t) => {
  const { live, net } = started(t);
  const opened = live.open();
  net.last.protocol = "";

  net.last.open();

  await assert.rejects(opened, { code: "wrong_version" });
});

test("what is no frame of a service ends the connection", async (t) => {
  for (const frame of ["hello", "3", { id: null, error: problem("bad_frame", { status: 400 }) }]) {
    const { live, net } = started(t);
    const opened = live.open();
    net.last.open();

    net.last.tell(frame);

    await assert.rejects(opened);
    assert.equal(live.status.state, "closed");
    t.mock.timers.reset();
  }
});

test("pushes that are not known are passed over", (t) => {
  const { live, net } = started(t);
  live.open().catch(() => {});
  net.last.greet();

  net.last.tell({ ev: "weather", sunny: true });

  assert.equal(live.status.state, "open");
});

test("who becomes a player while connected speaks as that player from then on", async (t) => {
  const { client, live, net } = started(t, { fetch: async () => json({ player: { id: "p" }, token: "tf_p" }) });
  await watched(client, net, "spectator");

  await client.join();

  assert.ok(net.made[0].closed);
  net.last.greet();
  assert.equal(live.status.state, "open");
  assert.equal(net.last.said[0].token, "tf_p");
  assert.deepEqual(net.last.commands, [{ id: 2, op: "watch", game: "g", since: 3 }]);
});

test("what is not to be watched any more is not watched again", async (t) => {
  const { client, net, tick } = started(t);
  const game = client.game(GAME);
  const watching = assert.rejects(game.watch(), { code: "cleared" });
  net.last.greet();
  net.last.end();

  await game.unwatch();

  await watching;
  tick(100);
  net.last.greet();
  assert.deepEqual(net.last.commands, []);
});

test("a browser that says it is offline has us ask, and that it is online try again", (t) => {
  const browser = new EventTarget();
  globalThis.addEventListener = browser.addEventListener.bind(browser);
  t.after(() => delete globalThis.addEventListener);
  const { client, live, net } = started(t);
  live.open().catch(() => {});
  net.last.greet();

  browser.dispatchEvent(new Event("offline"));
  assert.equal(net.last.said.at(-1).op, "ping");
  net.last.end();
  browser.dispatchEvent(new Event("online"));
  assert.equal(net.made.length, 2);

  client.close();
  browser.dispatchEvent(new Event("online"));
  assert.equal(net.made.length, 2);
});

test("what the platform forbids is not tried again", async (t) => {
  const forbidden = class {
    constructor() {
      throw new DOMException("mixed content", "SecurityError");
    }
  };
  const { live } = started(t, { WebSocket: forbidden });

  await assert.rejects(live.open(), { code: "unreachable", retryable: false });

  assert.equal(live.status.state, "closed");
});

test("patience has an end", async (t) => {
  const { client, live, net } = started(t, { patience: 0 });
  const moved = client.game(GAME).move("left");
  net.last.greet();

  net.last.end();

  await assert.rejects(moved, { name: "NoAnswer", code: "unreachable", retryable: true });
  assert.equal(live.status.state, "closed");
});

test("closing ends all that waits, and opening begins anew", async (t) => {
  const { client, live, net } = started(t);
  const game = await watched(client, net);
  const moves = [
    assert.rejects(game.move("left"), { name: "LiveClosed" }),
    assert.rejects(game.move("up"), { code: "cleared" }),
  ];
  const loop = assert.rejects(game.events().next(), { code: "closed" });
  await settled();

  live.close();

  await Promise.all([...moves, loop]);
  const opened = live.open();
  net.last.greet();
  await opened;
  game.watch().catch(() => {});
  assert.deepEqual(net.last.commands, [{ id: 3, op: "watch", game: "g", since: 3 }]);
});

test("what may pass is asked again after a while, other refusals are told", async (t) => {
  const { client, net, tick } = started(t);
  const moved = client.game(GAME).move("left");
  net.last.greet();
  net.last.tell({ id: 1, error: problem("busy", { status: 503, retryable: true }) });
  assert.equal(net.last.commands.length, 1);

  tick(100);

  assert.deepEqual(net.last.commands[1], net.last.commands[0]);
  net.last.tell({ id: 1, error: problem("game_over") });
  await assert.rejects(moved, { code: "game_over", retryable: false });
});

test("a watch that is refused is told to those who wait for it", async (t) => {
  const { client, net } = started(t);
  const watching = client.game("nobody's").watch();
  net.last.greet();

  net.last.tell({ id: 1, error: problem("not_found", { status: 404 }) });

  await assert.rejects(watching, { code: "not_found" });
});

test("a platform without WebSockets is told to hand one in", async () => {
  const client = connect("http://service", { WebSocket: null });

  await assert.rejects(client.live.open(), TypeError);
  await assert.rejects(client.game(GAME).move("left"), TypeError);
});
