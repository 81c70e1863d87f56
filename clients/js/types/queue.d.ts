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
 * @typedef {Queued & {
 *   version: number | null | undefined,
 *   key: string,
 *   refusal: TwofoldError | null,
 *   resolve: (event: Event | null) => void,
 *   reject: (error: TwofoldError) => void,
 * }} Waiting
 */
/**
 * What is known of the game: its version, whether it is watched, whether the service itself has paused it, and whether
 * such a pause is resumed by itself.
 *
 * @typedef {object} Known
 * @property {number} version
 * @property {boolean} watched
 * @property {boolean} outage
 * @property {boolean} resumes
 */
/**
 * The game that the commands are of.
 *
 * @typedef {object} Owner
 * @property {() => Known} known
 * @property {(op: string, fields: object) => Promise<any>} ask Say a command until it is answered.
 * @property {(event: Event) => void} hear An answer has told an event.
 * @property {(state: Game) => void} see A refusal has told how the game stands.
 * @property {(queue: readonly Queued[]) => void} changed
 */
export class CommandQueue {
    /** @param {Owner} owner */
    constructor(owner: Owner);
    /**
     * The commands as they are told of, the first of them on its way.
     *
     * @returns {readonly Queued[]}
     */
    get told(): readonly Queued[];
    /**
     * Have a command done, in its turn.
     *
     * @param {"move" | Command} op
     * @param {Told} [told]
     * @param {Direction} [direction]
     * @returns {Promise<Event | null>}
     */
    add(op: "move" | Command, { version, key }?: Told, direction?: Direction): Promise<Event | null>;
    /**
     * Send the first command, unless it is on its way, or what it follows from is not told yet.
     *
     * @returns {void}
     */
    pump(): void;
    /**
     * Forget commands that are not on their way; none of them is done.
     *
     * @param {(command: Queued) => boolean} [which]
     */
    clear(which?: (command: Queued) => boolean): void;
    /** Nothing more will be told: whatever is not on its way ends here. */
    end(): void;
    /** Resume before anything else that is not on its way, what was refused because of the pause included. */
    resumeFirst(): void;
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
export type Waiting = Queued & {
    version: number | null | undefined;
    key: string;
    refusal: TwofoldError | null;
    resolve: (event: Event | null) => void;
    reject: (error: TwofoldError) => void;
};
/**
 * What is known of the game: its version, whether it is watched, whether the service itself has paused it, and whether
 * such a pause is resumed by itself.
 */
export type Known = {
    version: number;
    watched: boolean;
    outage: boolean;
    resumes: boolean;
};
/**
 * The game that the commands are of.
 */
export type Owner = {
    known: () => Known;
    /**
     * Say a command until it is answered.
     */
    ask: (op: string, fields: object) => Promise<any>;
    /**
     * An answer has told an event.
     */
    hear: (event: Event) => void;
    /**
     * A refusal has told how the game stands.
     */
    see: (state: Game) => void;
    changed: (queue: readonly Queued[]) => void;
};
import type { Command } from "./types.js";
import type { Told } from "./rest.js";
import type { Direction } from "./types.js";
import type { Event } from "./types.js";
import type { TwofoldError } from "./errors.js";
import type { Game } from "./types.js";
