// A configured path is read and shown as it is written. `deduplicatePathsByFileIdentity`, which gemini-cli calls
// beforehand, removes a second path of the same file, and does not normalize the first.
import {
  deduplicatePathsByFileIdentity,
  readGeminiMdFiles,
} from "@google/gemini-cli-core/dist/src/utils/memoryDiscovery.js";
import { project } from "./scripted.mjs";

process.chdir(project({ "GEMINI.md": "Be brief.", "docs/a.md": "" }));
console.warn = () => {};
const shown = (files) => files.map(({ filePath, content }) => `${filePath}: ${content && content.split("\n")[1]}`);

console.log(shown(await readGeminiMdFiles(["docs/..//./GEMINI.md", "missing/../GEMINI.md"], "flat")));
const twice = ["./GEMINI.md", "GEMINI.md"];
console.log(shown(await readGeminiMdFiles(twice, "flat")));
console.log(shown(await readGeminiMdFiles((await deduplicatePathsByFileIdentity(twice)).paths, "flat")));

// Output:
// [ 'docs/..//./GEMINI.md: Be brief.', 'missing/../GEMINI.md: null' ]
// [ './GEMINI.md: Be brief.', 'GEMINI.md: Be brief.' ]
// [ './GEMINI.md: Be brief.' ]
