// Each configured file is processed separately: a file that two of them import, or that is configured too, is repeated.
import { load } from "./scripted.mjs";

const files = { "GEMINI.md": "Main @style.md", "AGENTS.md": "Other @style.md", "style.md": "Be brief." };
for (const configured of [["GEMINI.md", "AGENTS.md"], ["GEMINI.md", "style.md"]]) {
  const text = (await load(files, { configured })).join("\n");
  console.log("configured:", configured, "times that the style is loaded:", text.split("Be brief.").length - 1);
}
const [once] = await load({ "GEMINI.md": "Main @style.md @style.md", "style.md": "Be brief." });
console.log("imported twice by one file, times that the style is loaded:", once.split("Be brief.").length - 1);

// Output:
// configured: [ 'GEMINI.md', 'AGENTS.md' ] times that the style is loaded: 2
// configured: [ 'GEMINI.md', 'style.md' ] times that the style is loaded: 2
// imported twice by one file, times that the style is loaded: 1
