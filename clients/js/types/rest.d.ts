/**
 * A list, page after page, asked for as far as it is read.
 *
 * @template Item
 * @param {(cursor: string | undefined) => Promise<{ items: Item[], next_cursor: string | null }>} fetchPage
 * @returns {AsyncGenerator<Item, void>}
 */
export function items<Item>(fetchPage: (cursor: string | undefined) => Promise<{
    items: Item[];
    next_cursor: string | null;
}>): AsyncGenerator<Item, void>;
/** @typedef {{ version?: number | null, key?: string }} Told The version you saw (null: any), an idempotency key. */
/** @typedef {{ depth?: number }} Depth Moves looked at, 1 to 4. */
/** @typedef {"day" | "week" | "month" | "all"} Period */
/** @typedef {{ limit?: number, cursor?: string | null }} Paging */
/** @typedef {{ assisted?: boolean, bots?: boolean } & Paging} Among With hints too; bots alone. */
/** Asks a service over HTTP; `token` is who asks. */
export class Rest {
    /**
     * @param {string} url
     * @param {HttpOptions} [options]
     */
    constructor(url: string, options?: HttpOptions);
    get url(): string;
    set token(token: string | null);
    get token(): string | null;
    /**
     * A new player, no account needed; the token is told only now. A program is a `bot`, for good.
     *
     * @param {{ name?: string | null, bot?: boolean }} [wish]
     * @returns {Promise<PlayerAndToken>}
     */
    createPlayer(wish?: {
        name?: string | null;
        bot?: boolean;
    }): Promise<PlayerAndToken>;
    /** @returns {Promise<Player>} */
    getMe(): Promise<Player>;
    /**
     * Take another name, or none.
     *
     * @param {string | null} name
     * @returns {Promise<Player>}
     */
    renameMe(name: string | null): Promise<Player>;
    /**
     * You and your games are gone for good.
     *
     * @returns {Promise<void>}
     */
    deleteMe(): Promise<void>;
    /**
     * A new token; yours lasts until that is used, at most a minute. `others` ends all other devices'.
     *
     * @param {{ others?: boolean }} [which]
     * @returns {Promise<Token>}
     */
    createToken(which?: {
        others?: boolean;
    }): Promise<Token>;
    /**
     * A one-time code that makes another device yours, for ten minutes.
     *
     * @returns {Promise<Link>}
     */
    createLink(): Promise<Link>;
    /**
     * Become who made the code.
     *
     * @param {string} code
     * @returns {Promise<PlayerAndToken>}
     */
    useLink(code: string): Promise<PlayerAndToken>;
    /**
     * Your bests and sums.
     *
     * @returns {Promise<Records>}
     */
    getRecords(): Promise<Records>;
    /** @returns {Promise<Modes>} */
    listModes(): Promise<Modes>;
    /**
     * What a direction does to a board, or to each of up to 256.
     *
     * @template {SlidesRequest | SlidesRequest[]} Asked
     * @param {Asked} asked
     * @returns {Promise<Asked extends any[] ? SlidesResult[] : SlidesResult>}
     */
    computeSlides<Asked extends SlidesRequest | SlidesRequest[]>(asked: Asked): Promise<Asked extends any[] ? SlidesResult[] : SlidesResult>;
    /**
     * What the solver would do.
     *
     * @param {HintRequest} asked
     * @returns {Promise<Hint>}
     */
    getHint(asked: HintRequest): Promise<Hint>;
    /**
     * Begin a game; `replaces` ends another of yours.
     *
     * @param {NewGame} wish
     * @param {{ key?: string }} [told]
     * @returns {Promise<Game>}
     */
    createGame(wish: NewGame, { key }?: {
        key?: string;
    }): Promise<Game>;
    /**
     * Your games, newest first; the status "open" is all but "over".
     *
     * @param {{ mode?: string, status?: Status | "open" } & Paging} [which]
     * @returns {Promise<GamesPage>}
     */
    listGames(which?: {
        mode?: string;
        status?: Status | "open";
    } & Paging): Promise<GamesPage>;
    /**
     * @param {string} id
     * @returns {Promise<Game>}
     */
    getGame(id: string): Promise<Game>;
    /**
     * The same in a game of yours, now `assisted`.
     *
     * @param {string} id
     * @param {Depth} [how]
     * @returns {Promise<GameHint>}
     */
    getGameHint(id: string, how?: Depth): Promise<GameHint>;
    /**
     * How good each move was, or how far that is known.
     *
     * @param {string} id
     * @param {Depth} [how]
     * @returns {Promise<Analysis | Underway>}
     */
    getAnalysis(id: string, how?: Depth): Promise<Analysis | Underway>;
    /**
     * A game's log after a version.
     *
     * @param {string} id
     * @param {{ after?: number, limit?: number }} [which]
     * @returns {Promise<EventsPage>}
     */
    getEvents(id: string, which?: {
        after?: number;
        limit?: number;
    }): Promise<EventsPage>;
    /**
     * A game's record, which proves itself.
     *
     * @param {string} id
     * @returns {Promise<Record>}
     */
    exportGame(id: string): Promise<Record>;
    /**
     * The stored rows of a game of yours.
     *
     * @param {string} id
     * @returns {Promise<RawRows>}
     */
    exportRows(id: string): Promise<RawRows>;
    /**
     * @param {string} id
     * @param {{ version?: number }} [which]
     * @returns {Promise<Blob>}
     */
    drawBoardSvg(id: string, which?: {
        version?: number;
    }): Promise<Blob>;
    /**
     * @param {string} id
     * @param {{ version?: number }} [which]
     * @returns {Promise<Blob>}
     */
    drawBoardPng(id: string, which?: {
        version?: number;
    }): Promise<Blob>;
    /**
     * @param {string} id
     * @param {{ version?: number }} [which]
     * @returns {Promise<Blob>}
     */
    drawReplay(id: string, which?: {
        version?: number;
    }): Promise<Blob>;
    /**
     * The address of a picture; a public game's is anybody's.
     *
     * @param {string} id
     * @param {"board.svg" | "board.png" | "replay.gif"} picture
     * @param {{ version?: number }} [which]
     */
    pictureUrl(id: string, picture: "board.svg" | "board.png" | "replay.gif", which?: {
        version?: number;
    }): string;
    /**
     * Push the tiles.
     *
     * @param {string} id
     * @param {Direction} direction
     * @param {Told} [told]
     * @returns {Promise<MoveResult>}
     */
    move(id: string, direction: Direction, { version, key }?: Told): Promise<MoveResult>;
    /**
     * Let a ready game's clock run.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    start(id: string, told?: Told): Promise<CommandResult>;
    /**
     * Take one move back; its time and the undo are spent.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    undo(id: string, told?: Told): Promise<CommandResult>;
    /**
     * Stop a running game's clock.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    pause(id: string, told?: Told): Promise<CommandResult>;
    /**
     * Let a paused game's clock run.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    resume(id: string, told?: Told): Promise<CommandResult>;
    /**
     * Play on after the goal was reached.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    continue(id: string, told?: Told): Promise<CommandResult>;
    /**
     * End the game for good; a finished one keeps its outcome and gives up its undos.
     *
     * @param {string} id
     * @param {Told} [told]
     */
    abandon(id: string, told?: Told): Promise<CommandResult>;
    /**
     * Have a record proved, and learn whether the game was played there.
     *
     * @param {Record} record
     * @returns {Promise<Verified>}
     */
    verifyRecord(record: Record): Promise<Verified>;
    /** @returns {Promise<Daily>} */
    getToday(): Promise<Daily>;
    /**
     * @param {string} date
     * @returns {Promise<Daily>}
     */
    getDaily(date: string): Promise<Daily>;
    /**
     * Results of a date, and where you stand.
     *
     * @param {string} date
     * @param {{ order?: "score" | "max_tile" | "moves" | "time", attempt?: "first" | "best" } & Among} [which]
     * @returns {Promise<ResultsPage>}
     */
    getResults(date: string, which?: {
        order?: "score" | "max_tile" | "moves" | "time";
        attempt?: "first" | "best";
    } & Among): Promise<ResultsPage>;
    /**
     * Two to four games of a date, by move.
     *
     * @param {string} date
     * @param {string[]} games
     * @returns {Promise<Comparison>}
     */
    compareGames(date: string, games: string[]): Promise<Comparison>;
    /**
     * The best finished game of each player in a category, of this UTC day, ISO week or month, or of all.
     *
     * @param {{ mode?: string, size?: number, undo_limit?: number, period?: Period } & Among} [which]
     * @returns {Promise<ResultsPage>}
     */
    getLeaderboard(which?: {
        mode?: string;
        size?: number;
        undo_limit?: number;
        period?: Period;
    } & Among): Promise<ResultsPage>;
    /** @returns {Promise<Health>} */
    getHealth(): Promise<Health>;
    /** @returns {Promise<Readiness>} */
    getReadiness(): Promise<Readiness>;
    /**
     * Prometheus metrics.
     *
     * @returns {Promise<string>}
     */
    getMetrics(): Promise<string>;
    /**
     * Make any call and read its answer.
     *
     * @param {Call} call
     * @returns {Promise<any>}
     */
    do(call: Call): Promise<any>;
    #private;
}
/**
 * The version you saw (null: any), an idempotency key.
 */
