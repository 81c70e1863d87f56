/** JSON read strictly: no field twice, and no number that JavaScript would read as another. */

import { InvalidRecord } from "./errors.js";

const DEEPEST = 500;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const WORD = /true|false|null/y;

/**
 * The value of a JSON text. A number that is no integer is read as NaN, whatever its value; InvalidRecord for what is
 * no JSON.
 *
 * @param {string} text
 * @returns {unknown}
 */
export function readJson(text) {
  let at = 0;

  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  /** @param {string} sign */
  const sign = (sign) => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  /** @returns {never} */
  const refuse = () => {
    throw new InvalidRecord([], `not JSON: something else at character ${at}`);
  };
  /** @returns {string} */
  const string = () => {
    take(SPACE);
    return JSON.parse((take(STRING) ?? refuse())[0]);
  };

  /** @param {number} depth */
  const object = (depth) => {
    /** @type {{ [name: string]: unknown }} */
    const fields = Object.create(null);
    if (sign("}")) return fields;
    do {
      const name = string();
      if (name in fields) throw new InvalidRecord([], `the field ${quoted(name)} stands twice in one object`);
      if (!sign(":")) refuse();
      fields[name] = value(depth);
    } while (sign(","));
    return sign("}") ? fields : refuse();
  };

  /** @param {number} depth */
  const list = (depth) => {
    /** @type {unknown[]} */
    const items = [];
    if (sign("]")) return items;
    do items.push(value(depth));
    while (sign(","));
    return sign("]") ? items : refuse();
  };

  /**
   * @param {number} depth
   * @returns {unknown}
   */
  const value = (depth) => {
    if (depth > DEEPEST) throw new InvalidRecord([], "nested too deeply");
    if (sign("{")) return object(depth + 1);
    if (sign("[")) return list(depth + 1);
    if (text[at] === '"') return string();
    const number = take(NUMBER);
    if (number) return number[1] || number[2] ? NaN : Number(number[0]) + 0;
    return WORDS.get((take(WORD) ?? refuse())[0]);
  };

  const whole = value(0);
  take(SPACE);
  return at === text.length ? whole : refuse();
}

/**
 * The beginning of a text, safe to print and to send on.
 *
 * @param {string} text
 */
export function quoted(text) {
  return ascii([...text].slice(0, 40).join(""));
}

/**
 * A text as a JSON string of ASCII signs.
 *
 * @param {string} text
 */
export function ascii(text) {
  return JSON.stringify(text).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
