/**
 * `twofold serve` for tests, on a database of its own: started, killed and started again at one address. That it stands
 * still for seconds on a machine which others use too is no outage.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const PYTHON = process.env.PYTHON ?? join(CHECKOUT, ".venv/bin/python");
const READY_WITHIN = 60_000;

export class Serving {
  /**
   * A service that is ready, and is taken down after the tests.
   *
   * @param {{ after: (work: () => unknown) => void }} test The test's context, or node:test itself.
   * @param {{ [name: string]: string }} [settings]
   */
  static async begun(test, settings) {
    const serving = new Serving(await freePort(), settings);
    test.after(() => serving.end());
    await serving.start();
    return serving;
  }

  constructor(port, settings = {}) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.folder = mkdtempSync(join(tmpdir(), "twofold-js-"));
    this.settings = settings;
  }

  async start() {
    const log = openSync(join(this.folder, "log"), "a");
    const database = `sqlite:///${this.folder}/twofold.db`;
    const env = { ...process.env, TWOFOLD_RATE_LIMITS: "off", PYTHONPATH: CHECKOUT, ...this.settings };
    const command = ["-m", "tests.faults.patient", "serve", "--port", String(this.port), "--database", database];
    this.process = spawn(PYTHON, command, { cwd: this.folder, env, stdio: ["ignore", log, log] });
    closeSync(log);
    const end = Date.now() + READY_WITHIN;
    while (Date.now() < end && this.process.exitCode === null) {
      const ready = await fetch(`${this.url}/readyz`).catch(() => null);
      if (ready?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`the service is not ready: ${readFileSync(join(this.folder, "log"), "utf8").slice(-2000)}`);
  }

  /** @param {NodeJS.Signals} [signal] */
  async stop(signal = "SIGKILL") {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, "exit");
    this.process.kill(signal);
    await exited;
  }

  async end() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
