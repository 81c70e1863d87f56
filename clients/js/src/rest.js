/** The operations of the service, one method each by its operationId; answers are its JSON as it is. */

/** @import { Analysis, Command, CommandResult, Comparison, Daily, Direction, EventsPage, Game } from "./types.js" */
/** @import { GameHint, GamesPage, Health, Hint, HintRequest, Link, Modes, MoveResult, NewGame } from "./types.js" */
/** @import { Player, PlayerAndToken, RawRows, Readiness, Record, Records, ResultsPage } from "./types.js" */
/** @import { SlidesRequest, SlidesResult, Status, Token, Underway, Verified } from "./types.js" */
/** @import { Call, HttpOptions, Query } from "./http.js" */

import { Http } from "./http.js";

/** @typedef {{ version?: number | null, key?: string }} Told The version you saw (null: any), an idempotency key. */
/** @typedef {{ depth?: number }} Depth Moves looked at, 1 to 4. */
/** @typedef {"day" | "week" | "month" | "all"} Period */
/** @typedef {{ limit?: number, cursor?: string | null }} Paging */
/** @typedef {{ assisted?: boolean, bots?: boolean } & Paging} Among With hints too; bots alone. */

/** Asks a service over HTTP; `token` is who asks. */
export class Rest {
  #http;

  /**
   * @param {string} url
   * @param {HttpOptions} [options]
   */
  constructor(url, options) {
    this.#http = new Http(url, options);
  }

  get url() {
    return this.#http.url;
  }

  get token() {
    return this.#http.token;
  }

  set token(token) {
    this.#http.token = token;
  }

  // Players: on these the service takes no key.

  /**
   * A new player, no account needed; the token is told only now. A program is a `bot`, for good.
   *
   * @param {{ name?: string | null, bot?: boolean }} [wish]
   * @returns {Promise<PlayerAndToken>}
   */
  createPlayer(wish = {}) {
    // One whose answer was lost never moves, and is forgotten.
    return this.do({ method: "POST", path: "/v1/players", body: wish, repeatable: true });
  }

  /** @returns {Promise<Player>} */
  getMe() {
    return this.do(get("/v1/players/me"));
  }

  /**
   * Take another name, or none.
   *
   * @param {string | null} name
   * @returns {Promise<Player>}
   */
  renameMe(name) {
    return this.do({ method: "PATCH", path: "/v1/players/me", body: { name }, repeatable: true });
  }

  /**
   * You and your games are gone for good.
   *
   * @returns {Promise<void>}
   */
  deleteMe() {
    return this.do({ method: "DELETE", path: "/v1/players/me" });
  }

  /**
   * A new token; yours lasts until that is used, at most a minute. `others` ends all other devices'.
   *
   * @param {{ others?: boolean }} [which]
   * @returns {Promise<Token>}
   */
  createToken(which = {}) {
    return this.do({ method: "POST", path: "/v1/players/me/token", body: which });
  }

  /**
   * A one-time code that makes another device yours, for ten minutes.
   *
   * @returns {Promise<Link>}
   */
  createLink() {
    return this.do({ method: "POST", path: "/v1/players/me/link", repeatable: true });
  }

  /**
   * Become who made the code.
   *
   * @param {string} code
   * @returns {Promise<PlayerAndToken>}
   */
  useLink(code) {
    return this.do({ method: "POST", path: "/v1/players/link", body: { code } });
  }

  /**
   * Your bests and sums.
   *
   * @returns {Promise<Records>}
   */
  getRecords() {
    return this.do(get("/v1/players/me/records"));
  }

  // The rules alone.

  /** @returns {Promise<Modes>} */
  listModes() {
    return this.do(get("/v1/modes"));
  }

  /**
   * What a direction does to a board, or to each of up to 256.
   *
   * @template {SlidesRequest | SlidesRequest[]} Asked
   * @param {Asked} asked
   * @returns {Promise<Asked extends any[] ? SlidesResult[] : SlidesResult>}
   */
  computeSlides(asked) {
    return this.do({ method: "POST", path: "/v1/slides", body: asked, repeatable: true });
  }

