/**
 * A command that waits for its reply; `frame` is made when it is said, `watches` is the game that it is to watch.
 *
 * @typedef {object} Asked
 * @property {() => string} frame
 * @property {LiveGame | null} watches
 * @property {(ok: any) => void} resolve
 * @property {(error: TwofoldError) => void} reject
 * @property {Attempts | null} attempts
 */
/**
 * One connection for many games. Commands stay until they are answered: after a lost connection they are said again
 * as they were, once the games that were watched are watched again from the version known.
 *
 * @extends {Emitter<{ status: [status: LiveStatus] }>}
 */
export class Live extends Emitter<{
    status: [status: LiveStatus];
}> {
    /**
     * @param {Rest} rest
     * @param {Omit<ConnectionOptions, "url" | "token">} options
     */
    constructor(rest: Rest, options: Omit<ConnectionOptions, "url" | "token">);
    /** How the connection stands. */
    get status(): LiveStatus;
    /** The service's lead over `Date.now()` in ms, estimated; null before it is known. */
    get offset(): number | null;
    /** The service's time in ms since 1970, estimated; this machine's before that is known. */
    serverNow(): number;
    /**
     * Be connected: settles once we are, or will not be.
     *
     * @returns {Promise<void>}
     */
    open(): Promise<void>;
    /** Close for good, unless opened again. */
    close(): void;
    /** Speak for whom the token says from now on. */
    renew(): void;
    /** Where the connection is lost, try again now. */
    retryNow(): void;
    /** Ask whether the service still answers; it is looked for anew where it does not. */
    probe(): void;
    /**
     * A game to play and to watch: the same value for the same game.
     *
     * @param {Game | string} game
     * @returns {LiveGame}
     */
    game(game: Game | string): LiveGame;
    /**
     * Say a command, now or when there is a connection, until it is answered.
     *
     * @param {string} op
     * @param {object} [fields]
     * @returns {Promise<any>} Its `ok`.
     */
    ask(op: string, fields?: object): Promise<any>;
    /**
     * Be told of a game from the version known on, over this connection and the next ones.
     *
     * @param {LiveGame} game
     * @returns {Promise<void>}
     */
    watch(game: LiveGame): Promise<void>;
    /** @param {LiveGame} game */
    unwatch(game: LiveGame): Promise<void>;
    #private;
}
/**
 * A command that waits for its reply; `frame` is made when it is said, `watches` is the game that it is to watch.
 */
export type Asked = {
    frame: () => string;
    watches: LiveGame | null;
    resolve: (ok: any) => void;
    reject: (error: TwofoldError) => void;
    attempts: Attempts | null;
};
import type { LiveStatus } from "./connection.js";
import { Emitter } from "./emitter.js";
import type { Game } from "./types.js";
import { LiveGame } from "./game.js";
import type { Rest } from "./rest.js";
import type { ConnectionOptions } from "./connection.js";
import { TwofoldError } from "./errors.js";
import { Attempts } from "./backoff.js";
