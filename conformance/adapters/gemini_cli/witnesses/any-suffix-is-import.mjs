// A mention needs no slash and no suffix of a text file to be an import: any file is imported.
import { imported, load } from "./scripted.mjs";

for (const name of ["b.md", "B.MD", "b.md.", "b.md.bak", "main.go", ".env", "someone"]) {
  console.log(`@${name} imports`, await imported(`@${name}`, { [name]: "text" }));
}
console.log("in the format tree:", ...(await load({ "GEMINI.md": "thanks to @someone" }, { format: "tree" })));

// Output:
// @b.md imports [ 'b.md' ]
// @B.MD imports [ 'B.MD' ]
// @b.md. imports [ 'b.md.' ]
// @b.md.bak imports [ 'b.md.bak' ]
// @main.go imports [ 'main.go' ]
// @.env imports [ '.env' ]
// @someone imports [ 'someone' ]
// in the format tree: thanks to <!-- Import failed: someone - ENOENT: no such file or directory, access './someone' -->
