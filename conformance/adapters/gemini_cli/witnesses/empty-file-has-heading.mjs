// In the format flat, an empty file has a heading in the instructions; in the format tree, it is left out.
import { concatenateInstructions } from "@google/gemini-cli-core/dist/src/utils/memoryDiscovery.js";
import { load } from "./scripted.mjs";

for (const format of ["flat", "tree"]) {
  const [content] = await load({ "GEMINI.md": "" }, { format });
  console.log(`=== in the format ${format}:`);
  console.log(concatenateInstructions([{ filePath: "./GEMINI.md", content }]) || "nothing");
}

// Output:
// === in the format flat:
// --- Context from: ./GEMINI.md ---
// --- File: . ---
//
// --- End of File: . ---
// --- End of Context from: ./GEMINI.md ---
// === in the format tree:
// nothing
