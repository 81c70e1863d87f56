/** Calls and answers, with a test for a service: every operation, refusals, retries, keys. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { items, NoAnswer, Rest, ServiceError } from "../src/index.js";
import { json, refusal } from "./fakes.js";

const OPENAPI = JSON.parse(readFileSync(new URL("../../../openapi/openapi.json", import.meta.url), "utf8"));
const OPERATIONS = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);
const BOARD = [
  [2, 2, 0],
  [0, 0, 0],
  [0, 0, 0],
];
const PAGE = { limit: 5, cursor: "x" };
const AT = { version: 3, key: "k" };
const commands = ["start", "undo", "pause", "resume", "continue", "abandon"];

/** What each operation is asked with, once with all that it takes. */
const ASKED = {
  createPlayer: [{ name: "Ada", bot: true }],
  getMe: [],
  renameMe: ["Ada"],
  deleteMe: [],
  createToken: [{ others: true }],
  createLink: [],
  useLink: ["7K3M9QXA"],
  getRecords: [],
  listModes: [],
  computeSlides: [{ board: BOARD, direction: "left" }],
  getHint: [{ board: BOARD, depth: 2 }],
  getGameHint: ["a", { depth: 2 }],
  getAnalysis: ["a", { depth: 2 }],
  createGame: [
    {
      mode: "practice",
      size: 3,
      undo_limit: null,
      start: true,
      visibility: "private",
      replaces: "b",
      board: BOARD,
      seed: "00".repeat(32),
      date: "2026-11-30",
    },
    { key: "k" },
  ],
  listGames: [{ mode: "classic", status: "open", ...PAGE }],
  getGame: ["a"],
  getEvents: ["a", { after: 3, limit: 5 }],
  exportGame: ["a"],
  drawBoardSvg: ["a", { version: 3 }],
  drawBoardPng: ["a", { version: 3 }],
  drawReplay: ["a", { version: 3 }],
  move: ["a", "left", AT],
  ...Object.fromEntries(commands.map((command) => [command, ["a", AT]])),
  verifyRecord: [{}],
  getToday: [],
  getDaily: ["2026-11-30"],
  getResults: ["2026-11-30", { order: "moves", attempt: "best", assisted: true, bots: true, ...PAGE }],
  compareGames: ["2026-11-30", ["a", "b"]],
  getLeaderboard: [{ mode: "classic", size: 4, undo_limit: 1, period: "week", assisted: true, bots: true, ...PAGE }],
  getHealth: [],
  getReadiness: [],
  getMetrics: [],
};

/** A client whose requests the test answers, and the requests. */
function answering(...answers) {
  const requests = [];
  const fetch = async (url, { signal: _, ...sent }) => {
    requests.push({ url: new URL(url), ...sent });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  const retry = { first: 1, longest: 1, deadline: 2000 };
  return { rest: new Rest("http://service/", { token: "tf_x", fetch, retry }), requests };
}

test("every operation of the service has its call", () => {
  assert.deepEqual(Object.keys(ASKED).toSorted(), OPERATIONS.map(({ operationId }) => operationId).toSorted());
});

for (const { operationId, method, path, parameters = [], requestBody, responses } of OPERATIONS) {
  test(`${operationId} asks as the API document says`, async () => {
    const [status] = Object.keys(responses).filter((code) => code < 300);
    const [media] = Object.keys(responses[status].content ?? { none: null });
    const body = status === "204" ? null : JSON.stringify({});
    const { rest, requests } = answering(
      new Response(body, { status: Number(status), headers: { "content-type": media } }),
    );

    await rest[operationId](...ASKED[operationId]);

    const [{ url, method: used, headers, body: said }] = requests;
    const filled = path.replace("{game_id}", "a").replace("{date}", "2026-11-30");
    const query = parameters.filter((one) => one.in === "query" && one.name !== "raw").map(({ name }) => name);
    const isKeyed = parameters.some(({ name }) => name === "Idempotency-Key");
    assert.deepEqual([used, url.pathname], [method, filled]);
    assert.deepEqual([...url.searchParams.keys()].toSorted(), query.toSorted());
    assert.equal(headers.Authorization, "Bearer tf_x");
    assert.equal(headers["Idempotency-Key"], isKeyed ? "k" : undefined);
    assert.ok(headers.Accept.startsWith(`${media === "none" ? "application/json" : media}, application/problem+json`));
    if (!requestBody) return;
    const schema = schemaOf(requestBody.content["application/json"].schema);
    assert.equal(headers["Content-Type"], "application/json");
    if (operationId !== "verifyRecord") {
      assert.deepEqual(Object.keys(JSON.parse(said)).toSorted(), Object.keys(schema.properties).toSorted());
    }
  });
}

function schemaOf({ $ref, anyOf, oneOf }) {
  const reference = $ref ?? (anyOf ?? oneOf).find((one) => one.$ref).$ref;
  return OPENAPI.components.schemas[reference.split("/").at(-1)];
}

test("the types have exactly the fields of the API document", () => {
  const source = readFileSync(new URL("../src/types.js", import.meta.url), "utf8");
  const types = source.split("/**").flatMap((part) => {
    const name = part.match(/@typedef \{object\} (\w+)/)?.[1];
    const fields = [...part.matchAll(/@property \{.+\} (?:\[(\w+)\]|(\w+))/g)];
    return name ? [[name, fields.map(([, optional, required]) => (optional ? `${optional}?` : required))]] : [];
  });
  const told = ({ properties, required = [] }) =>
    Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));

  for (const [name, fields] of types) {
    assert.deepEqual(fields.toSorted(), told(OPENAPI.components.schemas[name]).toSorted(), name);
  }
  assert.ok(types.length > 30);
});

