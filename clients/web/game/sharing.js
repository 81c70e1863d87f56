/** A game in other hands: a link, a record, a picture, a film. */

/** @import { Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */
/** @import { Notices } from "../notices.js" */

import { el } from "../dom.js";
import { t } from "../i18n.js";

/**
 * @param {App} app
 * @param {Notices} notices
 * @param {() => Game | null} state
 */
export function sharing(app, notices, state) {
  const share = async () => {
    const game = state();
    if (!game) return;
    const { id, mode, score, max_tile, status, moves } = game;
    const route = moves === 0 ? `mode/${mode}` : status === "over" ? `replay/${id}` : `game/${id}`;
    const link = `${location.origin}/#/${route}`;
    const text = moves === 0 ? "2048" : t("share.text", { mode: t(`mode.${mode}`), score, tile: max_tile });
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
  };

  /** @param {"json" | "png" | "gif"} kind */
  const save = async (kind) => {
    const game = state();
    if (!game) return;
    const { rest } = app.client;
    try {
      const made = {
        json: async () => new Blob([JSON.stringify(await rest.exportGame(game.id))], { type: "application/json" }),
        png: () => rest.drawBoardPng(game.id),
        gif: () => rest.drawReplay(game.id),
      };
      download(await made[kind](), `2048-${game.mode}-${game.score}.${kind}`);
    } catch (error) {
      notices.show("export", t("export.failed", { reason: /** @type {Error} */ (error).message }));
    }
  };
  return { share, save };
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
