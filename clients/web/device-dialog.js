/** Another device becomes the same player: a one-time code is shown here, or typed. */

/** @import { Client } from "../js/src/client.js" */
/** @import { TwofoldError } from "../js/src/errors.js" */
/** @import { Session } from "./game/session.js" */

import { dialog } from "./dialogs.js";
import { el } from "./dom.js";
import { t, wrong } from "./i18n.js";

/**
 * @param {Client} client
 * @param {Session} session
 */
export function deviceDialog(client, session) {
  dialog(t("device.title"), giving(client), taking(session));
}

/** @param {Client} client */
function giving(client) {
  const code = el("output", { className: "code", hidden: true });
  const said = el("p", { className: "hint", role: "status", textContent: t("device.text") });
  const make = el("button", { type: "button", className: "button", textContent: t("device.make") });
  make.addEventListener("click", async () => {
    try {
      code.textContent = (await client.rest.createLink()).code;
      code.hidden = false;
    } catch (error) {
      said.textContent = wrong(error);
    }
  });
  return el("div", { className: "field" }, said, code, make);
}

/** @param {Session} session */
function taking(session) {
  const field = el("input", {
    type: "text",
    id: "device-code",
    maxLength: 12,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: false,
    required: true,
    "aria-describedby": "device-warning",
  });
  const use = el("button", { type: "submit", className: "button quiet", textContent: t("device.use") });
  const said = el("p", { role: "status" });
  const form = el(
    "form",
    { className: "field" },
    el("label", { for: "device-code", textContent: t("device.have") }),
    el("div", { className: "row" }, field, use),
    el("p", { className: "hint", id: "device-warning", textContent: t("device.warning") }),
    said,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await session.link(field.value.replace(/[\s-]/g, "").toUpperCase());
      said.className = "good";
      said.textContent = t("device.done");
    } catch (error) {
      const { code } = /** @type {TwofoldError} */ (error);
      said.className = "wrong";
      const unknown = code === "not_found" || code === "invalid";
      said.textContent = unknown ? t("device.wrong") : wrong(error);
    }
  });
  return form;
}
