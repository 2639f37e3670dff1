// The text of a configured file has the name of its folder, so an import of that file loads it a second time.
// The documents of the Memory Import Processor say that circular imports are detected and prevented.
import { load } from "./scripted.mjs";

const files = { "GEMINI.md": "Main, see @b.md", "b.md": "More, back to @GEMINI.md" };
for (const format of ["flat", "tree"]) {
  let lines = 0;
  console.warn = console.error = () => (lines += 1);
  const [text] = await load(files, { format });
  console.log(`=== in the format ${format}, lines on the console: ${lines}\n${text}`);
}

// Output:
// === in the format flat, lines on the console: 0
// --- File: . ---
// Main, see @b.md
// --- End of File: . ---
//
// --- File: ./b.md ---
// More, back to @GEMINI.md
// --- End of File: ./b.md ---
//
// --- File: ./GEMINI.md ---
// Main, see @b.md
// --- End of File: ./GEMINI.md ---
// === in the format tree, lines on the console: 0
// Main, see <!-- Imported from: b.md -->
// More, back to <!-- Imported from: GEMINI.md -->
// Main, see <!-- File already processed: b.md -->
// <!-- End of import from: GEMINI.md -->
// <!-- End of import from: b.md -->
