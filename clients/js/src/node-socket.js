/** A WebSocket for Node 20, which has none: as much of one as the client needs. */

import { createHash, randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const LARGEST = 2 ** 20;
const NO_CLOSE = 1006;
const CLOSE_WITHIN = 1000;
const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];

export class NodeSocket {
  protocol = "";
  /** @type {((event: any) => void) | null} */
  onopen = null;
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onclose = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;
  #request;
  /** @type {import("node:stream").Duplex | null} */
  #stream = null;
  #unread = Buffer.alloc(0);
  /** @type {Buffer[]} */
  #parts = [];
  #closed = { code: NO_CLOSE, reason: "" };
  #done = false;

  /**
   * @param {string} url
   * @param {string} protocol
   */
  constructor(url, protocol) {
    const key = randomBytes(16).toString("base64");
    const request = url.startsWith("wss:") ? requestHttps : requestHttp;
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": key,
      "Sec-WebSocket-Protocol": protocol,
    };
    this.#request = request(url.replace("ws", "http"), { headers });
    this.#request.on("error", () => this.#end());
    this.#request.on("response", (response) => {
      response.resume();
      this.#end();
    });
    this.#request.on("upgrade", (response, stream, head) => {
      const accept = createHash("sha1")
        .update(key + GUID)
        .digest("base64");
      if (this.#done || response.headers["sec-websocket-accept"] !== accept)
        return (void stream.destroy(), this.#end());
      this.protocol = response.headers["sec-websocket-protocol"] ?? "";
      this.#open(stream, head);
    });
    this.#request.end();
  }

  /** @param {string} text */
  send(text) {
    this.#write(TEXT, Buffer.from(text));
  }

  close() {
    if (!this.#stream) this.#request.destroy();
    else this.#hangUp(1000);
  }

  /**
   * @param {import("node:stream").Duplex} stream
   * @param {Buffer} head
   */
  #open(stream, head) {
    this.#stream = stream;
    if ("setNoDelay" in stream) /** @type {import("node:net").Socket} */ (stream).setNoDelay(true);
    stream.on("data", (bytes) => this.#read(bytes));
    stream.on("end", () => stream.end());
    stream.on("error", () => {}); // a close follows
    stream.on("close", () => this.#end());
    this.onopen?.({ type: "open" });
    if (head.length) this.#read(head);
  }

  /** @param {Buffer} bytes */
  #read(bytes) {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const unread = this.#unread;
      if (unread.length < 2) return;
      const short = unread[1] & 127;
      const start = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (unread.length < start) return;
      const length = short === 127 ? Number(unread.readBigUInt64BE(2)) : short === 126 ? unread.readUInt16BE(2) : short;
      if (length > LARGEST || unread[1] > 127) return this.#hangUp(1002);
      if (unread.length < start + length) return;
      this.#unread = unread.subarray(start + length);
      this.#take(unread[0] & 15, unread[0] > 127, unread.subarray(start, start + length));
    }
  }

  /**
   * @param {number} kind
   * @param {boolean} last
   * @param {Buffer} payload
   */
  #take(kind, last, payload) {
    if (kind === PING) return this.#write(PONG, payload);
    if (kind === PONG) return;
    if (kind === CLOSE) {
      if (payload.length >= 2) this.#closed = { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString() };
      return this.#hangUp(this.#closed.code === NO_CLOSE ? 1000 : this.#closed.code);
    }
    if (kind !== TEXT && kind !== CONTINUED && kind !== BINARY) return this.#hangUp(1002);
    this.#parts.push(payload);
    if (!last) return;
    const whole = Buffer.concat(this.#parts.splice(0));
    this.onmessage?.({ type: "message", data: whole.toString() });
  }

  /**
   * Every frame from a client is masked.
   *
   * @param {number} kind
   * @param {Buffer} payload
   */
  #write(kind, payload) {
    if (!this.#stream?.writable) return;
    const { length } = payload;
    const head = Buffer.alloc(length < 126 ? 2 : length < 2 ** 16 ? 4 : 10);
    head[0] = 128 | kind;
    head[1] = 128 | (length < 126 ? length : length < 2 ** 16 ? 126 : 127);
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    const mask = randomBytes(4);
    this.#stream.write(Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask[index & 3])]));
  }

  /** @param {number} code */
  #hangUp(code) {
    const stream = this.#stream;
    if (!stream?.writable) return;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#write(CLOSE, payload);
    stream.end();
    setTimeout(() => stream.destroy(), CLOSE_WITHIN).unref();
  }

  #end() {
    if (this.#done) return;
    this.#done = true;
    this.onclose?.({ type: "close", ...this.#closed });
  }
}
