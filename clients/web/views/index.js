/** The views beside the game, by the name in their address; each is loaded when it is first gone to. */

export const routes = {
  analysis: () => import("./analysis.js"),
  compare: () => import("./compare.js"),
  daily: () => import("./daily.js"),
  history: () => import("./history.js"),
  leaders: () => import("./leaders.js"),
  practice: () => import("./practice.js"),
  records: () => import("./records.js"),
  replay: () => import("./replay.js"),
  rules: () => import("./rules.js"),
  strategy: () => import("./strategy.js"),
  verify: () => import("./verify.js"),
  watch: () => import("./watch.js"),
  whatif: () => import("./whatif.js"),
};
