/** The socket of the live channel, opened again as often as it is lost, while that makes sense. It pumps, no more. */

/** @import { Retry } from "./backoff.js" */

import { pause } from "./backoff.js";
import { LiveClosed, NoAnswer, ServiceError, TwofoldError } from "./errors.js";

export const PROTOCOL = "twofold.v1";
const BAD_TOKEN = 4500;
const OTHER_VERSION = 4504;

/**
 * What a client needs of a WebSocket; browsers' fit.
 *
 * @typedef {object} Socket
 * @property {string} protocol
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 * @property {((event: any) => void) | null} onerror
 * @property {(text: string) => void} send
 * @property {() => void} close
 */

/** @typedef {new (url: string, protocol: string) => Socket} SocketClass */

/**
 * How the connection stands. `lost`: it is tried again at `retryAt` (ms since 1970; null while that is under way),
 * `closed`: it is not; `reason` is the error it was lost or closed by. `draining`: the service restarts, commands
 * wait.
 *
 * @typedef {object} LiveStatus
 * @property {"idle" | "connecting" | "open" | "lost" | "closed"} state
 * @property {TwofoldError | null} reason
 * @property {number | null} retryAt
 * @property {boolean} draining
 */

/**
 * @typedef {object} ConnectionOptions
 * @property {string} url
 * @property {SocketClass | undefined} WebSocket
 * @property {Retry} retry
 * @property {number} timeout How long an attempt may take, in ms.
 * @property {number} silence How long the service may be silent.
 * @property {number} patience How long the connection may be lost.
 * @property {() => string | null} token
 */

/**
 * Who is told of what the connection does.
 *
 * @typedef {object} Talk
 * @property {(token: string | null) => string} hello The first frame.
 * @property {() => string} ping A frame that is answered.
 * @property {(frame: { [name: string]: any }) => void} hear A frame has come; what it throws ends the connection.
 * @property {() => void} changed The status has changed.
 */

export class Connection {
  /** @type {LiveStatus} */
  status = Object.freeze({ state: "idle", reason: null, retryAt: null, draining: false });
  #options;
  #talk;
  /** @type {Socket | null} */
  #socket = null;
  /** @type {string | null} */
  #token = null;
  #failures = 0;
  #lostAt = 0;
  #comeBackAfter = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Whether anything was heard since we last looked, and whether we have asked. */
  #heard = false;
  #probed = false;

  /**
   * @param {ConnectionOptions} options
   * @param {Talk} talk
   */
  constructor(options, talk) {
    this.#options = options;
    this.#talk = talk;
  }

