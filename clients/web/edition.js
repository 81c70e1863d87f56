/** Whether the service has a newer edition of the page than this one, which is then loaded: once. */

const NAME = "twofold.reloaded";

/** The edition this page is of. */
const own = /\/page\/(\w+)\//.exec(import.meta.url)?.[1] ?? "";

/** The edition the service has now; null where it does not say. */
async function current() {
  try {
    const answer = await fetch("/", { method: "HEAD", cache: "no-store" });
    return answer.ok ? (answer.headers.get("etag")?.replace(/\W/g, "").replace(/^W/, "") ?? null) : null;
  } catch {
    return null;
  }
}

/**
 * Look, say so and reload, where there is a newer edition that was not loaded before.
 *
 * @param {() => void} newer Says it.
 * @returns {Promise<boolean>} Whether there is one.
 */
export async function renewPage(newer) {
  const edition = await current();
  if (!edition || edition === own) return false;
  if (loadedBefore(edition)) return true;
  newer();
  setTimeout(() => location.reload(), 1500);
  return true;
}

/** @param {string} edition */
function loadedBefore(edition) {
  try {
    if (sessionStorage.getItem(NAME) === edition) return true;
    sessionStorage.setItem(NAME, edition);
    return false;
  } catch {
    return true; // what cannot be remembered might be done for ever
  }
}