export type Told = {
    version?: number | null;
    key?: string;
};
/**
 * Moves looked at, 1 to 4.
 */
export type Depth = {
    depth?: number;
};
export type Period = "day" | "week" | "month" | "all";
export type Paging = {
    limit?: number;
    cursor?: string | null;
};
/**
 * With hints too; bots alone.
 */
export type Among = {
    assisted?: boolean;
    bots?: boolean;
} & Paging;
import type { PlayerAndToken } from "./types.js";
import type { Player } from "./types.js";
import type { Token } from "./types.js";
import type { Link } from "./types.js";
import type { Records } from "./types.js";
import type { Modes } from "./types.js";
import type { SlidesRequest } from "./types.js";
import type { SlidesResult } from "./types.js";
import type { HintRequest } from "./types.js";
import type { Hint } from "./types.js";
import type { NewGame } from "./types.js";
import type { Game } from "./types.js";
import type { Status } from "./types.js";
import type { GamesPage } from "./types.js";
import type { GameHint } from "./types.js";
import type { Analysis } from "./types.js";
import type { Underway } from "./types.js";
import type { EventsPage } from "./types.js";
import type { Record } from "./types.js";
import type { RawRows } from "./types.js";
import type { Direction } from "./types.js";
import type { MoveResult } from "./types.js";
import type { CommandResult } from "./types.js";
import type { Verified } from "./types.js";
import type { Daily } from "./types.js";
import type { ResultsPage } from "./types.js";
import type { Comparison } from "./types.js";
import type { Health } from "./types.js";
import type { Readiness } from "./types.js";
import type { Call } from "./http.js";
import type { HttpOptions } from "./http.js";
