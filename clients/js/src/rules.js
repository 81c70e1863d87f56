/** The rule book and the proof of records, for which no service is needed. */

export { DIRECTIONS, emptyCells, legalMoves, maxTile, shift, withTile } from "./board.js";
export { compare } from "./compare.js";
export { InvalidRecord, NotComparable } from "./errors.js";
export { GOAL, MODES } from "./modes.js";
export { parseRecord } from "./parse.js";
export { canonical, digest } from "./canonical.js";
export { replay } from "./replay.js";
export { hmacSha256, sha256 } from "./sha256.js";
export { commitment, dailySeed, spawn, startTiles } from "./spawn.js";
export { verify } from "./verify.js";
