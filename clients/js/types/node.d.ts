/**
 * A client of the service at an address. Nothing is sent before it is asked to.
 *
 * @param {string} [url]
 * @param {Options} [options]
 */
export function connect(url?: string, options?: Options): import("./client.js").Client;
export * from "./index.js";
export { NodeSocket };
import type { Options } from "./client.js";
import { NodeSocket } from "./node-socket.js";
