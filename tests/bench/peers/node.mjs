/** The least a Node server does: `ws`, JSON, a board per connection, nothing else. `PORT` */

import { createServer } from "node:http";

import { WebSocketServer } from "ws";

import { deal, isOver, play } from "./rules.mjs";

const http = createServer((_request, response) => response.writeHead(404).end());
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });

sockets.on("connection", (socket) => {
  let cells;
  let score;
  let moves;
  const begin = () => {
    cells = deal();
    score = moves = 0;
  };
  begin();
  socket.on("message", (data) => {
    const { direction } = JSON.parse(data);
    if (isOver(cells)) begin();
    else if (direction !== undefined) {
      const gain = play(cells, direction);
      if (gain >= 0) {
        score += gain;
        moves += 1;
      }
    }
    socket.send(JSON.stringify({ cells, score, moves }));
  });
});

http.listen(Number(process.argv[2]), "127.0.0.1");
