/** The settings as a dialog. */

/** @import { Client } from "../js/src/client.js" */
/** @import { Settings } from "./settings.js" */

import { dialog } from "./dialogs.js";
import { el } from "./dom.js";
import { t, wrong } from "./i18n.js";
import { CHOICES } from "./settings.js";

const SWITCHES = /** @type {const} */ (["sound", "vibration", "announcements", "letters", "pad"]);

/**
 * @param {Settings} settings
 * @param {Client} client
 * @param {() => void} device
 */
export function settingsDialog(settings, client, device) {
  const linking = el("button", { type: "button", className: "button quiet", textContent: t("device") });
  linking.addEventListener("click", () => {
    shown.close();
    device();
  });
  const shown = dialog(
    t("set.title"),
    choice(settings, "theme"),
    choice(settings, "language"),
    el("div", { className: "checks" }, ...SWITCHES.map((name) => check(settings, name)), fullScreen()),
    el("p", { className: "hint", textContent: t("set.motion") }),
    naming(client),
    linking,
  );
}

/**
 * @template {"theme" | "language"} Name
 * @param {Settings} settings
 * @param {Name} name
 */
function choice(settings, name) {
  const labels = CHOICES[name].map((value) => {
    const radio = el("input", { type: "radio", name, value, checked: settings.wishes[name] === value });
    radio.addEventListener("change", () => settings.set(name, value));
    return el("label", {}, radio, t(`set.${name}.${value}`));
  });
  return el("fieldset", { className: "choices" }, el("legend", { textContent: t(`set.${name}`) }), ...labels);
}

/**
 * @param {Settings} settings
 * @param {typeof SWITCHES[number]} name
 */
function check(settings, name) {
  const box = el("input", { type: "checkbox", checked: settings.wishes[name] });
  box.addEventListener("change", () => settings.set(name, box.checked));
  return el("label", {}, box, t(`set.${name}`));
}

function fullScreen() {
  if (!document.fullscreenEnabled) return null;
  const box = el("input", { type: "checkbox", checked: document.fullscreenElement !== null });
  box.addEventListener("change", async () => {
    try {
      if (box.checked) await document.documentElement.requestFullscreen();
      else await document.exitFullscreen();
    } catch {
      box.checked = document.fullscreenElement !== null;
    }
  });
  return el("label", {}, box, t("set.fullscreen"));
}

/** @param {Client} client */
function naming(client) {
  const field = el("input", { type: "text", id: "player-name", maxLength: 32, autocomplete: "nickname" });
  const save = el("button", { type: "submit", className: "button quiet", textContent: t("set.name.save") });
  const said = el("p", { className: "hint", role: "status" });
  const form = el(
    "form",
    { className: "field" },
    el("label", { for: "player-name", textContent: t("set.name") }),
    el("div", { className: "row" }, field, save),
    said,
  );
  client.rest.getMe().then(
    ({ name }) => (field.value ||= name ?? ""),
    () => {},
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await client.rest.renameMe(field.value.trim() || null);
      said.textContent = t("set.name.saved");
    } catch (error) {
      said.textContent = wrong(error);
    }
  });
  return form;
}
