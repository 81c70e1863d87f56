/** The service's time, from what it tells and when. */

import assert from "node:assert/strict";
import test from "node:test";

import { ServiceClock } from "../src/clock.js";

const NOON = Date.parse("2027-01-15T12:00:00.000Z");
const at = (ms) => new Date(NOON + ms).toISOString();

/** A clock, and this machine's own, moved by hand. */
function clock(t) {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  return { clock: new ServiceClock(), set: (ms) => (now = ms) };
}

test("as long as nothing was told it is this machine's", (t) => {
  const { clock: service } = clock(t);

  assert.ok(!service.known);
  assert.ok(Math.abs(service.now() - Date.now()) < 1000);
});

test("an answer was given between question and arrival: in the middle, as far as is known", (t) => {
  const { clock: service, set } = clock(t);
  set(1300);

  service.hear(at(0), 1100);

  assert.equal(service.now(), NOON + 100);
  set(2300);
  assert.equal(service.now(), NOON + 1100);
});

test("each answer narrows it down, a quick one most", (t) => {
  const { clock: service, set } = clock(t);
  set(2000);
  service.hear(at(0), 1000);
  set(3010);

  service.hear(at(1500), 3000);

  assert.equal(service.now(), NOON + 1505);
});

test("what is told unasked is no older than its arrival", (t) => {
  const { clock: service, set } = clock(t);
  service.hear(at(0));
  set(2000);

  service.hear(at(900));
  assert.equal(service.now(), NOON + 1000, "the first one came sooner");
  service.hear(at(1200));
  assert.equal(service.now(), NOON + 1200);
});

test("what contradicts the past is believed", (t) => {
  const { clock: service } = clock(t);
  service.hear(at(0), 990);

  service.hear(at(-5000), 990);

  assert.equal(service.now(), NOON - 5000 + 5);
});

test("what was known is forgotten, and nonsense passed over", (t) => {
  const { clock: service } = clock(t);
  service.hear("soon", 990);
  assert.ok(!service.known);
  service.hear(at(0), 990);

  service.forget();

  assert.ok(!service.known);
});
