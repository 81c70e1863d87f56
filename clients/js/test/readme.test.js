/** What README.md shows works as it stands there, in Node and in a browser. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, extname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import * as everything from "../src/index.js";
import { Rest } from "../src/index.js";
import { Serving } from "./serving.js";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(join(HERE, "README.md"), "utf8");
const ADDRESS = "http://127.0.0.1:8000";
const [BROWSER] = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
  .filter(existsSync);
const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(" ");

/** The examples in a language, by the heading above each. */
function examples(language) {
  let heading = "";
  return [...README.matchAll(new RegExp(`^## (.+)$|^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].flatMap(
    ([, title, code]) => {
      heading = title ?? heading;
      return code ? [[heading, code]] : [];
    },
  );
}

const folder = mkdtempSync(join(tmpdir(), "twofold-readme-"));
test.after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "node_modules"));
symlinkSync(HERE, join(folder, "node_modules/twofold-client"));
const page = await pageServer();
const origin = `http://127.0.0.1:${page.server.address().port}`;
test.after(() => page.server.close());
const serving = await Serving.begun(test, { TWOFOLD_ORIGINS: origin });

for (const [number, [heading, code]] of examples("js").entries()) {
  test(`the example of "${heading}" runs (${number + 1})`, async () => {
    const file = join(folder, `${number}.mjs`);
    writeFileSync(file, code.replaceAll(ADDRESS, serving.url));
    const child = spawn(process.execPath, [file], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const said = { out: "", error: "" };
    child.stdout.on("data", (text) => (said.out += text));
    child.stderr.on("data", (text) => (said.error += text));

    const [status] = await once(child, "close");

    assert.deepEqual([status, said.error], [0, ""]);
    assert.ok(said.out.trim());
  });
}

test("the example for the browser runs in one", { skip: !BROWSER && "needs chromium" }, async () => {
  const [[, code]] = examples("html");
  page.show(code.replaceAll(ADDRESS, serving.url));
  const profile = join(folder, "profile");
  const browser = spawn(BROWSER, [...FLAGS, `--user-data-dir=${profile}`, `${origin}/`], { stdio: "ignore" });
  const gone = once(browser, "exit");

  const told = await Promise.race([page.told, gone.then(() => "the browser has ended")]);

  browser.kill();
  await gone;
  assert.match(told, /^move_limit \d+$|^no_moves \d+$|^null \d+$/);
});

test("each bot takes about ten lines", () => {
  const bots = [...examples("js"), ...examples("html")].filter(([heading]) => heading.startsWith("A bot for"));
  for (const [heading, code] of bots) assert.ok(code.split("\n").filter((line) => line.trim()).length <= 10, heading);
  assert.equal(bots.length, 2);
});

test("all that can be imported, and every operation, is named", () => {
  const named = new Set([...README.matchAll(/\w+/g)].map(([word]) => word));
  const operations = Object.getOwnPropertyNames(Rest.prototype).filter((name) => !["constructor", "do"].includes(name));

  assert.deepEqual(
    [...Object.keys(everything), ...operations].filter((name) => !named.has(name)),
    [],
  );
});

test("the package holds what it says, depends on nothing, and has the service's version", () => {
  const manifest = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  const files = Object.values(manifest.exports).flatMap(function paths(place) {
    return typeof place === "string" ? [place] : Object.values(place).flatMap(paths);
  });

  for (const file of files) assert.ok(existsSync(join(HERE, file)), file);
  const [, version] = readFileSync(join(HERE, "../../pyproject.toml"), "utf8").match(/^version = "(.+)"$/m);
  assert.equal(manifest.version, version);
  assert.ok(readFileSync(join(HERE, "src/live.js"), "utf8").includes(`"twofold-client-js/${version}"`));
  assert.deepEqual([manifest.type, manifest.sideEffects, manifest.dependencies], ["module", false, undefined]);
});

test("the modules stay small on the wire", () => {
  const all = loaded("index.js");
  const playing = loaded("board.js", loaded("client.js"));
  const size = (files) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(HERE, "src", file))).length, 0);

  assert.ok(size(all) < 42_000, `${size(all)} bytes`);
  assert.ok(size(playing) < 22_000, `${size(playing)} bytes`);
  assert.ok(![...all].some((file) => file.startsWith("node")), "no module of Node's is loaded in a browser");
});

/** A module and all that it imports. */
function loaded(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(join(HERE, "src", file), "utf8");
  for (const [, other] of source.matchAll(/^(?:import|export) .*from "\.\/(.+)";$/gm)) loaded(other, found);
  return found;
}

/** A server for the package's files and one page, which tells what it logs or what went wrong. */
async function pageServer() {
  let shown = "";
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const reporting = `<script>
    const tell = (text) => fetch("/told", { method: "POST", body: text });
    console.log = (...words) => tell(words.join(" "));
    onerror = onunhandledrejection = (event) => tell("failed: " + (event.reason?.stack ?? event.message ?? event));
  </script>`;
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      let text = "";
      for await (const chunk of request) text += chunk;
      tell(text);
      return response.end();
    }
    const file = join(HERE, request.url);
    const isPage = request.url === "/";
    if (!isPage && extname(file) !== ".js") return response.writeHead(404).end();
    response.setHeader("content-type", isPage ? "text/html" : "text/javascript");
    response.end(isPage ? `<!doctype html>${reporting}${shown}` : readFileSync(file));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, told, show: (html) => (shown = html) };
}
