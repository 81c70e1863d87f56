/** The offline page goes back to the game as soon as the service answers. */

const EVERY = 3000;

if (navigator.language.startsWith("de")) {
  document.documentElement.lang = "de";
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-de]"))) {
    element.textContent = element.dataset.de ?? "";
  }
}
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "classic";

document.querySelector("button")?.addEventListener("click", () => location.reload());
setInterval(async () => {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}, EVERY);

export {};
