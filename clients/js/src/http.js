/** A call over HTTP: sent, tried again where that does no harm, and its answer read. */

/** @import { Retry } from "./backoff.js" */

import { Attempts, newKey, RETRY, sleep } from "./backoff.js";
import { NoAnswer, ServiceError, TwofoldError } from "./errors.js";

const PROBLEM = "application/problem+json";
const JSON_TYPE = "application/json";
const GATEWAY = [429, 502, 503, 504];

/** @typedef {{ token?: string | null, timeout?: number, retry?: Partial<Retry>, fetch?: typeof fetch }} HttpOptions */
/** @typedef {{ [name: string]: string | number | boolean | null | undefined }} Query */

/**
 * One request; `keyed`: it goes under an idempotency key, `repeatable`: to do it twice is to do it once.
 *
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path
 * @property {Query} [query]
 * @property {object} [body]
 * @property {boolean} [keyed]
 * @property {string} [key]
 * @property {boolean} [repeatable]
 * @property {string} [media]
 */

export class Http {
  /** @type {string} */ url;
  /** @type {string | null} */ token;
  #timeout;
  #retry;
  #fetch;

  /**
   * @param {string} url
   * @param {HttpOptions} [options]
   */
  constructor(url, { token = null, timeout = 10_000, retry, fetch = globalThis.fetch } = {}) {
    this.url = base(url);
    this.token = token;
    this.#timeout = timeout;
    this.#retry = { ...RETRY, ...retry };
    this.#fetch = fetch;
  }

  /**
   * Make a call and read its answer. What may pass is tried again, and never done twice.
   *
   * @param {Call} call
   * @returns {Promise<any>}
   */
  async do(call) {
    const said = call.keyed ? { ...call, key: call.key ?? newKey() } : call;
    const attempts = new Attempts(this.#retry);
    for (;;) {
      try {
        return await this.#once(said, Math.min(this.#timeout, attempts.left));
      } catch (error) {
        if (!(error instanceof TwofoldError)) throw error;
        await sleep(attempts.after(error, Boolean(call.repeatable || call.keyed)));
      }
    }
  }

  /**
   * @param {Call} call
   * @param {number} within
   */
  async #once(call, within) {
    const { method, body, key, media = JSON_TYPE } = call;
    /** @type {{ [name: string]: string }} */
    const headers = { Accept: `${media}, ${PROBLEM}` };
    if (this.token !== null) headers.Authorization = `Bearer ${this.token}`;
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (body) headers["Content-Type"] = JSON_TYPE;
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(within)));
    const sent = { method, headers, signal, body: body && JSON.stringify(body) };
    try {
      const fetch = this.#fetch;
      return await answer(call, await fetch(this.address(call), sent));
    } catch (error) {
      throw error instanceof TwofoldError ? error : unanswered(`${method} ${call.path}`, error);
    }
  }

  /**
   * Where a call goes.
   *
   * @param {Call} call
   */
  address({ path, query = {} }) {
    const told = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(told.map(([name, value]) => [name, String(value)])).toString();
    return this.url + path + (search && `?${search}`);
  }
}

/**
 * What the service said; a refusal or anything that is no answer of its own is thrown.
 *
 * @param {Call} call
 * @param {Response} response
 */
async function answer({ method, path, media = JSON_TYPE }, response) {
  const type = (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  const seconds = response.headers.get("retry-after") ?? "";
  const retryAfter = /^[0-9]+$/.test(seconds) ? Number(seconds) * 1000 : null;
  const notOurs = (/** @type {string} */ told) => {
    const retryable = GATEWAY.includes(response.status);
    return new NoAnswer("not_ours", `${method} ${path}: ${response.status} with ${told}`, { retryable, retryAfter });
  };
  if (type === PROBLEM || (response.ok && type === media && media === JSON_TYPE)) {
    const text = await response.text();
    const told = parsed(text);
    if (told === undefined || told === null) throw notOurs("what is no JSON of a service");
    if (type !== PROBLEM) return told;
    throw typeof told.code === "string"
      ? new ServiceError(told, retryAfter)
      : notOurs("what is no problem of a service");
  }
  if (response.status === 204) return undefined;
  if (!response.ok || type !== media) throw notOurs(type || "no content type");
  return media.startsWith("text/") ? response.text() : response.blob();
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} asked
 * @param {unknown} cause
 */
function unanswered(asked, cause) {
  if (cause instanceof DOMException && cause.name === "TimeoutError") {
    return new NoAnswer("timeout", `${asked}: no answer in time`, { cause });
  }
  return new NoAnswer("unreachable", `${asked}: no connection, or it was lost`, { cause });
}

/** @param {string} url */
function base(url) {
  const { protocol, search, hash } = new URL(url);
  if (!/^https?:$/.test(protocol) || search || hash) {
    throw new TypeError(`the address of a service is like http://host:8000, not ${JSON.stringify(url)}`);
  }
  return url.replace(/[/]+$/, "");
}
