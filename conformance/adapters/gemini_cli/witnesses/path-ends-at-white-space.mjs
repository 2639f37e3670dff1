// The path of an import extends to the next space, tab or line end: punctuation after a path belongs to the path.
import { imported, load } from "./scripted.mjs";

const files = { "b.md": "B", "c.md": "C" };
for (const text of ["@b.md then", "@b.md, then", "@b.md: then", "@b.md#part", "@b.md@c.md"]) {
  console.log(JSON.stringify(text), "imports", await imported(text, files));
}
console.log("in the format tree:", ...(await load({ "GEMINI.md": "@b.md, then", ...files }, { format: "tree" })));

// Output:
// "@b.md then" imports [ 'b.md' ]
// "@b.md, then" imports []
// "@b.md: then" imports []
// "@b.md#part" imports []
// "@b.md@c.md" imports []
// in the format tree: <!-- Import failed: b.md, - ENOENT: no such file or directory, access './b.md,' --> then
