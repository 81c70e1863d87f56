/**
 * What the service's JSON looks like: the names and fields of openapi.json, which a test holds them to. Types alone;
 * this file is never loaded.
 *
 * @typedef {"up" | "down" | "left" | "right"} Direction
 * @typedef {"ready" | "running" | "paused" | "won" | "over"} Status
 * @typedef {"no_moves" | "time_up" | "move_limit" | "abandoned"} Outcome
 * @typedef {"created" | "start" | "move" | "undo" | "pause" | "resume" | "continue" | "over"} EventType
 * @typedef {"player" | "disconnect" | "idle" | "outage" | "time_up" | "reveal"} Cause
 * @typedef {"start" | "undo" | "pause" | "resume" | "continue" | "abandon"} Command
 * @typedef {number[][]} Board Rows of face values, top row first, 0 for an empty cell.
 * @typedef {string} Instant RFC 3339, UTC, milliseconds.
 * @typedef {(string | number)[]} Place The path to a field or figure.
 */

/**
 * Codes of the service's refusals.
 *
 * @typedef {"already_started" | "attempt_open" | "awaiting_continue" | "bad_frame" | "busy" | "corrupt_game"
 *   | "daily_sealed" | "draining" | "forbidden" | "game_over" | "internal" | "invalid" | "key_reused"
 *   | "method_not_allowed" | "not_final" | "not_found" | "not_paused" | "not_running" | "not_started" | "not_won"
 *   | "nothing_to_undo" | "paused" | "rate_limited" | "solver_unavailable" | "stale_version" | "storage_full"
 *   | "storage_unavailable" | "too_large" | "too_many" | "unauthorized" | "undo_exhausted" | "unsupported_media_type"} ProblemCode
 */

/**
 * One tile's journey in a move, from cell to cell; `value` is its face value before.
 *
 * @typedef {object} Slide
 * @property {number} from
 * @property {number} to
 * @property {number} value
 * @property {boolean} merged
 */

/**
 * A tile that appears.
 *
 * @typedef {object} Spawn
 * @property {number} cell
 * @property {number} value
 */

/**
 * `limit` null is unlimited; `available`: an undo would be accepted now.
 *
 * @typedef {object} Undo
 * @property {number | null} limit
 * @property {number} used
 * @property {boolean} available
 */

/**
 * Active time as of `server_now`; limits of null are none.
 *
 * @typedef {object} Clock
 * @property {boolean} running
 * @property {number} active_ms
 * @property {number | null} limit_ms
 * @property {number | null} remaining_ms
 * @property {Instant} server_now
 */

/**
 * `bot`: a program, which said so when it joined; left out for people.
 *
 * @typedef {object} Player
 * @property {string} id
 * @property {string | null} name
 * @property {true} [bot]
 */

/**
 * One entry of a game's log, and the game as it stood after it.
 *
 * @typedef {object} Event
 * @property {number} version
 * @property {EventType} type
 * @property {Instant} at
 * @property {number} active_ms
 * @property {Direction} [direction]
 * @property {Slide[]} [slides]
 * @property {Spawn} [spawn]
 * @property {Cause} [cause]
 * @property {Board} board
 * @property {number} score
 * @property {number} score_delta
 * @property {number} max_tile
 * @property {number} moves
 * @property {Direction[]} legal_moves
 * @property {number} spawn_index
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} final
 * @property {boolean} reached_goal
 * @property {Undo} undo
 * @property {Clock} clock
 * @property {string} [seed]
 */

/**
 * A game as it stands.
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {string} mode
 * @property {number} size
 * @property {number} goal
 * @property {string | null} category
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} final
 * @property {boolean} reached_goal
 * @property {Board} board
 * @property {number} score
 * @property {number | null} best_score
 * @property {number} max_tile
 * @property {number} moves
 * @property {number | null} move_limit
 * @property {Direction[]} legal_moves
 * @property {Undo} undo
 * @property {Clock} clock
 * @property {number} pauses
 * @property {number | null} elapsed_ms
 * @property {boolean} ranked
 * @property {boolean} assisted
 * @property {number} spawn_index
 * @property {number} version
 * @property {string} commitment
 * @property {string | null} seed
 * @property {string | null} date
 * @property {number | null} attempt
 * @property {Player} player
 * @property {"public" | "private"} visibility
 * @property {Instant} created_at
 * @property {Instant | null} started_at
 * @property {Instant | null} ended_at
 * @property {boolean} [replayed]
 */

