/**
 * @typedef {object} Options
 * @property {string | null} [token] Who you are.
 * @property {number} [timeout] How long one attempt may take, in ms.
 * @property {Partial<Retry>} [retry] How long a call is tried, the first and the longest pause, in ms.
 * @property {number} [patience] How long the live connection may be lost before it counts as closed, in ms.
 * @property {number} [silence] How long the service may be silent before the connection counts as lost, in ms.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {SocketClass} [WebSocket]
 */
/**
 * A client of the service at an address, a page's own by default. Nothing is sent before it is asked to.
 *
 * @param {string} [url]
 * @param {Options} [options]
 */
export function connect(url?: string, options?: Options): Client;
export class Client {
    /**
     * @param {string} [url]
     * @param {Options} [options]
     */
    constructor(url?: string, options?: Options);
    /** @type {Rest} */ rest: Rest;
    /** @type {Live} */ live: Live;
    /**
     * Who we have become; null before that.
     *
     * @type {Player | null}
     */
    player: Player | null;
    /** Keep it: it is all that makes you the player. */
    get token(): string | null;
    /**
     * Become a new player; this client has its token from now on.
     *
     * @param {string} [name]
     */
    join(name?: string): Promise<Player>;
    /**
     * Become the player who made the code; this client has a token of its own from now on.
     *
     * @param {string} code
     */
    useLink(code: string): Promise<Player>;
    /**
     * Go on under a new token; `others` ends all other devices' at once.
     *
     * @param {{ others?: boolean }} [which]
     */
    changeToken(which?: {
        others?: boolean;
    }): Promise<string>;
    /**
     * Begin a game.
     *
     * @param {string} mode
     * @param {Omit<NewGame, "mode"> & { key?: string }} [wish]
     * @returns {Promise<LiveGame>}
     */
    newGame(mode: string, { key, ...wish }?: Omit<NewGame, "mode"> & {
        key?: string;
    }): Promise<LiveGame>;
    /**
     * A game that exists; await its `watch()` to know how it stands.
     *
     * @param {Parameters<Live["game"]>[0]} game Its id, or the game as the service tells it.
     */
    game(game: Parameters<Live["game"]>[0]): LiveGame;
    /** Have nothing to do with the service any more. */
    close(): void;
    #private;
}
export type Options = {
    /**
     * Who you are.
     */
    token?: string | null | undefined;
    /**
     * How long one attempt may take, in ms.
     */
    timeout?: number | undefined;
    /**
     * How long a call is tried, the first and the longest pause, in ms.
     */
    retry?: Partial<Retry> | undefined;
    /**
     * How long the live connection may be lost before it counts as closed, in ms.
     */
    patience?: number | undefined;
    /**
     * How long the service may be silent before the connection counts as lost, in ms.
     */
    silence?: number | undefined;
    fetch?: typeof fetch | undefined;
    WebSocket?: SocketClass | undefined;
};
import { Rest } from "./rest.js";
import { Live } from "./live.js";
import type { Player } from "./types.js";
import type { NewGame } from "./types.js";
import type { LiveGame } from "./game.js";
import type { Retry } from "./backoff.js";
import type { SocketClass } from "./connection.js";
