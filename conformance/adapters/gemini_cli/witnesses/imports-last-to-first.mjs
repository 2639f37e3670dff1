// In the format flat, the imports of a file are loaded from the last to the first; the format tree has them in order.
import { imported, load } from "./scripted.mjs";

const files = { "one.md": "1", "two.md": "2", "three.md": "3" };
const text = "@one.md @two.md @three.md";
console.log("text:", text);
console.log("flat:", await imported(text, files));
const [tree] = await load({ "GEMINI.md": text, ...files }, { format: "tree" });
console.log("tree:", Array.from(tree.matchAll(/Imported from: (\S+)/g), ([, name]) => name));

// Output:
// text: @one.md @two.md @three.md
// flat: [ 'three.md', 'two.md', 'one.md' ]
// tree: [ 'one.md', 'two.md', 'three.md' ]
