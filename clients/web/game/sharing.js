/** A game in other hands: a link, a record, a picture, a film. */

/** @import { Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */
/** @import { Slot } from "./modes.js" */

import { el } from "../dom.js";
import { t, wrong } from "../i18n.js";
import { keyOf } from "./modes.js";

/**
 * Hand on a link: to the mode where nothing was moved yet, else to the game.
 *
 * @param {App} app
 * @param {Slot} slot
 * @param {Game | null} game
 */
export async function share({ notices }, slot, game) {
  const route = !game?.moves ? `mode/${keyOf(slot)}` : `${game.status === "over" ? "replay" : "game"}/${game.id}`;
  const link = `${location.origin}/#/${route}`;
  const text = game?.moves
    ? t("share.text", { mode: t(`mode.${slot.mode}`), score: game.score, tile: game.max_tile })
    : "2048";
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ title: "2048", text, url: link });
    else {
      await navigator.clipboard.writeText(link);
      notices.show("share", t("share.copied"));
    }
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") return;
    notices.show("share", t("share.failed", { link }), { ms: 30_000 });
  }
}

/**
 * Take a game away as a file.
 *
 * @param {App} app
 * @param {Pick<Game, "id" | "mode" | "score">} game
 * @param {"json" | "png" | "gif"} kind
 */
export function save(app, { id, mode, score }, kind) {
  const { rest } = app.client;
  const made = {
    json: async () => json(await rest.exportGame(id)),
    png: () => rest.drawBoardPng(id),
    gif: () => rest.drawReplay(id),
  };
  return download(app, made[kind], `2048-${mode}-${score}.${kind}`);
}

/**
 * Take away what is stored of a game, readable or not.
 *
 * @param {App} app
 * @param {Pick<Game, "id" | "mode">} game
 */
export function saveRows(app, { id, mode }) {
  return download(app, async () => json(await app.client.rest.exportRows(id)), `2048-${mode}-${id}.json`);
}

/** @param {object} document */
function json(document) {
  return new Blob([JSON.stringify(document)], { type: "application/json" });
}

/**
 * @param {App} app
 * @param {() => Promise<Blob>} make
 * @param {string} name
 */
async function download({ notices }, make, name) {
  try {
    const link = el("a", { href: URL.createObjectURL(await make()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    notices.show("export", t("export.failed", { reason: wrong(error) }));
  }
}
