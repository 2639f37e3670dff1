// An at sign begins an import only at the beginning of a file and after a space, a tab or a line end.
import { imported } from "./scripted.mjs";

const texts = [
  "@b.md",
  "see @b.md",
  "@@b.md",
  "bob@b.md",
  "(@b.md)",
  "'@b.md'",
  "**@b.md**",
  "\\@b.md",
  "\ufeff@b.md",
];
for (const text of texts) {
  const files = { "b.md": "B", "b.md)": "B", "b.md'": "B", "b.md**": "B" };
  console.log(JSON.stringify(text).replace("\ufeff", "\\ufeff"), "imports", await imported(text, files));
}

// Output:
// "@b.md" imports [ 'b.md' ]
// "see @b.md" imports [ 'b.md' ]
// "@@b.md" imports []
// "bob@b.md" imports []
// "(@b.md)" imports []
// "'@b.md'" imports []
// "**@b.md**" imports []
// "\\@b.md" imports []
// "\ufeff@b.md" imports []
