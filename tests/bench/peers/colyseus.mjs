/** Colyseus, state in memory: a room per player holds a board, and each move is answered by one patch. `PORT` */

import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

import { deal, isOver, play } from "./rules.mjs";

const State = schema({ cells: t.array("uint8"), score: t.uint32(), moves: t.uint32() }, "State");

class BoardRoom extends Room {
  maxClients = 1;
  patchRate = null; // not by the clock: a patch per move
  state = new State();
  cells = []; // reading the schema's array costs more than keeping a plain one

  messages = {
    move(_client, direction) {
      this.move(direction);
      this.broadcastPatch();
    },
  };

  onCreate() {
    this.begin();
    this.broadcastPatch(); // to nobody: or the first move's patch would tell the whole board again
  }

  begin() {
    const before = this.cells;
    this.cells = deal();
    this.state.score = this.state.moves = 0;
    this.show(before);
  }

  move(direction) {
    if (isOver(this.cells)) {
      this.begin();
      return;
    }
    const before = [...this.cells];
    const gain = play(this.cells, direction);
    if (gain < 0) return;
    this.state.score += gain;
    this.state.moves += 1;
    this.show(before);
  }

  show(before) {
    for (let at = 0; at < 16; at++) if (before[at] !== this.cells[at]) this.state.cells[at] = this.cells[at];
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false, gracefullyShutdown: false });
server.define("board", BoardRoom);
await server.listen(Number(process.argv[2]), "127.0.0.1");
