/** What goes wrong, told to the player: connection, storage, a player nobody knows, a page that has become old. */

/** @import { Client } from "../js/src/client.js" */
/** @import { LiveStatus } from "../js/src/connection.js" */
/** @import { Session } from "./game/session.js" */
/** @import { Notices } from "./notices.js" */
/** @import { Storage } from "./storage.js" */

import { renewPage } from "./edition.js";
import { t, wrong } from "./i18n.js";

const LONG = 20_000;

/**
 * Tell what goes wrong from now on. Answers how others tell of a failure, and have a newer page loaded, where there is
 * one.
 *
 * @param {Client} client
 * @param {Session} session
 * @param {Storage} storage
 * @param {Notices} notices
 */
export function troubles(client, session, storage, notices) {
  const failed = (/** @type {unknown} */ error) => {
    notices.show("failed", wrong(error));
  };
  const renew = () => renewPage(() => notices.show("newer", t("notice.newer"), { lasts: true }));

  const told = new Set();
  storage.onTrouble = (trouble) => {
    if (told.has(trouble)) return;
    told.add(trouble);
    notices.show(`storage-${trouble}`, t(`notice.${trouble}`), { ms: LONG });
  };

  let renewing = false;
  /** The service does not know us: be somebody new, once, and say so. */
  const stranger = async () => {
    if (renewing) return;
    renewing = true;
    notices.show("stranger", t("notice.stranger"), { ms: LONG });
    await session.begin();
    renewing = false;
  };

  let wasLost = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let counting;
  /** @param {LiveStatus} status */
  const lost = ({ retryAt, draining }) => {
    wasLost = true;
    const action = { text: t("lost.now"), act: () => client.live.retryNow() };
    const tell = () => {
      const seconds = retryAt === null ? 0 : Math.ceil((retryAt - Date.now()) / 1000);
      const text = draining ? t("draining") : seconds > 0 ? t("lost.in", { seconds }) : t("lost");
      notices.show("connection", text, { action, lasts: true });
    };
    tell();
    counting = setInterval(tell, 1000);
  };
  const found = () => {
    notices.hide("connection");
    if (wasLost) renew();
    wasLost = false;
  };
  const closed = async (/** @type {string | undefined} */ code) => {
    if (code === "unauthorized") await stranger();
    else if (code === "wrong_version" && !(await renew())) {
      notices.show("older", t("notice.older"), { lasts: true });
    }
  };

  session.on("notice", (name) => notices.show(name, t(`notice.${name}`)));
  session.on("failed", (error) => {
    if (error.code === "unauthorized") stranger();
    else if (session.live) failed(error);
  });
  session.on("connection", (status) => {
    clearInterval(counting);
    if (status.state === "open" && !status.draining) found();
    else if (status.state === "closed") closed(status.reason?.code);
    else if (status.state === "lost" || status.draining) lost(status);
  });
  return { failed, renew };
}
