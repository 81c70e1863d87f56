/** The WebSocket for Node 20, against bare frames. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import test from "node:test";

import { NodeSocket } from "../src/node-socket.js";

/** A server's end of one socket: what it hears, and bytes to say. */
async function met(t, { accept = true, protocol = "twofold.v1", first = null } = {}) {
  const server = createServer((_, response) => response.writeHead(403).end("no"));
  const heard = [];
  let stream;
  const upgraded = new Promise((resolve) => {
    if (!accept) return resolve();
    server.on("upgrade", ({ headers }, socket) => {
      stream = socket;
      const key = createHash("sha1")
        .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest("base64");
      const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
      lines.push(
        `Sec-WebSocket-Accept: ${accept === "wrongly" ? "x" : key}`,
        `Sec-WebSocket-Protocol: ${protocol}`,
        "",
        "",
      );
      socket.write(Buffer.concat([Buffer.from(lines.join("\r\n")), first ?? Buffer.alloc(0)]));
      socket.on("data", (bytes) => heard.push(...frames(bytes)));
      socket.on("error", () => {});
      resolve(headers);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => (stream?.destroy(), server.close()));
  const socket = new NodeSocket(`ws://127.0.0.1:${server.address().port}/v1/ws`, "twofold.v1");
  const [messages, closes] = [[], []];
  socket.onmessage = ({ data }) => messages.push(data);
  const closed = new Promise((resolve) => (socket.onclose = (event) => (closes.push(event), resolve(event))));
  const opened = new Promise((resolve) => (socket.onopen = resolve));
  return {
    socket,
    heard,
    messages,
    closes,
    closed,
    opened,
    upgraded,
    say: (bytes) => stream.write(bytes),
    end: () => stream.destroy(),
  };
}

/** A frame as a server says it. */
function frame(kind, payload = "", { last = true } = {}) {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65536 ? 4 : 10);
  head[0] = (last ? 128 : 0) | kind;
  head[1] = bytes.length < 126 ? bytes.length : bytes.length < 65536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}

/** The frames in a client's bytes, unmasked. */
function* frames(bytes) {
  while (bytes.length) {
    assert.ok(bytes[1] & 128, "a client's frames are masked");
    const short = bytes[1] & 127;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    const mask = bytes.subarray(start, start + 4);
    const payload = bytes.subarray(start + 4, start + 4 + length).map((byte, index) => byte ^ mask[index % 4]);
    yield { kind: bytes[0] & 15, text: Buffer.from(payload).toString() };
    bytes = bytes.subarray(start + 4 + length);
  }
}

const eventually = async (check) => {
  while (!check()) await new Promise((resolve) => setImmediate(resolve));
};

test("it shakes hands for its protocol", async (t) => {
  const { socket, upgraded, opened } = await met(t);

  const headers = await upgraded;
  await opened;

  assert.equal(headers["sec-websocket-protocol"], "twofold.v1");
  assert.equal(socket.protocol, "twofold.v1");
});

test("what comes with the handshake is heard", async (t) => {
  const { messages, opened } = await met(t, { first: frame(1, "early") });
  await opened;

  await eventually(() => messages.length);

  assert.deepEqual(messages, ["early"]);
});

for (const length of [0, 125, 126, 65535, 65536]) {
  test(`${length} bytes go there and back`, async (t) => {
    const { socket, heard, messages, opened, say } = await met(t);
    await opened;
    const text = "é".repeat(length / 2) + "x".repeat(length % 2);

    socket.send("a");
    if (length < 60_000) socket.send(text);
    say(frame(1, text));

    await eventually(() => messages.length);
    assert.deepEqual(messages, [text]);
    await eventually(() => heard.length === (length < 60_000 ? 2 : 1));
    assert.deepEqual(
      heard.map((one) => one.text),
      length < 60_000 ? ["a", text] : ["a"],
    );
  });
}

test("frames may come in pieces, and messages in frames", async (t) => {
  const { messages, heard, opened, say } = await met(t);
  await opened;
  const bytes = Buffer.concat([
    frame(1, "one ", { last: false }),
    frame(9, "ping"),
    frame(0, "message"),
    frame(1, "another"),
  ]);

  for (const byte of bytes) say(Buffer.from([byte]));

  await eventually(() => messages.length === 2);
  assert.deepEqual(messages, ["one message", "another"]);
  await eventually(() => heard.length);
  assert.deepEqual(heard, [{ kind: 10, text: "ping" }]);
});

test("a close is answered, and told with its code", async (t) => {
  const { heard, opened, say, closed, end } = await met(t);
  await opened;

  say(
    frame(
      8,
      Buffer.from([0x11, 0x94, ..."bad token"].map((one) => (typeof one === "string" ? one.charCodeAt(0) : one))),
    ),
  );

  await eventually(() => heard.length);
  end();
  assert.deepEqual(await closed, { type: "close", code: 4500, reason: "bad token" });
});

for (const [what, how, then] of [
  ["an end without a close", {}, ({ end }) => end()],
  ["a refusal", { accept: false }, () => {}],
  ["a wrong answer to the key", { accept: "wrongly" }, () => {}],
]) {
  test(`${what} is told once, as 1006`, async (t) => {
    const it = await met(t, how);
    if (how.accept === undefined) await it.opened;

    then(it);

    assert.equal((await it.closed).code, 1006);
    assert.equal(it.closes.length, 1);
  });
}

test("nobody there is told as 1006", async () => {
  const socket = new NodeSocket("ws://127.0.0.1:1/", "twofold.v1");

  const { code } = await new Promise((resolve) => (socket.onclose = resolve));

  assert.equal(code, 1006);
});

for (const [what, bytes] of [
  ["a masked frame", Buffer.from([0x81, 0x80, 0, 0, 0, 0])],
  ["a frame of another kind", frame(3)],
  ["a frame without an end", Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0])],
]) {
  test(`${what} ends it`, async (t) => {
    const { heard, opened, say } = await met(t);
    await opened;

    say(bytes);

    await eventually(() => heard.length);
    assert.deepEqual(heard[0].kind, 8);
  });
}

test("it closes with a close, before the handshake too", async (t) => {
  const { socket, heard, opened } = await met(t);
  await opened;
  socket.close();
  socket.send("nothing more");
  await eventually(() => heard.length);
  assert.deepEqual(
    heard.map(({ kind }) => kind),
    [8],
  );

  const early = new NodeSocket("ws://127.0.0.1:1/", "twofold.v1");
  const closed = new Promise((resolve) => (early.onclose = resolve));
  early.close();
  assert.equal((await closed).code, 1006);
});
