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
    /**
     * @param {string} url
     * @param {HttpOptions} [options]
     */
    constructor(url: string, { token, timeout, retry, fetch }?: HttpOptions);
    /** @type {string} */ url: string;
    /** @type {string | null} */ token: string | null;
    /**
     * Make a call and read its answer. What may pass is tried again, and never done twice.
     *
     * @param {Call} call
     * @returns {Promise<any>}
     */
    do(call: Call): Promise<any>;
    /**
     * Where a call goes.
     *
     * @param {Call} call
     */
    address({ path, query }: Call): string;
    #private;
}
export type HttpOptions = {
    token?: string | null;
    timeout?: number;
    retry?: Partial<Retry>;
    fetch?: typeof fetch;
};
export type Query = {
    [name: string]: string | number | boolean | null | undefined;
};
/**
 * One request; `keyed`: it goes under an idempotency key, `repeatable`: to do it twice is to do it once.
 */
export type Call = {
    method: string;
    path: string;
    query?: Query | undefined;
    body?: object | undefined;
    keyed?: boolean | undefined;
    key?: string | undefined;
    repeatable?: boolean | undefined;
    media?: string | undefined;
};
import type { Retry } from "./backoff.js";
