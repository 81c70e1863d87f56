/**
 * boardgame.io as it comes, matches in memory: `PORT`. Undo, which would copy a growing stack at every move, is off.
 *
 * package.json holds koa-compose at 4.1.0: later ones copy the list of middleware, and the lobby's routes, which
 * boardgame.io adds after its socket server has asked for that list, would be lost.
 */

import boardgame from "boardgame.io/dist/cjs/server.js";

import { deal, isOver, play } from "./rules.mjs";

const game = {
  name: "board",
  minPlayers: 1,
  maxPlayers: 1,
  disableUndo: true,
  setup: () => ({ cells: deal(), score: 0, moves: 0 }),
  moves: {
    // Tiles are the server's, so no client may foresee the move.
    move: {
      client: false,
      move: ({ G }, direction) => {
        const cells = [...G.cells];
        const gain = play(cells, direction);
        return gain < 0 ? "INVALID_MOVE" : { cells, score: G.score + gain, moves: G.moves + 1 };
      },
    },
  },
  endIf: ({ G }) => (isOver(G.cells) ? { score: G.score } : undefined),
};

const server = boardgame.Server({ games: [game], origins: [] });

// Its store never drops a log. A measurement begins with an empty one, as on a fresh server that is warm already.
server.router.delete("/matches", (context) => {
  for (const shelf of [server.db.state, server.db.initial, server.db.metadata, server.db.log]) shelf.clear();
  context.body = {};
});

// What it takes for a port goes to `listen` as it is; a bare number would listen on every address.
await server.run({ port: { host: "127.0.0.1", port: Number(process.argv[2]) } });