/**
 * A game whose stored data cannot be read, as it stands in lists.
 *
 * @typedef {object} CorruptGame
 * @property {string} id
 * @property {string} mode
 * @property {"corrupt"} status
 */

/**
 * What a new game is to be; what is left out is the mode's default. Board, seed and date are for practice.
 *
 * @typedef {object} NewGame
 * @property {string} mode
 * @property {number | null} [size]
 * @property {number | null} [undo_limit]
 * @property {boolean | null} [start]
 * @property {"public" | "private"} [visibility]
 * @property {string | null} [replaces]
 * @property {Board | null} [board]
 * @property {string | null} [seed]
 * @property {string | null} [date]
 */

/**
 * What came of a move; `event` is null where it changed nothing. `replayed`: the key was used before.
 *
 * @typedef {object} MoveResult
 * @property {boolean} moved
 * @property {Event | null} event
 * @property {Game} game
 * @property {boolean} [replayed]
 */

/**
 * @typedef {object} CommandResult
 * @property {Event | null} event
 * @property {Game} game
 * @property {boolean} [replayed]
 */

/**
 * What a direction does to a board, before the spawn.
 *
 * @typedef {object} SlidesResult
 * @property {Board} board
 * @property {boolean} moved
 * @property {number} score_delta
 * @property {Slide[]} slides
 */

/**
 * @typedef {object} SlidesRequest
 * @property {Board} board
 * @property {Direction} direction
 */

/**
 * What the solver makes of a board: by direction the points expected from it on. Of sizes other than 4 × 4 the values
 * only compare directions, and `trained` is false. The reasons speak against the next best direction.
 *
 * @typedef {object} Hint
 * @property {number} size
 * @property {number} depth
 * @property {boolean} trained
 * @property {Direction} best
 * @property {{ [direction in Direction]?: number }} values
 * @property {Reason[]} reasons
 */

/** @typedef {Hint & { version: number }} GameHint */

/**
 * @typedef {object} HintRequest
 * @property {Board} board
 * @property {number} [depth]
 */

/**
 * @typedef {"corner_left" | "edge_left" | "corner_missed" | "corner_at_risk" | "end_possible" | "chain_broken"
 *   | "merge_missed" | "cells_closed" | "small_between" | "gap_between"} ReasonCode
 */

/**
 * Why a move is worse than another, by what is seen on the boards: a code, and figures that depend on it.
 *
 * @typedef {object} Reason
 * @property {ReasonCode} code
 * @property {number} [tile]
 * @property {number} [cell]
 * @property {number} [to]
 * @property {number} [chance]
 * @property {number} [worse]
 * @property {number} [better]
 * @property {number[]} [tiles]
 * @property {number[]} [cells]
 * @property {number[]} [between]
 */

/**
 * A move that cost much; `version` and `board` are those before it.
 *
 * @typedef {object} TurningPoint
 * @property {number} move
 * @property {number} version
 * @property {Board} board
 * @property {Direction} played
 * @property {Direction} best
 * @property {number} loss
 * @property {number} share
 * @property {"blunder" | "mistake" | "inaccuracy"} kind
 * @property {Reason[]} reasons
 */

/**
 * What the moves of a finished game were worth; the arrays of `points` by move. `accuracy`, `loss` and shares are null
 * where the values are no points.
 *
 * @typedef {object} Analysis
 * @property {string} game
 * @property {number} size
 * @property {number} depth
 * @property {boolean} trained
 * @property {number} moves
 * @property {number | null} accuracy
 * @property {number | null} loss
 * @property {LossCounts} counts
 * @property {Thresholds} thresholds
 * @property {TurningPoint[]} turning_points
 * @property {Moves} points
 */

/**
 * @typedef {object} LossCounts
 * @property {number} blunders
 * @property {number} mistakes
 * @property {number} inaccuracies
 */

