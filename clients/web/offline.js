/** The offline page goes back to the game as soon as there is a network. */

if (navigator.language.startsWith("de")) {
  document.documentElement.lang = "de";
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-de]"))) {
    element.textContent = element.dataset.de ?? "";
  }
}
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "classic";

document.querySelector("button")?.addEventListener("click", () => location.reload());
addEventListener("online", () => location.reload());

export {};
