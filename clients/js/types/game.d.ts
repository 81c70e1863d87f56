/**
 * A command without an answer yet; `sent`: it is on its way.
 *
 * @typedef {object} Queued
 * @property {"move" | Command} op
 * @property {Direction} [direction]
 * @property {boolean} sent
 */
/**
 * A command in the queue. `refusal`: it was not done, and whether it can be made again shows once the version is known.
 *
 * @typedef {object} Waiting
 * @property {"move" | Command} op
 * @property {Direction} [direction]
 * @property {boolean} sent
 * @property {number | null | undefined} version
 * @property {string} key
 * @property {TwofoldError | null} refusal
 * @property {(event: Event | null) => void} resolve
 * @property {(error: TwofoldError) => void} reject
 */
/**
 * What is told of a game.
 *
 * @typedef {{
 *   event: [event: Event, game: LiveGame],
 *   state: [state: Game, event: Event | null],
 *   queue: [queue: readonly Queued[]],
 *   gone: [error: TwofoldError],
 * }} GameNews
 */
/** @extends {Emitter<GameNews>} */
export class LiveGame extends Emitter<GameNews> {
    /**
     * @param {Live} live
     * @param {Rest} rest
     * @param {string} id
     */
    constructor(live: Live, rest: Rest, id: string);
    /**
     * Whose game it is, once it is watched.
     *
     * @type {"player" | "spectator" | null}
     */
    role: "player" | "spectator" | null;
    /** Whether a pause by an outage of the service is resumed by itself, and the moves it met are made after it. */
    resumes: boolean;
    get id(): string;
    /** The game as it was last told of; null before it was: await `watch()` then. */
    get state(): Game;
    /** The highest version known of; 0 before any is. */
    get version(): number;
    /** Active and remaining time by now, in ms; `remainingMs` is null without a limit. */
    get clock(): {
        activeMs: () => number;
        remainingMs: () => number | null;
    };
    /**
     * Commands without an answer yet, the first of them on its way.
     *
     * @returns {readonly Queued[]}
     */
    get queue(): readonly Queued[];
    /**
     * Push the tiles; null where that changes nothing.
     *
     * @param {Direction} direction
     * @param {Told} [told]
     */
    move(direction: Direction, told?: Told): Promise<Event | null>;
    /**
     * What the solver would do; the game is now `assisted`.
     *
     * @param {Depth} [how]
     */
    hint(how?: Depth): Promise<import("./types.js").GameHint>;
    /** @param {Told} [told] */
    start(told?: Told): Promise<Event | null>;
    /** @param {Told} [told] */
    undo(told?: Told): Promise<Event | null>;
    /** @param {Told} [told] */
    pause(told?: Told): Promise<Event | null>;
    /** @param {Told} [told] */
    resume(told?: Told): Promise<Event | null>;
    /** @param {Told} [told] */
    continue(told?: Told): Promise<Event | null>;
    /** @param {Told} [told] */
    abandon(told?: Told): Promise<Event | null>;
    /** Forget the commands that are not on their way; none of them is done. */
    clear(): void;
    /**
     * Begin to be told of the game; a loop over it does so by itself.
     *
     * @returns {Promise<Game>}
     */
    watch(): Promise<Game>;
    /** Be told no more; a later loop goes on where the last one was. */
    unwatch(): Promise<void>;
    /**
     * The game's events after a version, else after the one known at the first look, in order and each once, whatever
     * becomes of the connection, until nothing can follow.
     *
     * @param {number} [since]
     * @returns {AsyncGenerator<Event, void>}
     */
    events(since?: number): AsyncGenerator<Event, void>;
    /**
     * The game was told of as a whole.
     *
     * @param {Game} state
     */
    see(state: Game): void;
    /**
     * The watch has begun; `state` where not all events since the version told will follow.
     *
     * @param {"player" | "spectator"} role
     * @param {Game | null} state
     */
    watchAnswered(role: "player" | "spectator", state: Game | null): void;
    /**
     * An event was told.
     *
     * @param {Event} event
     */
    hear(event: Event): void;
    /**
     * Nothing more will be told.
     *
     * @param {TwofoldError} error
     */
    fail(error: TwofoldError): void;
    [Symbol.asyncIterator](): AsyncGenerator<Event, void, any>;
    #private;
}
/**
 * A command without an answer yet; `sent`: it is on its way.
 */
export type Queued = {
    op: "move" | Command;
    direction?: Direction | undefined;
    sent: boolean;
};
/**
 * A command in the queue. `refusal`: it was not done, and whether it can be made again shows once the version is known.
 */
export type Waiting = {
    op: "move" | Command;
    direction?: Direction | undefined;
    sent: boolean;
    version: number | null | undefined;
    key: string;
    refusal: TwofoldError | null;
    resolve: (event: Event | null) => void;
    reject: (error: TwofoldError) => void;
};
/**
 * What is told of a game.
 */
export type GameNews = {
    event: [event: Event, game: LiveGame];
    state: [state: Game, event: Event | null];
    queue: [queue: readonly Queued[]];
    gone: [error: TwofoldError];
};
import { Emitter } from "./emitter.js";
import type { Game } from "./types.js";
import type { Direction } from "./types.js";
import type { Told } from "./rest.js";
import type { Event } from "./types.js";
import type { Depth } from "./rest.js";
import type { TwofoldError } from "./errors.js";
import type { Live } from "./live.js";
import type { Rest } from "./rest.js";
import type { Command } from "./types.js";
