// Shared by the programs in this folder: a project in a temporary folder, and what gemini-cli loads from it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
// The package itself exports this function too; its module alone is loaded faster.
import { readGeminiMdFiles } from "@google/gemini-cli-core/dist/src/utils/memoryDiscovery.js";

console.debug = () => {};

/** A new folder with these files, by name. It is removed at the end of the program. */
export function project(files) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-")));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ ".git/HEAD": "", ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The text of each configured file with its imports. The project's folder is shown as ".". */
export async function load(files, { configured = ["GEMINI.md"], format = "flat" } = {}) {
  const folder = project(files);
  const loaded = await readGeminiMdFiles(configured.map((name) => join(folder, name)), format);
  return loaded.map(({ content }) => content?.replaceAll(folder, "."));
}

/** The files that a GEMINI.md with this text imports, in the order in which the format `flat` names them. */
export async function imported(text, files) {
  const [loaded] = await load({ "GEMINI.md": text, ...files });
  return Array.from(loaded.matchAll(/^--- File: \.\/(.*) ---$/gm), ([, name]) => name);
}
