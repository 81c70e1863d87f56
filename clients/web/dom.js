/** Elements in one line each. */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {{ [property: string]: any }} [properties] Properties; those with a dash, and `role`, are attributes.
 * @param {(Node | string | null | false)[]} inside
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function el(name, properties = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, String(value));
    else Object.assign(made, { [key]: value });
  }
  made.append(...inside.filter((part) => part !== null && part !== false));
  return made;
}

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new TypeError(`there is no ${selector}`);
  return found;
}

/**
 * Set a text only where it is another one, so that nobody is told twice.
 *
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A drawing of one line, said by what stands beside it.
 *
 * @param {string} line
 */
export function icon(line) {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.setAttribute("viewBox", "0 0 24 24");
  drawn.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", line);
  drawn.append(path);
  return drawn;
}

export const CROSS = "M6 6l12 12M18 6L6 18";
export const UNDO = "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1";
