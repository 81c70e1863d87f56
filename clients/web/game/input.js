/** Keys, swipes, drags and buttons as directions and orders. */

/** @import { Direction } from "../../js/src/types.js" */

/** @typedef {"undo" | "pause" | "restart" | "hint"} Order */

const ARROWS = /** @type {{ [code: number]: Direction }} */ ({ 37: "left", 38: "up", 39: "right", 40: "down" });
const NAMED = /** @type {{ [key: string]: Direction }} */ ({
  ArrowLeft: "left",
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
});
const PLACES = /** @type {{ [code: string]: Direction }} */ ({ KeyA: "left", KeyW: "up", KeyD: "right", KeyS: "down" });
const LETTERS = /** @type {{ [letter: string]: Direction }} */ ({
  A: "left",
  W: "up",
  D: "right",
  S: "down",
  H: "left",
  K: "up",
  L: "right",
  J: "down",
});
const ORDERS = /** @type {{ [letter: string]: Order }} */ ({ U: "undo", P: "pause", R: "restart", T: "hint" });
const LEAST = 10;

/**
 * What a key means, by `which`, then `key`, then `code`; letters that steer like a cross go by their place, so that it
 * is a cross on any keyboard.
 *
 * @param {KeyboardEvent} event
 * @param {boolean} letters Whether letters mean anything.
 * @returns {{ direction?: Direction, order?: Order } | null}
 */
export function meaning(event, letters) {
  const number = event.which || event.keyCode || 0;
  const arrow = ARROWS[number] ?? (number && number !== 229 ? undefined : (NAMED[event.key] ?? NAMED[event.code]));
  if (arrow) return { direction: arrow };
  if (!letters) return null;
  if (event.code in PLACES) return { direction: PLACES[event.code] };
  const letter = letterOf(number, event);
  // A letter of the cross that has moved elsewhere is another key, where places are told.
  const moved = event.code && "AWDS".includes(letter);
  if (letter in LETTERS && !moved) return { direction: LETTERS[letter] };
  return letter in ORDERS ? { order: ORDERS[letter] } : null;
}

/**
 * @param {number} number
 * @param {KeyboardEvent} event
 */
function letterOf(number, event) {
  if (number >= 65 && number <= 90) return String.fromCharCode(number);
  if (/^[a-z]$/i.test(event.key ?? "")) return event.key.toUpperCase();
  return /^Key[A-Z]$/.exec(event.code ?? "")?.[0].slice(3) ?? " ";
}

/**
 * Hear all keys, wherever they are aimed at, each once.
 *
 * @param {object} wants
 * @param {() => boolean} wants.deaf Whether keys mean nothing now.
 * @param {() => boolean} wants.letters
 * @param {() => boolean} wants.before Asked before each; whether the game takes none.
 * @param {(direction: Direction) => void} wants.move
 * @param {(order: Order) => void} wants.order
 */
export function hearKeys({ deaf, letters, before, move, order }) {
  const taken = new WeakSet();
  addEventListener(
    "keydown",
    (event) => {
      if (taken.has(event)) return;
      taken.add(event);
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || deaf() || typing()) return;
      const meant = meaning(event, letters());
      if (!meant || (event.shiftKey && meant.order)) return;
      event.preventDefault();
      if (event.repeat) return;
      if (meant.order) order(meant.order);
      else if (meant.direction && !before()) move(meant.direction);
    },
    { capture: true },
  );
}

/** Whether what has the focus takes keys for itself. */
function typing() {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && (focused.isContentEditable || focused.matches("input, select, textarea"));
}

/**
 * A swipe or a drag over the board: its longer axis, from ten pixels on; one finger.
 *
 * @param {HTMLElement} board
 * @param {(direction: Direction) => void} move
 * @param {AbortSignal} [signal] Nothing is heard any more once it is given.
 */
export function hearSwipes(board, move, signal) {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let spoiled = false;
  board.addEventListener("pointerdown", (event) => {
    const control = event.target instanceof Element && event.target.closest("a, button");
    if (control || event.button !== 0) return;
    if (!down.size) spoiled = false;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    spoiled ||= down.size > 1;
  });
  /** @param {PointerEvent} event */
  const up = (event) => {
    const from = down.get(event.pointerId);
    down.delete(event.pointerId);
    if (!from || spoiled) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(x), Math.abs(y)) < LEAST) return;
    move(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up");
  };
  /** @param {PointerEvent} event */
  const cancel = (event) => {
    down.delete(event.pointerId);
    spoiled = true;
  };
  addEventListener("pointerup", up, { signal });
  addEventListener("pointercancel", cancel, { signal });
  board.addEventListener("dragstart", (event) => event.preventDefault());
  // Browsers without `touch-action` scroll and reload by pulling down.
  board.addEventListener("touchmove", (event) => event.cancelable && event.preventDefault(), { passive: false });
}

/**
 * The four buttons.
 *
 * @param {HTMLElement} pad
 * @param {(direction: Direction) => void} move
 */
export function hearPad(pad, move) {
  pad.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-direction]");
    const direction = button instanceof HTMLElement ? button.dataset.direction : undefined;
    if (direction) move(/** @type {Direction} */ (direction));
  });
}
