export { LiveGame } from "./game.js";
export { Live } from "./live.js";
export * from "./rules.js";
export { Client, connect } from "./client.js";
export { Cleared, GameGone, LiveClosed, NoAnswer, ServiceError, TwofoldError } from "./errors.js";
export { items, Rest } from "./rest.js";
