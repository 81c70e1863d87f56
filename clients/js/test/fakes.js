/** A service of which only the socket's end is seen, and answers to fetch. */

import { connect } from "../src/index.js";

/** Sockets that were made, the newest last; a test speaks for the service. */
export function sockets() {
  const made = [];
  class FakeSocket {
    protocol = "twofold.v1";
    said = [];
    closed = false;

    constructor(url, protocol) {
      Object.assign(this, { url, asked: protocol });
      made.push(this);
    }

    send(text) {
      this.said.push(JSON.parse(text));
    }

    close() {
      this.closed = true;
    }

    /** The handshake is done. */
    open() {
      this.onopen?.({});
    }

    /** The service says a frame. */
    tell(frame) {
      this.onmessage?.({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
    }

    /** Handshake and hello. */
    greet(server_now = "2027-01-15T12:00:00.000Z") {
      this.open();
      this.tell({ id: "hello", ok: { player: null, protocol: "twofold.v1", server_now, ping_ms: 5000, limits: {} } });
    }

    /** The service, or the net, ends it. */
    end(code = 1006, reason = "") {
      this.onclose?.({ code, reason });
    }

    /** The commands said so far, without hello and pings. */
    get commands() {
      return this.said.filter(({ id }) => typeof id === "number");
    }
  }
  return {
    made,
    FakeSocket,
    get last() {
      return made.at(-1);
    },
  };
}

export const GAME = {
  id: "g",
  version: 3,
  status: "running",
  clock: { limit_ms: null },
  best_score: null,
  pauses: 0,
  started_at: "x",
};
export const event = (version, more = {}) => ({
  version,
  type: "move",
  status: "running",
  clock: { limit_ms: null },
  ...more,
});

/** A client over sockets that the test answers on, without chance and with time moved by hand. */
export function started(t, options = {}) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const net = sockets();
  const retry = { first: 100, longest: 5000, random: () => 1 };
  const client = connect("http://service", { WebSocket: net.FakeSocket, retry, patience: Infinity, ...options });
  t.after(() => client.close());
  const states = [];
  client.live.on("status", (status) => states.push(status));
  return { client, live: client.live, net, states, tick: (ms) => t.mock.timers.tick(ms) };
}

/** Let promises settle. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A game that is watched, over the first connection. */
export async function watched(client, net, role = "player") {
  const game = client.game(GAME);
  const watching = game.watch();
  net.last.greet();
  net.last.tell({ id: 1, ok: { recovered: true, role } });
  await watching;
  return game;
}

export function problem(code, { status = 409, retryable = false, ...more } = {}) {
  return {
    type: `/docs/problems#${code}`,
    title: code,
    status,
    code,
    detail: "no",
    retryable,
    request_id: "r",
    ...more,
  };
}

/** An answer as fetch gives it. */
export function json(body, { status = 200, type = "application/json", ...headers } = {}) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": type, ...headers } });
}

export function refusal(code, options = {}, headers = {}) {
  const body = problem(code, options);
  return json(body, { status: body.status, type: "application/problem+json", ...headers });
}
