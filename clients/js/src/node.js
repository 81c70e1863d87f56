/** The client for Node: as everywhere, and with a WebSocket of its own where Node has none. */

/** @import { Options } from "./client.js" */

import { connect as connectAnywhere } from "./index.js";
import { NodeSocket } from "./node-socket.js";

export * from "./index.js";
export { NodeSocket };

/**
 * A client of the service at an address. Nothing is sent before it is asked to.
 *
 * @param {string} [url]
 * @param {Options} [options]
 */
export function connect(url, options) {
  return connectAnywhere(url, { WebSocket: globalThis.WebSocket ?? NodeSocket, ...options });
}
