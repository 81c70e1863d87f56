/** All of the client: connection, games, REST, errors and the rules. README.md shows how. */

export { Client, connect } from "./client.js";
export { Cleared, GameGone, LiveClosed, NoAnswer, ServiceError, TwofoldError } from "./errors.js";
export { LiveGame } from "./game.js";
export { Live } from "./live.js";
export { items, Rest } from "./rest.js";
export * from "./rules.js";
