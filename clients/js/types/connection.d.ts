export const PROTOCOL: "twofold.v1";
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
    /**
     * @param {ConnectionOptions} options
     * @param {Talk} talk
     */
    constructor(options: ConnectionOptions, talk: Talk);
    /** @type {LiveStatus} */
    status: LiveStatus;
    /** Begin, unless that is done. */
    open(): void;
    /** End for good. */
    close(reason?: TwofoldError): void;
    /** Begin anew where we are somebody else by now. */
    renew(): void;
    /** Do not wait any longer before the next attempt. */
    retryNow(): void;
    /** Ask whether the service still answers; the connection counts as lost where it does not. */
    probe(): void;
    /** @param {string} text */
    send(text: string): void;
    /** The service has answered the hello. */
    greeted(): void;
    /**
     * The service restarts, and is to be met again after so many ms.
     *
     * @param {number} after
     */
    draining(after: number): void;
    #private;
}
/**
 * What a client needs of a WebSocket; browsers' fit.
 */
export type Socket = {
    protocol: string;
    onopen: ((event: any) => void) | null;
    onmessage: ((event: any) => void) | null;
    onclose: ((event: any) => void) | null;
    onerror: ((event: any) => void) | null;
    send: (text: string) => void;
    close: () => void;
};
export type SocketClass = new (url: string, protocol: string) => Socket;
/**
 * How the connection stands. `lost`: it is tried again at `retryAt` (ms since 1970; null while that is under way),
 * `closed`: it is not; `reason` is the error it was lost or closed by. `draining`: the service restarts, commands
 * wait.
 */
export type LiveStatus = {
    state: "idle" | "connecting" | "open" | "lost" | "closed";
    reason: TwofoldError | null;
    retryAt: number | null;
    draining: boolean;
};
export type ConnectionOptions = {
    url: string;
    WebSocket: SocketClass | undefined;
    retry: Retry;
    /**
     * How long an attempt may take, in ms.
     */
    timeout: number;
    /**
     * How long the service may be silent.
     */
    silence: number;
    /**
     * How long the connection may be lost.
     */
    patience: number;
    token: () => string | null;
};
/**
 * Who is told of what the connection does.
 */
export type Talk = {
    /**
     * The first frame.
     */
    hello: (token: string | null) => string;
    /**
     * A frame that is answered.
     */
    ping: () => string;
    /**
     * A frame has come; what it throws ends the connection.
     */
    hear: (frame: {
        [name: string]: any;
    }) => void;
    /**
     * The status has changed.
     */
    changed: () => void;
};
import { TwofoldError } from "./errors.js";
import type { Retry } from "./backoff.js";
