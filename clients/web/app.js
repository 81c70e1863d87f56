/** Puts the page together, and nothing else does. */

/** @import { Direction } from "../js/src/types.js" */
/** @import { Client } from "../js/src/client.js" */

import { connect } from "../js/src/client.js";
import { find } from "./dom.js";
import { hearKeys, hearPad, hearSwipes } from "./game/input.js";
import { slotOf } from "./game/modes.js";
import { Play } from "./game/play.js";
import { Session } from "./game/session.js";
import { currentLanguage, speak, t, translate } from "./i18n.js";
import { Router } from "./router.js";
import { Settings } from "./settings.js";
import { Storage } from "./storage.js";

/**
 * What a view may use of the page.
 *
 * @typedef {object} App
 * @property {Client} client
 * @property {typeof t} t
 * @property {"en" | "de"} lang
 * @property {Settings} settings
 * @property {Session} session
 * @property {(route: string) => void} navigate To `#/daily` and the like.
 * @property {(text: string) => void} announce Tell those who do not see it.
 * @property {(id: string) => Promise<void>} openGame Play it where it is ours, else watch it.
 * @property {(wanted: { board?: number[][], date?: string, seed?: string }) => Promise<void>} startPractice
 * @property {(direction: Direction) => string} bestDirectionText
 */

const storage = new Storage();
const settings = new Settings(storage);
const client = connect(undefined, { silence: 2000, patience: Infinity });
const session = new Session(client, storage);
const play = new Play(session);

/** @type {App} */
const app = {
  client,
  t,
  get lang() {
    return currentLanguage();
  },
  settings,
  session,
  navigate: (route) => {
    location.hash = route.replace(/^#?/, "#");
  },
  announce: (text) => {
    find(".announcer").textContent = text;
  },
  openGame: async (id) => {
    app.navigate((await session.openGame(id)) ? "/" : `/watch/${id}`);
  },
  startPractice: async (wanted) => {
    app.navigate("/");
    await session.practise(wanted);
  },
  bestDirectionText: (direction) => t(direction),
};

const router = new Router(app, {
  play: find("#play"),
  view: find("#view"),
  onGame: ({ name, mode, size, undo, game }) => {
    if (name === "game") session.openGame(game).then((ours) => ours || app.navigate(`/watch/${game}`));
    else if (name === "mode") session.open(slotOf(mode, size, undo));
    else if (!session.live && !session.opening) session.open(session.slot);
  },
  onLeave: () => session.stop(),
  onFailed: (error) => {
    throw error;
  },
});

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
  translate(document);
  hearKeys({
    deaf: () => !router.playing || document.querySelector("dialog[open]") !== null,
    letters: () => settings.wishes.letters,
    before: () => false,
    move: (direction) => session.move(direction),
    order: (order) => ({ undo: () => session.undo(), pause: () => session.pause(), restart: () => session.renew() })[order](),
  });
  hearSwipes(find("#board"), (direction) => session.move(direction));
  hearPad(find(".pad"), (direction) => session.move(direction));
  find(".restart-button").addEventListener("click", () => session.renew());
  find(".retry-button").addEventListener("click", () => session.renew());
  find(".keep-playing-button").addEventListener("click", () => session.go());
  find(".cover-button").addEventListener("click", () => session.go());
  play.on("score", (score) => {
    find(".score-container").textContent = String(score);
  });
  play.on("drawn", (state) => {
    find(".best-container").textContent = String(state.best_score ?? 0);
  });
  await seen();
  await router.start();
}

begin();