/**
 * From which share, and how many points at least, a loss has its name.
 *
 * @typedef {object} Thresholds
 * @property {number} inaccuracy
 * @property {number} mistake
 * @property {number} blunder
 * @property {number} least_points
 */

/**
 * One entry a move of the path the game ended on.
 *
 * @typedef {object} Moves
 * @property {number[]} score
 * @property {number[]} loss
 * @property {(number | null)[]} share
 * @property {Direction[]} played
 * @property {Direction[]} best
 */

/**
 * An analysis that is not made yet.
 *
 * @typedef {object} Underway
 * @property {"queued" | "running"} state
 * @property {number} progress
 */

/**
 * A mode; the first of `sizes` and of `undo_limits` is the default, null an unlimited one.
 *
 * @typedef {object} Mode
 * @property {string} mode
 * @property {number[]} sizes
 * @property {(number | null)[]} undo_limits
 * @property {number | null} time_limit_ms
 * @property {number | null} move_limit
 * @property {number} goal
 * @property {boolean} starts_by_command
 * @property {boolean} ranked
 */

/**
 * @typedef {object} Modes
 * @property {Mode[]} items
 */

/**
 * A player and its token, which is told only this once.
 *
 * @typedef {object} PlayerAndToken
 * @property {Player} player
 * @property {string} token
 */

/**
 * @typedef {object} Token
 * @property {string} token
 */

/**
 * A one-time code for another device.
 *
 * @typedef {object} Link
 * @property {string} code
 * @property {Instant} expires_at
 */

/**
 * A page of games, newest first; `next_cursor` null on the last.
 *
 * @typedef {object} GamesPage
 * @property {(Game | CorruptGame)[]} items
 * @property {string | null} next_cursor
 */

/**
 * @typedef {object} EventsPage
 * @property {Event[]} items
 * @property {number | null} next_after
 */

/**
 * A game as rankings list it; in a comparison it may be open or unranked, and then has no rank.
 *
 * @typedef {object} Result
 * @property {number | null} rank
 * @property {Player} player
 * @property {string} game
 * @property {number} score
 * @property {number} max_tile
 * @property {number} moves
 * @property {number} active_ms
 * @property {number | null} goal_moves
 * @property {number | null} goal_active_ms
 * @property {number} pauses
 * @property {number | null} elapsed_ms
 * @property {Outcome | null} outcome
 * @property {boolean} reached_goal
 * @property {boolean} assisted
 * @property {number | null} attempt
 * @property {Instant | null} ended_at
 */

/**
 * A page of a ranking, its order and your own place.
 *
 * @typedef {object} ResultsPage
 * @property {Result[]} items
 * @property {string | null} next_cursor
 * @property {string[]} order
 * @property {Instant} as_of
 * @property {Result | null} me
 */

/**
 * The puzzle of a UTC date; `seed` from `reveals_at` on, `best` is a first attempt.
 *
 * @typedef {object} Daily
 * @property {string} date
 * @property {Instant} opens_at
 * @property {Instant} closes_at
 * @property {Instant} reveals_at
 * @property {string} commitment
 * @property {string | null} seed
 * @property {number} players
 * @property {Result | null} best
 * @property {Par | null} par
 */

/**
 * What the solver made of a date's tiles once they are shown; `best` and `median` are of first attempts.
 *
 * @typedef {object} Par
 * @property {ParLevel[]} levels
 * @property {number | null} best
 * @property {number | null} median
 * @property {Luck} luck
 */

/**
 * @typedef {object} ParLevel
 * @property {number} level
 * @property {number} score
 * @property {number} max_tile
 */

/**
 * How the solver fared on other tiles: its mean there, and the share of them on which it came to less.
 *
 * @typedef {object} Luck
 * @property {number} level
 * @property {number} games
 * @property {number} mean
 * @property {number} share
 */

/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {Direction} direction
 */

/**
 * Where games part: the move, counted from 1, and the board before it.
 *
 * @typedef {object} Fork
 * @property {number} move
 * @property {Board} board
 * @property {Choice[]} choices
 */