  /** Begin, unless that is done. */
  open() {
    const { state } = this.status;
    if (state !== "idle" && state !== "closed") return;
    if (!this.#options.WebSocket) throw new TypeError("this platform has no WebSocket: hand one in as an option");
    this.#failures = 0;
    this.#lostAt = performance.now();
    this.#become({ state: "connecting", reason: null, retryAt: null });
    this.#connect();
  }

  /** End for good. */
  close(reason = /** @type {TwofoldError} */ (new LiveClosed())) {
    if (this.status.state === "closed") return;
    this.#drop();
    this.#become({ state: "closed", reason, retryAt: null });
  }

  /** Begin anew where we are somebody else by now. */
  renew() {
    if (!this.#socket || this.#token === this.#options.token()) return;
    this.#drop();
    this.#become({ state: "connecting", reason: null, retryAt: null });
    this.#connect();
  }

  /** Do not wait any longer before the next attempt. */
  retryNow() {
    if (this.status.state === "lost" && !this.#socket) this.#connect();
  }

  /** Ask whether the service still answers; the connection counts as lost where it does not. */
  probe() {
    if (this.status.state !== "open") return;
    this.#heard = false;
    this.#probed = true;
    this.send(this.#talk.ping());
    this.#look();
  }

  /** @param {string} text */
  send(text) {
    this.#socket?.send(text);
  }

  /** The service has answered the hello. */
  greeted() {
    this.#failures = 0;
    this.#heard = true;
    this.#become({ state: "open", reason: null, retryAt: null });
    this.#look();
  }

  /**
   * The service restarts, and is to be met again after so many ms.
   *
   * @param {number} after
   */
  draining(after) {
    this.#comeBackAfter = after;
    this.#become({ draining: true });
  }

  #connect() {
    const { url, timeout, token } = this.#options;
    const WebSocket = /** @type {SocketClass} */ (this.#options.WebSocket);
    clearTimeout(this.#timer);
    this.#comeBackAfter = 0;
    if (this.status.state === "lost") this.#become({ retryAt: null });
    let socket;
    try {
      socket = this.#socket = new WebSocket(url, PROTOCOL);
    } catch (cause) {
      return this.close(
        new NoAnswer("unreachable", `no live connection to ${url} from here`, { retryable: false, cause }),
      );
    }
    this.#timer = setTimeout(() => this.#lose(new NoAnswer("timeout", "no live connection in time")), timeout);
    socket.onopen = () => {
      if (socket.protocol !== PROTOCOL) {
        return this.close(new NoAnswer("wrong_version", `the service does not speak ${PROTOCOL}`));
      }
      this.#token = token();
      socket.send(this.#talk.hello(this.#token));
    };
    socket.onmessage = ({ data }) => this.#hear(data);
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
    socket.onerror = () => {}; // a close follows, and tells more
  }

  /** @param {unknown} data */
  #hear(data) {
    this.#heard = true;
    try {
      this.#talk.hear(read(data));
    } catch (error) {
      if (!(error instanceof TwofoldError)) throw error;
      if (error.retryable) this.#lose(error);
      else this.#end(error);
    }
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #closed(code, reason) {
    const told = `the service closed the live connection: ${code} ${reason}`.trimEnd();
    if (code === BAD_TOKEN) return this.#end(unauthorized(reason));
    if (code === OTHER_VERSION) return this.#end(new NoAnswer("wrong_version", told));
    if (code === 1007 || code === 1009 || (code > BAD_TOKEN && code < 4600))
      return this.#end(new NoAnswer("not_ours", told));
    this.#lose(new NoAnswer("unreachable", code === 1006 ? "no live connection, or it was lost" : told));
  }

  /**
   * There is no use in trying again, unless we have become somebody else since.
   *
   * @param {TwofoldError} error
   */
  #end(error) {
    if (error.code === "unauthorized" && this.#options.token() !== this.#token) this.#lose(error);
    else this.close(error);
  }

  /** @param {TwofoldError} reason */
  #lose(reason) {
    this.#drop();
    const now = performance.now();
    if (this.status.state === "open") this.#lostAt = now;
    if (now - this.#lostAt >= this.#options.patience) return this.close(reason);
    const wait = this.#comeBackAfter + (reason.retryAfter ?? 0) + pause(this.#options.retry, this.#failures++);
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.#become({ state: "lost", reason, retryAt: Date.now() + wait, draining: false });
  }

  /** Have nothing to do with the socket any more. */
  #drop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** Look again after a third of the silence that is allowed: ask first, and give up where that is not answered. */
  #look() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#heard) {
        this.#heard = this.#probed = false;
        this.#look();
      } else if (this.#probed) {
        this.#lose(new NoAnswer("timeout", "the service has fallen silent"));
      } else {
        this.probe();
      }
    }, this.#options.silence / 3);
  }

  /** @param {Partial<LiveStatus>} change */
  #become(change) {
    this.status = Object.freeze({ ...this.status, ...change });
    this.#talk.changed();
  }
}

/**
 * @param {unknown} data
 * @returns {{ [name: string]: any }}
 */
function read(data) {
  try {
    const frame = JSON.parse(/** @type {string} */ (data));
    if (frame !== null && typeof frame === "object") return frame;
  } catch {
    // said below
  }
  throw new NoAnswer("not_ours", "a live frame that is no JSON object");
}

/** @param {string} reason */
function unauthorized(reason) {
  const detail = reason || "this token is not known";
  const type = "/docs/problems#unauthorized";
  const problem = { type, title: "A valid token is needed", status: 401, detail, retryable: false, request_id: "" };
  return new ServiceError({ ...problem, code: "unauthorized" });
}
