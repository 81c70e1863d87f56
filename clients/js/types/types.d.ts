/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type Direction = "up" | "down" | "left" | "right";
/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type Status = "ready" | "running" | "paused" | "won" | "over";
/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type Outcome = "no_moves" | "time_up" | "move_limit" | "abandoned";
/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type EventType = "created" | "start" | "move" | "undo" | "pause" | "resume" | "continue" | "over";
/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type Cause = "player" | "disconnect" | "idle" | "outage" | "time_up" | "reveal";
/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 */
export type Command = "start" | "undo" | "pause" | "resume" | "continue" | "abandon";
/**
 * Rows of face values, top row first, 0 for an empty cell.
 */
export type Board = number[][];
/**
 * RFC 3339, UTC, milliseconds.
 */
export type Instant = string;
/**
 * The path to a field or figure.
 */
export type Place = (string | number)[];
/**
 * Codes of the service's refusals.
 */
export type ProblemCode = "already_started" | "attempt_open" | "awaiting_continue" | "bad_frame" | "busy" | "corrupt_game" | "daily_sealed" | "draining" | "forbidden" | "game_over" | "internal" | "invalid" | "key_reused" | "method_not_allowed" | "not_final" | "not_found" | "not_paused" | "not_running" | "not_started" | "not_won" | "nothing_to_undo" | "paused" | "rate_limited" | "solver_unavailable" | "stale_version" | "storage_full" | "storage_unavailable" | "too_large" | "too_many" | "unauthorized" | "undo_exhausted" | "unsupported_media_type";
/**
 * One tile's journey in a move, from cell to cell; `value` is its face value before.
 */
export type Slide = {
    from: number;
    to: number;
    value: number;
    merged: boolean;
};
/**
 * A tile that appears.
 */
export type Spawn = {
    cell: number;
    value: number;
};
/**
 * `limit` null is unlimited; `available`: an undo would be accepted now.
 */
export type Undo = {
    limit: number | null;
    used: number;
    available: boolean;
};
/**
 * Active time as of `server_now`; limits of null are none.
 */
export type Clock = {
    running: boolean;
    active_ms: number;
    limit_ms: number | null;
    remaining_ms: number | null;
    server_now: Instant;
};
/**
 * `bot`: a program, which said so when it joined; left out for people.
 */
export type Player = {
    id: string;
    name: string | null;
    bot?: true | undefined;
};
/**
 * One entry of a game's log, and the game as it stood after it.
 */
export type Event = {
    version: number;
    type: EventType;
    at: Instant;
    active_ms: number;
    direction?: Direction | undefined;
    slides?: Slide[] | undefined;
    spawn?: Spawn | undefined;
    cause?: Cause | undefined;
    board: Board;
    score: number;
    score_delta: number;
    max_tile: number;
    moves: number;
    legal_moves: Direction[];
    spawn_index: number;
    status: Status;
    outcome: Outcome | null;
    final: boolean;
    reached_goal: boolean;
    undo: Undo;
    clock: Clock;
    seed?: string | undefined;
};
/**
 * A game as it stands.
 */
export type Game = {
    id: string;
    mode: string;
    size: number;
    goal: number;
    category: string | null;
    status: Status;
    outcome: Outcome | null;
    final: boolean;
    reached_goal: boolean;
    board: Board;
    score: number;
    best_score: number | null;
    max_tile: number;
    moves: number;
    move_limit: number | null;
    legal_moves: Direction[];
    undo: Undo;
    clock: Clock;
    pauses: number;
    elapsed_ms: number | null;
    ranked: boolean;
    assisted: boolean;
    spawn_index: number;
    version: number;
    commitment: string;
    seed: string | null;
    date: string | null;
    attempt: number | null;
    player: Player;
    visibility: "public" | "private";
    created_at: Instant;
    started_at: Instant | null;
    ended_at: Instant | null;
    replayed?: boolean | undefined;
};
/**
 * A game whose stored data cannot be read, as it stands in lists.
 */
export type CorruptGame = {
    id: string;
    mode: string;
    status: "corrupt";
};
/**
 * What a new game is to be; what is left out is the mode's default. Board, seed and date are for practice.
 */
export type NewGame = {
    mode: string;
    size?: number | null | undefined;
    undo_limit?: number | null | undefined;
    start?: boolean | null | undefined;
    visibility?: "public" | "private" | undefined;
    replaces?: string | null | undefined;
    board?: Board | null | undefined;
    seed?: string | null | undefined;
    date?: string | null | undefined;
};
/**
 * What came of a move; `event` is null where it changed nothing. `replayed`: the key was used before.
 */
