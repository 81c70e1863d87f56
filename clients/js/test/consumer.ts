// What somebody who writes TypeScript sees of the package; it is checked and never run.

import { connect, ServiceError, shift, verify } from "twofold-client";
import type { LiveGame, LiveStatus, Options, Queued, Verdict } from "twofold-client";
import { compare, MODES } from "twofold-client/rules";
import type { Event, Game, Mode } from "twofold-client/types";

const options: Options = { token: "tf_x", retry: { deadline: 5000 }, patience: Infinity };
const client = connect("http://127.0.0.1:8000", options);
const game: LiveGame = await client.newGame("classic", { size: 5, undo_limit: 5 });
const event: Event | null = await game.move("left", { version: null });
const state: Game = game.state;
const modes: readonly Mode[] = MODES;
game.on("state", (told, caused) => console.log(told.score, caused?.type));
game.on("queue", ([first]: readonly Queued[]) => console.log(first?.op, first?.sent));
client.live.on("status", ({ state, reason, retryAt }: LiveStatus) => console.log(state, reason?.code, retryAt));
for await (const told of game) console.log(told.slides?.[0].from, told.board[0][0]);
const one: boolean = (await client.rest.computeSlides({ board: state.board, direction: "up" })).moved;
const many: number = (await client.rest.computeSlides([{ board: state.board, direction: "up" }])).length;
const { findings }: Verdict = verify(await client.rest.exportGame(game.id));
try {
  await game.undo();
} catch (error) {
  if (error instanceof ServiceError && error.code === "undo_exhausted") console.log(error.game?.version);
}

// @ts-expect-error there is no such direction
await game.move("north");
// @ts-expect-error nor such a code
const wrong = (error: ServiceError) => error.code === "no_such_code";

console.log(event, modes, one, many, findings, wrong, shift(state.board, "up").slides, compare([]).fork);
