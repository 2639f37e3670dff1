// All configured files are read at the same time, before the imports of the first one.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { load } from "./scripted.mjs";

const { readFile } = fs.promises;
const order = [];
let open = 0;
let most = 0;
fs.promises.readFile = async (path, ...more) => {
  order.push(basename(path));
  most = Math.max(most, ++open);
  return readFile(path, ...more).finally(() => (open -= 1));
};
syncBuiltinESMExports();

const configured = ["one.md", "two.md", "three.md"];
await load({ "one.md": "1 @import.md", "import.md": "I", "two.md": "2", "three.md": "3" }, { configured });
console.log("read in this order:", order.join(" "));
console.log("most reads at the same time:", most);

// Output:
// read in this order: one.md two.md three.md import.md
// most reads at the same time: 3
