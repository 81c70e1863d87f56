/** Puts the page together, and nothing else does. */

/** @import { Client } from "../js/src/client.js" */

import { connect } from "../js/src/client.js";
import { NoAnswer } from "../js/src/errors.js";
import { compat } from "./compat.js";
import { confirm } from "./dialogs.js";
import { find } from "./dom.js";
import { actions } from "./game/actions.js";
import { feel } from "./game/feel.js";
import { figures } from "./game/figures.js";
import { hearKeys, hearPad, hearSwipes } from "./game/input.js";
import { keyOf, slotOf } from "./game/modes.js";
import { modesBar } from "./game/modes-bar.js";
import { Play } from "./game/play.js";
import { result } from "./game/result.js";
import { Session } from "./game/session.js";
import * as sharing from "./game/sharing.js";
import { speech } from "./game/speech.js";
import { stand } from "./game/stand.js";
import { speak, t, translate } from "./i18n.js";
import { menu } from "./menu.js";
import { Notices } from "./notices.js";
import { Router } from "./router.js";
import { Settings } from "./settings.js";
import { Storage } from "./storage.js";
import { troubles } from "./troubles.js";

/**
 * What a view may use of the page.
 *
 * @typedef {object} App
 * @property {Client} client
 * @property {Settings} settings
 * @property {Session} session
 * @property {Notices} notices
 * @property {() => Promise<void>} joined Settles once we are somebody: the player this browser knows, else a new one.
 * @property {(route: string) => void} navigate To `#/daily` and the like.
 * @property {(text: string) => void} announce Tell those who do not see it.
 * @property {(wanted: { board?: number[][], date?: string }) => Promise<void>} startPractice
 */

const storage = new Storage();
const settings = new Settings(storage);
const client = connect(undefined, { silence: 2000, patience: Infinity });
const session = new Session(client, storage);
const play = new Play(session);
const board = find("#board");

/** @param {string} text */
const announce = (text) => {
  find(".announcer").textContent = text;
};
const notices = new Notices(announce);

/** @type {App} */
const app = {
  client,
  settings,
  session,
  notices,
  joined: () => session.join(),
  navigate: (route) => {
    location.hash = `#/${route.replace(/^#?\/?/, "")}`;
  },
  announce,
  startPractice: async (wanted) => {
    const begun = session.practise(wanted);
    app.navigate("");
    await begun;
  },
};

// For whoever opens the console.
Object.assign(globalThis, { twofold: app });

const router = new Router(app, {
  play: find("#play"),
  view: find("#view"),
  onGame: ({ name, mode, size, undo, game }) => {
    if (name === "game") open(game);
    else if (name === "mode") session.open(slotOf(mode, size, undo));
    else if (session.live || session.opening) address();
    else session.open(session.slot);
  },
  onLeave: () => session.rest(),
  onFailed: () => void renew(),
});
const { failed, renew } = troubles(client, session, storage, notices);
session.on("open", address);

/** The address names the place of the game, so that a reload finds it. */
function address() {
  if (!router.playing) return;
  const key = keyOf(session.slot);
  history.replaceState(null, "", key === keyOf(slotOf()) ? "#/" : `#/mode/${key}`);
}

/**
 * Play a game where it is ours, else watch it.
 *
 * @param {string} id
 */
async function open(id) {
  try {
    if (!(await session.openGame(id))) app.navigate(`watch/${id}`);
  } catch (error) {
    failed(error);
    if (!session.live) session.open(session.slot);
  }
}

/** A new game; where that ends an attempt for good, not before it was asked. */
async function again() {
  const { givesUp } = session;
  const words = { title: t("daily.giveUp.title"), text: t("daily.giveUp.text"), yes: t("daily.giveUp.yes") };
  if (givesUp && !(await confirm(words))) return;
  board.focus({ preventScroll: true });
  await session.renew();
}

/** @type {(() => Promise<void>) | undefined} */
let advise;

async function hint() {
  if (!session.advisable) return;
  try {
    advise ??= (await import("./game/hint.js")).hints(app);
  } catch {
    return failed(new NoAnswer("unreachable", "a part of the page could not be loaded"));
  }
  await advise();
}

async function device() {
  (await import("./device-dialog.js")).deviceDialog(client, session);
}

/** What is put together once, and says everything anew in another language. */
function build() {
  const share = () => sharing.share(app, session.slot, session.state);
  /** @type {(kind: "json" | "png" | "gif") => unknown} */
  const save = (kind) => session.state && sharing.save(app, session.state, kind);
  const parts = [
    modesBar(session),
    figures(session, play, client),
    stand(session, play),
    result(session, play, { again, share, save }),
    actions(session, play, { hint, share, device }),
    speech(session, play, settings, announce),
  ];
  feel(session, settings);
  return () => {
    translate(document);
    for (const part of parts) part();
  };
}

/** @param {() => void} sayAll */
function listen(sayAll) {
  hearKeys({
    deaf: () => !router.playing || document.querySelector("dialog[open]") !== null,
    letters: () => settings.wishes.letters,
    before: compat(session, play, storage, again),
    move: (direction) => session.move(direction),
    order: (order) => ({ undo: () => session.undo(), pause: () => session.pause(), restart: again, hint })[order](),
  });
  hearSwipes(find(".board-area"), (direction) => session.move(direction));
  hearPad(find(".pad"), (direction) => session.move(direction));
  press(find(".restart-button"), again);
  press(find(".retry-button"), again);
  press(find(".keep-playing-button"), () => {
    board.focus({ preventScroll: true });
    session.go();
  });
  board.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === board) session.go();
  });
  find(".settings-button").addEventListener("click", async () => {
    (await import("./settings-dialog.js")).settingsDialog(settings, client, device);
  });
  menu(find(".menu-button"));
  addEventListener("storage", () => session.follow());
  document.addEventListener("visibilitychange", () => document.hidden && session.hide());
  settings.on("change", async (name) => {
    if (name === "pad") pad();
    if (name !== "language") return;
    await speak(settings.language);
    sayAll();
    router.go(false);
  });
}

/**
 * A link that is a button: Enter and Space press it too.
 *
 * @param {HTMLElement} link
 * @param {() => void} act
 */
function press(link, act) {
  link.addEventListener("click", act);
  link.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

function pad() {
  find(".pad").hidden = !settings.wishes.pad;
}

/** Wait until somebody looks at the page: nothing is made for a page nobody sees. */
function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve(undefined);
    };
    document.addEventListener("visibilitychange", look);
  });
}

async function begin() {
  settings.dress();
  await speak(settings.language);
  const sayAll = build();
  sayAll();
  pad();
  listen(sayAll);
  await seen();
  await router.start();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

begin();
