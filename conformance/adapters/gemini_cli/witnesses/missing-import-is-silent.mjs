// In the format flat, nothing says that an import is missing: no comment in the text, and no line on the console.
// The documents of the Memory Import Processor describe an error comment in the output, which the format tree has.
import { load } from "./scripted.mjs";

for (const format of ["flat", "tree"]) {
  let lines = 0;
  console.warn = console.error = () => (lines += 1);
  const [text] = await load({ "GEMINI.md": "Read @missing.md first." }, { format });
  console.log(`=== in the format ${format}, lines on the console: ${lines}\n${text}`);
}

// Output:
// === in the format flat, lines on the console: 0
// --- File: . ---
// Read @missing.md first.
// --- End of File: . ---
// === in the format tree, lines on the console: 1
// Read <!-- Import failed: missing.md - ENOENT: no such file or directory, access './missing.md' --> first.