/**
 * A game's figures after each move of its final path; the first of each is that of the start.
 *
 * @typedef {object} Series
 * @property {string} game
 * @property {number[]} score
 * @property {number[]} empty
 * @property {number[]} max_tile
 * @property {number[]} active_ms
 */

/**
 * Games of one date side by side.
 *
 * @typedef {object} Comparison
 * @property {string} date
 * @property {Result[]} games
 * @property {number} common_moves
 * @property {Fork | null} fork
 * @property {Series[]} series
 */

/**
 * Bests and sums in one category.
 *
 * @typedef {object} CategoryRecord
 * @property {string} category
 * @property {string} mode
 * @property {number} size
 * @property {number} undo_limit
 * @property {number} best_score
 * @property {number} best_max_tile
 * @property {number} finished
 * @property {number} goals
 * @property {number} moves
 * @property {number} active_ms
 * @property {number} assisted
 */

/**
 * @typedef {object} Totals
 * @property {number} best_score
 * @property {number} best_max_tile
 * @property {number} finished
 * @property {number} goals
 * @property {number} moves
 * @property {number} active_ms
 * @property {number} assisted
 */

/**
 * A player's bests and sums.
 *
 * @typedef {object} Records
 * @property {CategoryRecord[]} categories
 * @property {string[]} daily_dates
 * @property {number} daily_attempts
 * @property {Totals} totals
 */

/**
 * A field or figure at fault: the path to it, and what is wrong.
 *
 * @typedef {object} FieldError
 * @property {Place} loc
 * @property {string} msg
 */

/**
 * Why the service refused, in its own words (RFC 9457).
 *
 * @typedef {object} Problem
 * @property {string} type
 * @property {string} title
 * @property {number} status
 * @property {ProblemCode} code
 * @property {string} detail
 * @property {boolean} retryable
 * @property {string} request_id
 * @property {FieldError[]} [errors]
 * @property {Game} [game]
 */

/**
 * One event of a record: type, direction, active time in ms, cause, cell and value of the spawn.
 *
 * @typedef {[EventType, Direction | null, number, Cause | null, [number, number] | null]} RecordRow
 */

/**
 * @typedef {object} RecordGame
 * @property {string} id
 * @property {string} mode
 * @property {string | null} date
 * @property {number | null} attempt
 * @property {Player} player
 * @property {Instant} created_at
 * @property {Instant | null} started_at
 * @property {Instant | null} ended_at
 */

/**
 * @typedef {object} RecordRules
 * @property {number} size
 * @property {number} goal
 * @property {number | null} time_limit_ms
 * @property {number | null} move_limit
 * @property {number | null} undo_limit
 */

/**
 * @typedef {object} RecordStart
 * @property {boolean} given
 * @property {number[]} cells
 * @property {number[]} values
 */

/**
 * What a game came to as of its last event.
 *
 * @typedef {object} RecordResult
 * @property {number} score
 * @property {number} max_tile
 * @property {number} moves
 * @property {number} active_ms
 * @property {number | null} elapsed_ms
 * @property {number} pauses
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} reached_goal
 * @property {number} undos
 * @property {Board} board
 */

/**
 * A game as a document that proves itself.
 *
 * @typedef {object} Record
 * @property {"twofold.record/1"} format
 * @property {RecordGame} game
 * @property {RecordRules} rules
 * @property {RecordStart} start
 * @property {RecordRow[]} events
 * @property {RecordResult} result
 * @property {string} commitment
 * @property {string | null} seed
 * @property {string} digest
 */

/**
 * The stored rows of a game as they are.
 *
 * @typedef {object} RawRows
 * @property {{ [name: string]: unknown }} game
 * @property {{ [name: string]: unknown }[]} events
 */

/**
 * What the service found in a record; only `origin` "stored" says that the game was played there.
 *
 * @typedef {object} Verified
 * @property {boolean} valid
 * @property {"seed" | "consistent"} proof
 * @property {"stored" | "differs" | "unknown"} origin
 * @property {FieldError[]} findings
 * @property {RecordResult} result
 */

/**
 * @typedef {object} Health
 * @property {"ok"} status
 */

/**
 * @typedef {object} Readiness
 * @property {"ready"} status
 */

export {};
