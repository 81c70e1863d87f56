/**
 * What bots and userscripts of the original page read and call: a thin adapter over the session. Nothing else of the
 * page depends on it.
 */

/** @import { Direction, Game } from "../js/src/types.js" */
/** @import { Play } from "./game/play.js" */
/** @import { Session } from "./game/session.js" */
/** @import { Storage } from "./storage.js" */

const DIRECTIONS = /** @type {Direction[]} */ (["up", "right", "down", "left"]);

/** @type {{ session: Session, storage: Storage, restart: () => void } | null} */
let page = null;

/** @returns {Game | null} */
const game = () => page?.session.state ?? null;

class Tile {
  /**
   * @param {{ x: number, y: number }} position
   * @param {number} [value]
   */
  constructor({ x, y }, value = 2) {
    this.x = x;
    this.y = y;
    this.value = value;
  }

  serialize() {
    return { position: { x: this.x, y: this.y }, value: this.value };
  }
}

class Grid {
  /**
   * @param {number} size
   * @param {(({ position: { x: number, y: number }, value: number }) | null)[][]} [previous]
   */
  constructor(size, previous) {
    this.size = size;
    /** @type {(Tile | null)[][]} */
    this.cells = Array.from({ length: size }, (_, x) =>
      Array.from({ length: size }, (_, y) => {
        const tile = previous?.[x]?.[y];
        return tile ? new Tile(tile.position, tile.value) : null;
      }),
    );
  }

  /** @param {Game | null} state */
  static of(state) {
    const grid = new Grid(state?.size ?? 4);
    for (const [y, row] of (state?.board ?? []).entries()) {
      for (const [x, value] of row.entries()) grid.cells[x][y] = value ? new Tile({ x, y }, value) : null;
    }
    return grid;
  }

  /** @param {(x: number, y: number, tile: Tile | null) => void} callback */
  eachCell(callback) {
    this.cells.forEach((column, x) => column.forEach((tile, y) => callback(x, y, tile)));
  }

  availableCells() {
    /** @type {{ x: number, y: number }[]} */
    const free = [];
    this.eachCell((x, y, tile) => tile || free.push({ x, y }));
    return free;
  }

  cellsAvailable() {
    return this.availableCells().length > 0;
  }

  /** @param {{ x: number, y: number }} cell */
  withinBounds({ x, y }) {
    return x >= 0 && x < this.size && y >= 0 && y < this.size;
  }

  /** @param {{ x: number, y: number }} cell */
  cellContent(cell) {
    return this.withinBounds(cell) ? this.cells[cell.x][cell.y] : null;
  }

  /** @param {{ x: number, y: number }} cell */
  cellOccupied(cell) {
    return this.cellContent(cell) !== null;
  }

  /** @param {{ x: number, y: number }} cell */
  cellAvailable(cell) {
    return !this.cellOccupied(cell);
  }

  serialize() {
    return { size: this.size, cells: this.cells.map((column) => column.map((tile) => tile?.serialize() ?? null)) };
  }
}

class KeyboardInputManager {
  /** @type {{ [name: string]: ((data?: any) => void)[] }} */
  events = {};

  /**
   * @param {string} name
   * @param {(data?: any) => void} callback
   */
  on(name, callback) {
    (this.events[name] ??= []).push(callback);
  }

  /**
   * @param {string} name
   * @param {any} [data]
   */
  emit(name, data) {
    for (const callback of this.events[name] ?? []) callback(data);
  }

  listen() {}
}

/** Drawing is the page's own; scripts that put themselves in its place are told of each position. */
class HTMLActuator {
  /**
   * @param {Grid} _grid
   * @param {{ score: number, over: boolean, won: boolean, bestScore: number, terminated: boolean }} _metadata
   */
  actuate(_grid, _metadata) {}

  continueGame() {}
}

class LocalStorageManager {
  bestScoreKey = "bestScore";
  gameStateKey = "gameState";

  getBestScore() {
    return Number(page?.storage.getRaw(this.bestScoreKey) ?? 0);
  }

  /** @param {number} score */
  setBestScore(score) {
    page?.storage.setRaw(this.bestScoreKey, String(score));
  }

  getGameState() {
    return JSON.parse(page?.storage.getRaw(this.gameStateKey) ?? "null");
  }

  /** @param {object} state */
  setGameState(state) {
    page?.storage.setRaw(this.gameStateKey, JSON.stringify(state));
  }

  clearGameState() {
    page?.storage.setRaw(this.gameStateKey, null);
  }
}

class GameManager {
  /**
   * @param {number} _size The page's own game has the size it has.
   * @param {new () => KeyboardInputManager} InputManager
   * @param {new () => HTMLActuator} Actuator
   * @param {new () => LocalStorageManager} StorageManager
   */
  constructor(_size, InputManager, Actuator, StorageManager) {
    this.startTiles = 2;
    this.inputManager = new InputManager();
    this.storageManager = new StorageManager();
    this.actuator = new Actuator();
    this.inputManager.on("move", (direction) => this.move(direction));
    this.inputManager.on("restart", () => this.restart());
    this.inputManager.on("keepPlaying", () => this.continueGame());
  }

  get size() {
    return game()?.size ?? 4;
  }

  get grid() {
    return Grid.of(game());
  }

  get score() {
    return game()?.score ?? 0;
  }

  get over() {
    return game()?.status === "over";
  }

  get won() {
    return game()?.reached_goal ?? false;
  }

  /** The original has a flag and a method by this name; the flag is what scripts read. */
  get keepPlaying() {
    const state = game();
    return state !== null && state.reached_goal && state.status !== "won";
  }

  continueGame() {
    if (game()?.status === "won") page?.session.go();
  }

  isGameTerminated() {
    return this.over || (this.won && !this.keepPlaying);
  }

  /** @param {number} direction 0 up, 1 right, 2 down, 3 left */
  move(direction) {
    if (this.isGameTerminated() || !(direction in DIRECTIONS)) return;
    page?.session.move(DIRECTIONS[direction]);
  }

  restart() {
    page?.restart();
  }

  actuate() {
    const { score, over, won, storageManager } = this;
    const bestScore = Math.max(game()?.best_score ?? 0, score);
    this.actuator.actuate(this.grid, { score, over, won, bestScore, terminated: this.isGameTerminated() });
    if (game()?.size !== 4) return;
    storageManager.setBestScore(bestScore);
    if (over) storageManager.clearGameState();
    else storageManager.setGameState(this.serialize());
  }

  serialize() {
    const { grid, score, over, won, keepPlaying } = this;
    return { grid: grid.serialize(), score, over, won, keepPlaying };
  }
}

const globals = { GameManager, KeyboardInputManager, HTMLActuator, LocalStorageManager, Grid, Tile };
const manager = new GameManager(4, KeyboardInputManager, HTMLActuator, LocalStorageManager);
Object.assign(globalThis, globals, { gameManager: manager });

/**
 * Let scripts see and steer the page's game.
 *
 * @param {Session} session
 * @param {Play} play
 * @param {Storage} storage
 * @param {() => void} restart
 * @returns {() => boolean} Asked before each key, as the original does: whether the game takes none.
 */
export function compat(session, play, storage, restart) {
  page = { session, storage, restart };
  play.on("drawn", () => manager.actuate());
  return () => manager.isGameTerminated();
}
