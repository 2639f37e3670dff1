// A configured file that cannot be read is logged, except for a folder, and the other files are loaded.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { readGeminiMdFiles } from "@google/gemini-cli-core/dist/src/utils/memoryDiscovery.js";
import { project } from "./scripted.mjs";

const folder = project({ "GEMINI.md": "Be brief.", "notes.md": "", "folder.md/x": "" });
symlinkSync("loop.md", join(folder, "loop.md"));
const warnings = [];
console.warn = (...words) => warnings.push(/Could not.*(?=, open)/.exec(words.join(" ").replace(folder, "."))[0]);

const names = ["loop.md", "notes.md/GEMINI.md", "folder.md", "GEMINI.md"];
for (const { filePath, content } of await readGeminiMdFiles(names.map((name) => join(folder, name)))) {
  console.log(filePath.replace(folder, "."), "has", content);
}
console.log(warnings.sort().join("\n"));

// Output:
// ./loop.md has null
// ./notes.md/GEMINI.md has null
// ./folder.md has null
// ./GEMINI.md has Be brief.
// Could not read GEMINI.md file at ./loop.md. Error: ELOOP: too many symbolic links encountered
// Could not read GEMINI.md file at ./notes.md/GEMINI.md. Error: ENOTDIR: not a directory