export type MoveResult = {
    moved: boolean;
    event: Event | null;
    game: Game;
    replayed?: boolean | undefined;
};
export type CommandResult = {
    event: Event | null;
    game: Game;
    replayed?: boolean | undefined;
};
/**
 * What a direction does to a board, before the spawn.
 */
export type SlidesResult = {
    board: Board;
    moved: boolean;
    score_delta: number;
    slides: Slide[];
};
export type SlidesRequest = {
    board: Board;
    direction: Direction;
};
/**
 * What the solver makes of a board: by direction the points expected from it on. Of sizes other than 4 × 4 the values
 * only compare directions, and `trained` is false. The reasons speak against the next best direction.
 */
export type Hint = {
    size: number;
    depth: number;
    trained: boolean;
    best: Direction;
    values: { [direction in Direction]?: number; };
    reasons: Reason[];
};
export type GameHint = Hint & {
    version: number;
};
export type HintRequest = {
    board: Board;
    depth?: number | undefined;
};
export type ReasonCode = "corner_left" | "edge_left" | "corner_missed" | "corner_at_risk" | "end_possible" | "chain_broken" | "merge_missed" | "cells_closed" | "small_between" | "gap_between";
/**
 * Why a move is worse than another, by what is seen on the boards: a code, and figures that depend on it.
 */
export type Reason = {
    code: ReasonCode;
    tile?: number | undefined;
    cell?: number | undefined;
    to?: number | undefined;
    chance?: number | undefined;
    worse?: number | undefined;
    better?: number | undefined;
    tiles?: number[] | undefined;
    cells?: number[] | undefined;
    between?: number[] | undefined;
};
/**
 * A move that cost much; `version` and `board` are those before it.
 */
export type TurningPoint = {
    move: number;
    version: number;
    board: Board;
    played: Direction;
    best: Direction;
    loss: number;
    share: number;
    kind: "blunder" | "mistake" | "inaccuracy";
    reasons: Reason[];
};
/**
 * What the moves of a finished game were worth; the arrays of `points` by move. `accuracy`, `loss` and shares are null
 * where the values are no points.
 */
export type Analysis = {
    game: string;
    size: number;
    depth: number;
    trained: boolean;
    moves: number;
    accuracy: number | null;
    loss: number | null;
    counts: LossCounts;
    thresholds: Thresholds;
    turning_points: TurningPoint[];
    points: Moves;
};
export type LossCounts = {
    blunders: number;
    mistakes: number;
    inaccuracies: number;
};
/**
 * From which share, and how many points at least, a loss has its name.
 */
export type Thresholds = {
    inaccuracy: number;
    mistake: number;
    blunder: number;
    least_points: number;
};
/**
 * One entry a move of the path the game ended on.
 */
export type Moves = {
    score: number[];
    loss: number[];
    share: (number | null)[];
    played: Direction[];
    best: Direction[];
};
/**
 * An analysis that is not made yet.
 */
export type Underway = {
    state: "queued" | "running";
    progress: number;
};
/**
 * A mode; the first of `sizes` and of `undo_limits` is the default, null an unlimited one.
 */
export type Mode = {
    mode: string;
    sizes: number[];
    undo_limits: (number | null)[];
    time_limit_ms: number | null;
    move_limit: number | null;
    goal: number;
    starts_by_command: boolean;
    ranked: boolean;
};
export type Modes = {
    items: Mode[];
};
/**
 * A player and its token, which is told only this once.
 */
export type PlayerAndToken = {
    player: Player;
    token: string;
};
export type Token = {
    token: string;
};
/**
 * A one-time code for another device.
 */
export type Link = {
    code: string;
    expires_at: Instant;
};
/**
 * A page of games, newest first; `next_cursor` null on the last.
 */
export type GamesPage = {
    items: (Game | CorruptGame)[];
    next_cursor: string | null;
};
export type EventsPage = {
    items: Event[];
    next_after: number | null;
};
/**
 * A game as rankings list it; in a comparison it may be open or unranked, and then has no rank.
 */
export type Result = {
    rank: number | null;
    player: Player;
    game: string;
    score: number;
    max_tile: number;
    moves: number;
    active_ms: number;
    goal_moves: number | null;
    goal_active_ms: number | null;
    pauses: number;
    elapsed_ms: number | null;
    outcome: Outcome | null;
    reached_goal: boolean;
    assisted: boolean;
    attempt: number | null;
    ended_at: Instant | null;
};
/**
 * A page of a ranking, its order and your own place.
 */
