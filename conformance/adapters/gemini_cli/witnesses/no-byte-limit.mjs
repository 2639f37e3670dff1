// The size of the loaded text has no limit: all files are loaded in full, however large they are.
import { load } from "./scripted.mjs";

const large = "x".repeat(10_000_000);
const files = { "GEMINI.md": `${large} @more.md`, "more.md": large, "AGENTS.md": large };
const loaded = await load(files, { configured: ["GEMINI.md", "AGENTS.md"] });
console.log("bytes in the three files:", 3 * large.length);
console.log("bytes loaded of them:", loaded.join("").split("x").length - 1);

// Output:
// bytes in the three files: 30000000
// bytes loaded of them: 30000000
