// The paths of imports are absolute, although the configured path and the import are relative.
import { readGeminiMdFiles } from "@google/gemini-cli-core/dist/src/utils/memoryDiscovery.js";
import { project } from "./scripted.mjs";

const folder = project({ "sub/GEMINI.md": "Main @docs/b.md", "sub/docs/b.md": "More" });
process.chdir(folder);
const [{ filePath, content }] = await readGeminiMdFiles(["sub/GEMINI.md"], "flat");
console.log("configured:", filePath);
console.log(content.replaceAll(folder, "/the/working/directory"));

// Output:
// configured: sub/GEMINI.md
// --- File: /the/working/directory/sub ---
// Main @docs/b.md
// --- End of File: /the/working/directory/sub ---
//
// --- File: /the/working/directory/sub/docs/b.md ---
// More
// --- End of File: /the/working/directory/sub/docs/b.md ---