export type ResultsPage = {
    items: Result[];
    next_cursor: string | null;
    order: string[];
    as_of: Instant;
    me: Result | null;
};
/**
 * The puzzle of a UTC date; `seed` from `reveals_at` on, `best` is a first attempt.
 */
export type Daily = {
    date: string;
    opens_at: Instant;
    closes_at: Instant;
    reveals_at: Instant;
    commitment: string;
    seed: string | null;
    players: number;
    best: Result | null;
    par: Par | null;
};
/**
 * What the solver made of a date's tiles once they are shown; `best` and `median` are of first attempts.
 */
export type Par = {
    levels: ParLevel[];
    best: number | null;
    median: number | null;
    luck: Luck;
};
export type ParLevel = {
    level: number;
    score: number;
    max_tile: number;
};
/**
 * How the solver fared on other tiles: its mean there, and the share of them on which it came to less.
 */
export type Luck = {
    level: number;
    games: number;
    mean: number;
    share: number;
};
export type Choice = {
    game: string;
    direction: Direction;
};
/**
 * Where games part: the move, counted from 1, and the board before it.
 */
export type Fork = {
    move: number;
    board: Board;
    choices: Choice[];
};
/**
 * A game's figures after each move of its final path; the first of each is that of the start.
 */
export type Series = {
    game: string;
    score: number[];
    empty: number[];
    max_tile: number[];
    active_ms: number[];
};
/**
 * Games of one date side by side.
 */
export type Comparison = {
    date: string;
    games: Result[];
    common_moves: number;
    fork: Fork | null;
    series: Series[];
};
/**
 * Bests and sums in one category.
 */
export type CategoryRecord = {
    category: string;
    mode: string;
    size: number;
    undo_limit: number;
    best_score: number;
    best_max_tile: number;
    finished: number;
    goals: number;
    moves: number;
    active_ms: number;
    assisted: number;
};
export type Totals = {
    best_score: number;
    best_max_tile: number;
    finished: number;
    goals: number;
    moves: number;
    active_ms: number;
    assisted: number;
};
/**
 * A player's bests and sums.
 */
export type Records = {
    categories: CategoryRecord[];
    daily_dates: string[];
    daily_attempts: number;
    totals: Totals;
};
/**
 * A field or figure at fault: the path to it, and what is wrong.
 */
export type FieldError = {
    loc: Place;
    msg: string;
};
/**
 * Why the service refused, in its own words (RFC 9457).
 */
export type Problem = {
    type: string;
    title: string;
    status: number;
    code: ProblemCode;
    detail: string;
    retryable: boolean;
    request_id: string;
    errors?: FieldError[] | undefined;
    game?: Game | undefined;
};
/**
 * One event of a record: type, direction, active time in ms, cause, cell and value of the spawn.
 */
export type RecordRow = [EventType, Direction | null, number, Cause | null, [number, number] | null];
export type RecordGame = {
    id: string;
    mode: string;
    date: string | null;
    attempt: number | null;
    player: Player;
    created_at: Instant;
    started_at: Instant | null;
    ended_at: Instant | null;
};
export type RecordRules = {
    size: number;
    goal: number;
    time_limit_ms: number | null;
    move_limit: number | null;
    undo_limit: number | null;
};
export type RecordStart = {
    given: boolean;
    cells: number[];
    values: number[];
};
/**
 * What a game came to as of its last event.
 */
export type RecordResult = {
    score: number;
    max_tile: number;
    moves: number;
    active_ms: number;
    elapsed_ms: number | null;
    pauses: number;
    status: Status;
    outcome: Outcome | null;
    reached_goal: boolean;
    undos: number;
    board: Board;
};
/**
 * A game as a document that proves itself.
 */
export type Record = {
    format: "twofold.record/1";
    game: RecordGame;
    rules: RecordRules;
    start: RecordStart;
    events: RecordRow[];
    result: RecordResult;
    commitment: string;
    seed: string | null;
    digest: string;
};
/**
 * The stored rows of a game as they are.
 */
export type RawRows = {
    game: {
        [name: string]: unknown;
    };
    events: {
        [name: string]: unknown;
    }[];
};
/**
 * What the service found in a record; only `origin` "stored" says that the game was played there.
 */
export type Verified = {
    valid: boolean;
    proof: "seed" | "consistent";
    origin: "stored" | "differs" | "unknown";
    findings: FieldError[];
    result: RecordResult;
};
export type Health = {
    status: "ok";
};
export type Readiness = {
    status: "ready";
};
