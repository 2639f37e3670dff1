// At signs in backticks begin no import, in a span or in a fenced block.
import { imported } from "./scripted.mjs";

for (const text of ["write @b.md here", "write ` @b.md ` here", "```text\n@b.md\n```", "<!-- @b.md -->"]) {
  console.log(JSON.stringify(text), "imports", await imported(text, { "b.md": "B" }));
}

// Output:
// "write @b.md here" imports [ 'b.md' ]
// "write ` @b.md ` here" imports []
// "```text\n@b.md\n```" imports []
// "<!-- @b.md -->" imports [ 'b.md' ]
