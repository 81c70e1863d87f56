/** The rules of 2048 for the peers: a board is a plain array of 16 exponents, row by row, 0 where it is empty. */

const ROWS = [0, 4, 8, 12].map((start) => [0, 1, 2, 3].map((step) => start + step));
const COLUMNS = [0, 1, 2, 3].map((start) => [0, 4, 8, 12].map((step) => start + step));
const LINES = {
  left: ROWS,
  up: COLUMNS,
  right: ROWS.map((line) => line.toReversed()),
  down: COLUMNS.map((line) => line.toReversed()),
};

/** A board with its first two tiles. */
export function deal() {
  const cells = new Array(16).fill(0);
  spawn(cells);
  spawn(cells);
  return cells;
}

/** Push the tiles of a board and put a new one on it; returns the points, or -1 where nothing moved. */
export function play(cells, direction) {
  let gain = 0;
  let moved = false;
  for (const line of LINES[direction]) {
    let next = 0;
    let waiting = 0;
    for (const at of line) {
      const tile = cells[at];
      if (tile === 0) continue;
      if (tile === waiting) {
        cells[at] = 0;
        cells[line[next - 1]] = tile + 1;
        gain += 2 << tile;
        waiting = 0;
        moved = true;
        continue;
      }
      waiting = tile;
      const to = line[next++];
      if (to !== at) {
        cells[at] = 0;
        cells[to] = tile;
        moved = true;
      }
    }
  }
  if (!moved) return -1;
  spawn(cells);
  return gain;
}

/** Whether no direction moves anything. */
export function isOver(cells) {
  for (let at = 0; at < 16; at++) {
    const tile = cells[at];
    if (tile === 0 || (at % 4 < 3 && tile === cells[at + 1]) || (at < 12 && tile === cells[at + 4])) return false;
  }
  return true;
}

function spawn(cells) {
  const empty = [];
  for (let at = 0; at < 16; at++) if (cells[at] === 0) empty.push(at);
  cells[empty[Math.floor(Math.random() * empty.length)]] = Math.random() < 0.9 ? 1 : 2;
}