test("the codes are those of the API document", () => {
  const source = readFileSync(new URL("../src/types.js", import.meta.url), "utf8");
  const [, listed] = source.match(/@typedef \{([^}]*)\} ProblemCode/);

  assert.deepEqual(
    [...listed.matchAll(/"(\w+)"/g)].map(([, code]) => code),
    OPENAPI.components.schemas.Problem.properties.code.enum,
  );
});

test("a refusal is an error by its code, with all that it tells", async () => {
  const { rest } = answering(refusal("stale_version", { game: { id: "a", version: 4 } }));

  await assert.rejects(rest.move("a", "left"), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.code, error.status, error.retryable, error.game.version], ["stale_version", 409, false, 4]);
    assert.equal(error.message, "stale_version: no");
    return true;
  });
});

test("a command goes under one key, however often it is sent", async () => {
  const lost = new TypeError("fetch failed");
  const { rest, requests } = answering(lost, lost, json({ event: null }));

  await rest.move("a", "left");

  const keys = requests.map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 3);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.equal(new Set(keys).size, 1);
});

test("what takes no key is not done twice", async () => {
  const { rest, requests } = answering(new TypeError("fetch failed"));

  await assert.rejects(rest.deleteMe(), { name: "NoAnswer", code: "unreachable", retryable: true });

  assert.equal(requests.length, 1);
});

test("a new player is asked for until there is one", async () => {
  const { rest, requests } = answering(
    new TypeError("fetch failed"),
    json({ player: {}, token: "tf_y" }, { status: 201 }),
  );

  assert.equal((await rest.createPlayer()).token, "tf_y");
  assert.equal(requests.length, 2);
});

test("what was refused at the door was not done, and is tried again", async () => {
  const { rest, requests } = answering(
    refusal("rate_limited", { status: 429, retryable: true }),
    new Response(null, { status: 204 }),
  );

  await rest.deleteMe();

  assert.equal(requests.length, 2);
});

test("Retry-After is waited for, and a deadline ends it", async () => {
  const busy = refusal("busy", { status: 503, retryable: true }, { "retry-after": "60" });
  const { rest, requests } = answering(busy);

  await assert.rejects(rest.getMe(), { code: "busy", retryAfter: 60_000 });

  assert.equal(requests.length, 1);
});

test("no answer in time is an error that may pass", async () => {
  const silent = (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const rest = new Rest("http://service", { timeout: 5, retry: { deadline: 20, first: 1 }, fetch: silent });
  const awake = setTimeout(() => {}, 10_000); // the platform's own timeouts keep no process

  await assert.rejects(rest.getMe(), { code: "timeout", retryable: true });

  clearTimeout(awake);
});

for (const [what, response, retryable] of [
  ["HTML", new Response("<html>", { headers: { "content-type": "text/html" } }), false],
  ["a failing gateway", new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }), true],
  ["JSON that is none", new Response("{", { headers: { "content-type": "application/json" } }), false],
  ["a problem that is none", json({ a: 1 }, { status: 400, type: "application/problem+json" }), false],
]) {
  test(`${what} is not the service's`, async () => {
    const { rest } = answering(response);

    await assert.rejects(rest.do({ method: "GET", path: "/v1/modes" }), (error) => {
      assert.ok(error instanceof NoAnswer);
      assert.deepEqual([error.code, error.retryable], ["not_ours", retryable]);
      return true;
    });
  });
}

test("no error tells the token", async () => {
  const { rest } = answering(new TypeError("fetch failed"));

  await assert.rejects(
    rest.deleteMe(),
    (error) => !JSON.stringify([error, error.message, error.stack]).includes("tf_x"),
  );
});

test("what is no id asks nothing", () => {
  const { rest, requests } = answering(json({}));

  const calls = Object.entries(ASKED).filter(([name]) => /{/.test(OPERATIONS.find((one) => one.operationId === name).path));
  assert.ok(calls.length > 15);
  for (const id of ["", ".", "..", "a/../b", "a/events", "..\\modes"]) {
    for (const [name, [, ...more]] of calls) assert.throws(() => rest[name](id, ...more), TypeError);
    assert.throws(() => rest.exportRows(id), TypeError);
    assert.throws(() => rest.pictureUrl(id, "board.svg"), TypeError);
  }
  assert.throws(() => new Rest("ftp://service"), TypeError);
  assert.equal(requests.length, 0);
});

test("an id is one part of the path", async () => {
  const { rest, requests } = answering(json({}));

  await rest.getGame("a?b#ä %2F");

  assert.equal(requests[0].url.href, "http://service/v1/games/a%3Fb%23%C3%A4%20%252F");
  assert.equal(rest.pictureUrl("a", "board.svg", { version: 3 }), "http://service/v1/games/a/board.svg?version=3");
});

test("pages are asked for as far as they are read", async () => {
  const asked = [];
  const list = items(async (cursor) => {
    asked.push(cursor);
    return { items: [asked.length], next_cursor: asked.length < 3 ? `c${asked.length}` : null };
  });

  assert.equal((await list.next()).value, 1);
  assert.deepEqual(asked, [undefined]);
  const rest = [];
  for await (const item of list) rest.push(item);
  assert.deepEqual(
    [rest, asked],
    [
      [2, 3],
      [undefined, "c1", "c2"],
    ],
  );
});
