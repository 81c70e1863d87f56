/** Whether scripts are the same code twice: reads `[[name, script, script], …]`, writes the names of those that are not. */

const ts = require("typescript");

/** @param {string} text */
function tokens(text) {
  const source = ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const found = [];
  const walk = (/** @type {import("typescript").Node} */ node) => {
    const inside = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    if (inside.length === 0) found.push(`${node.kind} ${node.getText(source)}`);
    else inside.forEach(walk);
  };
  walk(source);
  return found.join("\n");
}

const pairs = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const differ = pairs.filter(([, one, other]) => tokens(one) !== tokens(other)).map(([name]) => name);
process.stdout.write(JSON.stringify(differ));
