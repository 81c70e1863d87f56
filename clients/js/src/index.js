/** All of the client: connection, games, REST, errors and the rules. README.md shows how. */

export { analysis } from "./analysis.js";
export { Client, connect } from "./client.js";
export { Cleared, GameGone, LiveClosed, NoAnswer, ServiceError, TwofoldError } from "./errors.js";
export { LiveGame } from "./game.js";
export { Live } from "./live.js";
export { items, Rest } from "./rest.js";
export * from "./rules.js";

/** @typedef {import("./client.js").Options} Options */
/** @typedef {import("./connection.js").LiveStatus} LiveStatus */
/** @typedef {import("./errors.js").ErrorCode} ErrorCode */
/** @typedef {import("./game.js").Queued} Queued */
/** @typedef {import("./replay.js").Replayed} Replayed */
/** @typedef {import("./verify.js").Finding} Finding */
/** @typedef {import("./verify.js").Verdict} Verdict */
