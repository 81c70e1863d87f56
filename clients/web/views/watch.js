/** Somebody's game while it is played. */

/** @import { TwofoldError } from "../../js/src/errors.js" */
/** @import { Event, Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { el, say } from "../dom.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { facts, failure, fill, head, linkTo } from "./screen.js";
import { digits, kindOf, nameOf, number, time } from "./words.js";

export const title = () => t("watch.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ game: string }} params
 */
export function mount(root, app, { game }) {
  const place = el("div", {});
  const live = app.client.game(game);
  /** @type {(() => void)[]} */
  const ends = [];
  root.append(head(t("watch.title")), place);
  fill(
    place,
    () => app.joined().then(() => live.watch()),
    (state) => {
      const seen = sight(app, state);
      const clock = setInterval(() => seen.tick(live.clock.activeMs()), 250);
      ends.push(
        () => clearInterval(clock),
        live.on("event", (event) => seen.event(event)),
        live.on("state", (now, event) => seen.state(now, event)),
        live.on("gone", (error) => place.replaceChildren(failure(/** @type {TwofoldError} */ (error), null))),
      );
      return seen.parts;
    },
  );
  return () => {
    for (const end of ends) end();
    if (app.session.live !== live) live.unwatch().catch(() => {});
  };
}

/**
 * What is seen of a game.
 *
 * @param {App} app
 * @param {Game} begun
 */
function sight(app, begun) {
  const diagram = new Diagram(begun.board, { about: t("board") });
  const status = el("p", { className: "watch-status", role: "status" });
  const figures = el("div", {});
  const assisted = el("span", { className: "tag", textContent: t("assisted") });
  const clock = el("span");
  const acts = el("div", { className: "row" });

  /** @param {Game} game */
  const draw = (game) => {
    const { outcome } = game;
    say(status, outcome ? t(`result.${outcome}`) : t(`watch.${game.status}`));
    status.dataset.status = game.status;
    assisted.hidden = !game.assisted;
    figures.replaceChildren(
      facts(
        [t("score"), number(game.score)],
        [
          t("figure.moves"),
          game.move_limit ? `${number(game.moves)} / ${number(game.move_limit)}` : number(game.moves),
        ],
        [t("figure.max"), digits(game.max_tile)],
        [t("figure.time"), clock],
        [t("figure.undos"), `${game.undo.used} / ${game.undo.limit ?? "∞"}`],
      ),
    );
    const own = game.player.id === app.session.playerId;
    acts.replaceChildren(
      linkTo(t("replay"), `#/replay/${game.id}`),
      ...(own && !game.final ? [linkTo(t("history.continue"), `#/game/${game.id}`, { look: "small" })] : []),
    );
  };

  const who = el("strong", { textContent: nameOf(begun.player) });
  draw(begun);
  say(clock, time(begun.clock.active_ms));
  return {
    parts: [
      el("p", { className: "about" }, who, ` · ${kindOf({ ...begun, undo_limit: begun.undo.limit })}`, assisted),
      el("div", { className: "reel" }, diagram.element, el("div", { className: "reel-side" }, status, figures, acts)),
    ],
    tick: (/** @type {number} */ ms) => say(clock, time(ms)),
    event: (/** @type {Event} */ event) => {
      if (event.type === "move" && event.slides) diagram.move({ ...event, slides: event.slides });
      else diagram.show(event.board);
      if (event.type === "move" && event.direction && app.settings.wishes.announcements) {
        app.announce(t("watch.said", { direction: t(event.direction), score: event.score }));
      }
    },
    state: (/** @type {Game} */ game, /** @type {Event | null} */ event) => {
      if (!event) diagram.show(game.board);
      draw(game);
    },
  };
}