  /**
   * What the solver would do.
   *
   * @param {HintRequest} asked
   * @returns {Promise<Hint>}
   */
  getHint(asked) {
    return this.do({ method: "POST", path: "/v1/hints", body: asked, repeatable: true });
  }

  // Games.

  /**
   * Begin a game; `replaces` ends another of yours.
   *
   * @param {NewGame} wish
   * @param {{ key?: string }} [told]
   * @returns {Promise<Game>}
   */
  createGame(wish, { key } = {}) {
    return this.do({ method: "POST", path: "/v1/games", body: wish, keyed: true, key });
  }

  /**
   * Your games, newest first; the status "open" is all but "over".
   *
   * @param {{ mode?: string, status?: Status | "open" } & Paging} [which]
   * @returns {Promise<GamesPage>}
   */
  listGames(which) {
    return this.do(get("/v1/games", which));
  }

  /**
   * @param {string} id
   * @returns {Promise<Game>}
   */
  getGame(id) {
    return this.do(get(game(id)));
  }

  /**
   * The same in a game of yours, now `assisted`.
   *
   * @param {string} id
   * @param {Depth} [how]
   * @returns {Promise<GameHint>}
   */
  getGameHint(id, how) {
    return this.do(get(`${game(id)}/hint`, how));
  }

  /**
   * How good each move was, or how far that is known.
   *
   * @param {string} id
   * @param {Depth} [how]
   * @returns {Promise<Analysis | Underway>}
   */
  getAnalysis(id, how) {
    return this.do(get(`${game(id)}/analysis`, how));
  }

  /**
   * A game's log after a version.
   *
   * @param {string} id
   * @param {{ after?: number, limit?: number }} [which]
   * @returns {Promise<EventsPage>}
   */
  getEvents(id, which) {
    return this.do(get(`${game(id)}/events`, which));
  }

  /**
   * A game's record, which proves itself.
   *
   * @param {string} id
   * @returns {Promise<Record>}
   */
  exportGame(id) {
    return this.do(get(`${game(id)}/export`));
  }

  /**
   * The stored rows of a game of yours.
   *
   * @param {string} id
   * @returns {Promise<RawRows>}
   */
  exportRows(id) {
    return this.do(get(`${game(id)}/export`, { raw: "1" }));
  }

  /**
   * @param {string} id
   * @param {{ version?: number }} [which]
   * @returns {Promise<Blob>}
   */
  drawBoardSvg(id, which) {
    return this.do({ ...get(`${game(id)}/board.svg`, which), media: "image/svg+xml" });
  }

  /**
   * @param {string} id
   * @param {{ version?: number }} [which]
   * @returns {Promise<Blob>}
   */
  drawBoardPng(id, which) {
    return this.do({ ...get(`${game(id)}/board.png`, which), media: "image/png" });
  }

  /**
   * @param {string} id
   * @param {{ version?: number }} [which]
   * @returns {Promise<Blob>}
   */
  drawReplay(id, which) {
    return this.do({ ...get(`${game(id)}/replay.gif`, which), media: "image/gif" });
  }

  /**
   * The address of a picture; a public game's is anybody's.
   *
   * @param {string} id
   * @param {"board.svg" | "board.png" | "replay.gif"} picture
   * @param {{ version?: number }} [which]
   */
  pictureUrl(id, picture, which) {
    return this.#http.address(get(`${game(id)}/${picture}`, which));
  }

  // Commands, for the version you tell.

  /**
   * Push the tiles.
   *
   * @param {string} id
   * @param {Direction} direction
   * @param {Told} [told]
   * @returns {Promise<MoveResult>}
   */
  move(id, direction, { version, key } = {}) {
    const body = { direction, ...(version && { version }) };
    return this.do({ method: "POST", path: `${game(id)}/moves`, body, keyed: true, key });
  }

