// The format flat follows imports to any depth. The format tree ends at the documented limit of 5 levels.
import { imported, load } from "./scripted.mjs";

const levels = [1, 2, 3, 4, 5, 6, 7, 8];
const files = Object.fromEntries(levels.map((level) => [`level${level}.md`, `Level ${level} @level${level + 1}.md`]));
console.log("flat:", (await imported("Level 0 @level1.md", files)).join(" "));
const [tree] = await load({ "GEMINI.md": "Level 0 @level1.md", ...files }, { format: "tree" });
console.log("tree:", Array.from(tree.matchAll(/Imported from: (\S+)/g), ([, name]) => name).join(" "));

// Output:
// flat: level1.md level2.md level3.md level4.md level5.md level6.md level7.md level8.md
// tree: level1.md level2.md level3.md level4.md level5.md
