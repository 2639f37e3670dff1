// A mention that begins with anything but a dot, a slash or an ASCII letter is no import, although its file exists.
import { imported } from "./scripted.mjs";

const names = ["b.md", "_b.md", "9.md", "~/b.md", "é.md"];
const files = Object.fromEntries(names.map((name) => [name, "B"]));
for (const name of names) {
  console.log(`@${name} imports`, await imported(`@${name}`, files));
  console.log(`@./${name} imports`, await imported(`@./${name}`, files));
}

// Output:
// @b.md imports [ 'b.md' ]
// @./b.md imports [ 'b.md' ]
// @_b.md imports []
// @./_b.md imports [ '_b.md' ]
// @9.md imports []
// @./9.md imports [ '9.md' ]
// @~/b.md imports []
// @./~/b.md imports [ '~/b.md' ]
// @é.md imports []
// @./é.md imports [ 'é.md' ]
