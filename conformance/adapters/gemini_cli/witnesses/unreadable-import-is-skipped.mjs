// After any error of reading an import, the load continues: a folder, and a path inside a file, are skipped.
import { imported, load } from "./scripted.mjs";

const files = { "docs/a.md": "A", "b.md": "B", "c.md": "C" };
const text = "@docs/\n@b.md/part\n@c.md";
console.log("in the format flat:", await imported(text, files));
const [tree] = await load({ "GEMINI.md": text, ...files }, { format: "tree" });
console.log(`in the format tree:\n${tree}`);

// Output:
// in the format flat: [ 'c.md' ]
// in the format tree:
// <!-- Import failed: docs/ - EISDIR: illegal operation on a directory, read -->
// <!-- Import failed: b.md/part - ENOTDIR: not a directory, access './b.md/part' -->
// <!-- Imported from: c.md -->
// C
// <!-- End of import from: c.md -->
