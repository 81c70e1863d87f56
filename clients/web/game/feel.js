/** What is heard and felt of a move, for those who want it, and confetti at the goal. */

/** @import { Event } from "../../js/src/types.js" */
/** @import { Settings } from "../settings.js" */
/** @import { Session } from "./session.js" */

import { el } from "../dom.js";

const COLOURS = ["--tile-2048", "--tile-64", "--tile-8", "--tile-32", "--good", "--focus"];
const PIECES = 90;
const FALLING = 2600;

/**
 * @param {Session} session
 * @param {Settings} settings
 */
export function feel(session, settings) {
  /** @type {AudioContext | null} */
  let audio = null;

  /**
   * @param {number} pitch
   * @param {number} length
   * @param {number} [after]
   */
  const tone = (pitch, length, after = 0) => {
    audio ??= new AudioContext();
    const at = audio.currentTime + after;
    const wave = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const loud = new GainNode(audio, { gain: 0.12 });
    loud.gain.setValueAtTime(0.12, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + length);
    wave.connect(loud).connect(audio.destination);
    wave.start(at);
    wave.stop(at + length);
  };

  /** @param {Event} event */
  const sound = ({ type, slides, status }) => {
    if (status === "won") [523, 659, 784, 1047].forEach((pitch, step) => tone(pitch, 0.25, step * 0.11));
    else if (status === "over") [392, 330, 262].forEach((pitch, step) => tone(pitch, 0.3, step * 0.16));
    else if (type === "move") {
      const merged = Math.max(0, ...(slides ?? []).filter((slide) => slide.merged).map(({ value }) => value));
      tone(merged ? 220 * 2 ** (Math.log2(merged) / 8) : 160, merged ? 0.14 : 0.05);
    }
  };

  session.on("event", (event, before) => {
    const { sound: loud, vibration } = settings.wishes;
    if (loud) sound(event);
    if (vibration && event.slides?.some(({ merged }) => merged)) navigator.vibrate?.(event.status === "running" ? 10 : 60);
    if (event.reached_goal && !before.reached_goal && event.type === "move" && !settings.still) confetti();
  });
}

function confetti() {
  const pieces = Array.from({ length: PIECES }, (_, index) => {
    const piece = el("i");
    piece.style.left = `${Math.random() * 100}%`;
    piece.style.background = `var(${COLOURS[index % COLOURS.length]})`;
    return piece;
  });
  const place = el("div", { className: "confetti", "aria-hidden": "true" }, ...pieces);
  document.body.append(place);
  for (const piece of pieces) {
    const [drift, turns] = [(Math.random() - 0.5) * 240, Math.random() * 1440];
    piece.animate([{ transform: "none" }, { transform: `translate(${drift}px, 105vh) rotate(${turns}deg)` }], {
      duration: FALLING * (0.6 + Math.random() * 0.4),
      delay: Math.random() * 300,
      easing: "cubic-bezier(.2, .6, .6, 1)",
      fill: "both",
    });
  }
  setTimeout(() => place.remove(), FALLING + 400);
}
