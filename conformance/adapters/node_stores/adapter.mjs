/** Connects a store with loopspec: `node adapter.mjs node-fs` or `node adapter.mjs memfs`. */

import { serveBackend } from '../../kits/node/kit/index.mjs';

const STORES = { 'node-fs': './node_fs.mjs', memfs: './memfs.mjs' };

const [name] = process.argv.slice(2);
if (!Object.hasOwn(STORES, name ?? '')) {
  console.error(`adapter.mjs has no store ${JSON.stringify(name ?? '')}: name ${Object.keys(STORES).join(' or ')}`);
  process.exit(2);
}
serveBackend((await import(STORES[name])).backend);
