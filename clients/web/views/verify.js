/** A record dropped on the page: played again here, and looked for at the service. */

/** @import { TwofoldError } from "../../js/src/errors.js" */
/** @import { FieldError, Place, Record, Verified } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { InvalidRecord } from "../../js/src/errors.js";
import { parseRecord } from "../../js/src/parse.js";
import { verify } from "../../js/src/verify.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { reel } from "./reel.js";
import { about, framesOf } from "./replay.js";
import { head, section } from "./screen.js";

export const title = () => t("verify.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mount(root, app) {
  const place = el("div", { role: "region", "aria-live": "polite", "aria-label": t("verify.verdict") });
  const field = el("input", {
    type: "file",
    accept: ".json,application/json",
    id: "record-file",
    className: "visually-hidden",
  });
  const zone = el(
    "div",
    { className: "drop" },
    el("p", { textContent: t("verify.drop") }),
    field,
    el("label", { className: "button", for: "record-file", textContent: t("verify.choose") }),
  );
  let end = () => {};
  let turn = 0;

  /** @param {File | undefined} file */
  const take = async (file) => {
    if (!file) return;
    const mine = ++turn;
    end();
    end = () => {};
    let stop = () => {};
    const parts = await judge(app, file, (one) => (stop = one));
    if (mine !== turn) return stop();
    end = stop;
    place.replaceChildren(...parts);
  };
  field.addEventListener("change", () => {
    take(field.files?.[0]);
    field.value = ""; // the same file may be chosen again
  });

  const over = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("over");
  };
  const left = (/** @type {DragEvent} */ event) => event.relatedTarget === null && zone.classList.remove("over");
  const dropped = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer?.files[0]);
  };
  const heard = /** @type {const} */ ([
    ["dragover", over],
    ["dragleave", left],
    ["drop", dropped],
  ]);
  for (const [name, act] of heard) document.addEventListener(name, act);
  root.append(head(t("verify.title"), t("verify.lead")), zone, place);
  return () => {
    turn++;
    end();
    for (const [name, act] of heard) document.removeEventListener(name, act);
  };
}

/**
 * What is found in a file.
 *
 * @param {App} app
 * @param {File} file
 * @param {(stop: () => void) => void} ends
 */
async function judge(app, file, ends) {
  /** @type {Record} */
  let record;
  try {
    record = parseRecord(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    const { place, reason } =
      error instanceof InvalidRecord ? error : { place: [], reason: /** @type {Error} */ (error).message };
    return [
      verdict(
        "fails",
        t("verify.damaged"),
        el("p", { textContent: file.name }),
        findings([{ loc: place, msg: reason }]),
      ),
    ];
  }
  const { valid, proof, findings: found } = verify(record);
  const answer = await ask(app, record);
  const origin = "origin" in answer ? answer.origin : "unasked";
  const told = el(
    "ul",
    { className: "told" },
    valid && el("li", { textContent: t(`verify.proof.${proof}`) }),
    el("li", { textContent: t(`verify.origin.${origin}`) }),
    !valid && el("li", { textContent: t("verify.differs.text") }),
  );
  const differs = found.map(({ place, message }) => ({ loc: place, msg: message }));
  const look = !valid || origin === "differs" ? "fails" : "holds";
  const words = t(!valid ? "verify.differs" : origin === "stored" ? "verify.stored" : "verify.valid");
  return [verdict(look, words, told, differs.length ? findings(differs) : null), ...seen(app, record, ends)];
}

/**
 * @param {App} app
 * @param {Record} record
 * @returns {Promise<Verified | TwofoldError>}
 */
async function ask(app, record) {
  try {
    await app.joined();
    return await app.client.rest.verifyRecord(record);
  } catch (error) {
    return /** @type {TwofoldError} */ (error);
  }
}

/**
 * The game to look at, as far as it can be played again.
 *
 * @param {App} app
 * @param {Record} record
 * @param {(stop: () => void) => void} ends
 */
function seen(app, record, ends) {
  try {
    const shown = reel(app, framesOf(record));
    ends(shown.end);
    return [section(t("replay.title"), about(record), shown.element)];
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    return []; // where it stops is among the findings
  }
}

/**
 * @param {"holds" | "fails"} look
 * @param {string} title
 * @param {(Node | null)[]} inside
 */
function verdict(look, title, ...inside) {
  return el("div", { className: `verdict ${look}` }, el("h2", { textContent: title }), ...inside);
}

/** @param {FieldError[]} found */
function findings(found) {
  const path = (/** @type {Place} */ place) => place.join(".") || t("verify.whole");
  const rows = found.map(({ loc, msg }) => el("li", {}, el("code", { textContent: path(loc) }), " ", el("span", { lang: "en", textContent: msg })));
  return el("ul", { className: "findings" }, ...rows);
}