  /**
   * Let a ready game's clock run.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  start(id, told) {
    return this.#command("start", id, told);
  }

  /**
   * Take one move back; its time and the undo are spent.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  undo(id, told) {
    return this.#command("undo", id, told);
  }

  /**
   * Stop a running game's clock.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  pause(id, told) {
    return this.#command("pause", id, told);
  }

  /**
   * Let a paused game's clock run.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  resume(id, told) {
    return this.#command("resume", id, told);
  }

  /**
   * Play on after the goal was reached.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  continue(id, told) {
    return this.#command("continue", id, told);
  }

  /**
   * End the game for good; a finished one keeps its outcome and gives up its undos.
   *
   * @param {string} id
   * @param {Told} [told]
   */
  abandon(id, told) {
    return this.#command("abandon", id, told);
  }

  /**
   * Have a record proved, and learn whether the game was played there.
   *
   * @param {Record} record
   * @returns {Promise<Verified>}
   */
  verifyRecord(record) {
    return this.do({ method: "POST", path: "/v1/verify", body: record, repeatable: true });
  }

  // Dailies and rankings.

  /** @returns {Promise<Daily>} */
  getToday() {
    return this.do(get("/v1/daily"));
  }

  /**
   * @param {string} date
   * @returns {Promise<Daily>}
   */
  getDaily(date) {
    return this.do(get(`/v1/daily/${part(date)}`));
  }

  /**
   * Results of a date, and where you stand.
   *
   * @param {string} date
   * @param {{ order?: "score" | "max_tile" | "moves" | "time", attempt?: "first" | "best" } & Among} [which]
   * @returns {Promise<ResultsPage>}
   */
  getResults(date, which) {
    return this.do(get(`/v1/daily/${part(date)}/results`, which));
  }

  /**
   * Two to four games of a date, by move.
   *
   * @param {string} date
   * @param {string[]} games
   * @returns {Promise<Comparison>}
   */
  compareGames(date, games) {
    return this.do(get(`/v1/daily/${part(date)}/compare`, { games: games.join() }));
  }

  /**
   * The best finished game of each player in a category, of this UTC day, ISO week or month, or of all.
   *
   * @param {{ mode?: string, size?: number, undo_limit?: number, period?: Period } & Among} [which]
   * @returns {Promise<ResultsPage>}
   */
  getLeaderboard(which) {
    return this.do(get("/v1/leaderboards", which));
  }

  // The service itself.

  /** @returns {Promise<Health>} */
  getHealth() {
    return this.do(get("/healthz"));
  }

  /** @returns {Promise<Readiness>} */
  getReadiness() {
    return this.do(get("/readyz"));
  }

  /**
   * Prometheus metrics.
   *
   * @returns {Promise<string>}
   */
  getMetrics() {
    return this.do({ ...get("/metrics"), media: "text/plain" });
  }

  /**
   * Make any call and read its answer.
   *
   * @param {Call} call
   * @returns {Promise<any>}
   */
  do(call) {
    return this.#http.do(call);
  }

  /**
   * @param {Command} command
   * @param {string} id
   * @param {Told} [told]
   * @returns {Promise<CommandResult>}
   */
  #command(command, id, { version, key } = {}) {
    const body = version ? { version } : {};
    return this.do({ method: "POST", path: `${game(id)}/${command}`, body, keyed: true, key });
  }
}

/**
 * A list, page after page, asked for as far as it is read.
 *
 * @template Item
 * @param {(cursor: string | undefined) => Promise<{ items: Item[], next_cursor: string | null }>} fetchPage
 * @returns {AsyncGenerator<Item, void>}
 */
export async function* items(fetchPage) {
  /** @type {string | undefined} */
  let cursor;
  do {
    const page = await fetchPage(cursor);
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * @param {string} path
 * @param {Query} [query]
 * @returns {Call}
 */
function get(path, query) {
  return { method: "GET", path, query, repeatable: true };
}

/** @param {string} id */
function game(id) {
  return `/v1/games/${part(id)}`;
}

/**
 * What may be read as several parts of a path, however escaped, is no id.
 *
 * @param {string} text
 */
function part(text) {
  if (/^[.]*$|[/\\]/.test(text)) throw new TypeError(`this is no id and no date: ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}
