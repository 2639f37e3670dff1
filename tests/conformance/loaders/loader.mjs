import { posix } from 'node:path';

export const name = 'a loader for Node';
export const version = '1';

console.log('what is printed goes to standard error');

const clean = (path) => posix.normalize(path).replace(/(?<=.)\/$/, '');
const isMissing = (error) => error !== undefined && (error.code === 'ENOENT' || isMissing(error.cause));

export async function load({ files, maxBytes, read, warn }) {
  const seen = new Set();
  let size = 0;
  const full = () => maxBytes > 0 && size > maxBytes;

  async function add(file, above, sections) {
    seen.add(file);
    let text;
    try {
      text = await read(file);
    } catch (error) {
      if (!isMissing(error)) throw error;
      warn(file, 'it does not exist');
    }
    if (!text) return;
    size += Buffer.byteLength(text);
    sections.push({ path: file, text });
    const chain = [...above, file];
    for (const [, mention] of text.matchAll(/@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/-]*)/g)) {
      if (!mention.includes('/') && !/\.(md|txt|mdx|yaml|yml|json|toml)$/.test(mention)) continue;
      const imported = clean(mention.startsWith('/') ? mention : `${posix.dirname(file)}/${mention}`);
      if (seen.has(imported)) {
        if (chain.includes(imported)) warn(imported, 'an import cycle');
      } else if (chain.length > 5) {
        warn(imported, 'too deep');
      } else if (full()) {
        warn(imported, 'beyond the limit');
      } else {
        await add(imported, chain, sections);
      }
    }
  }

  const shown = [];
  for (const file of files.map(clean)) {
    if (seen.has(file)) continue;
    const group = [];
    const late = full() || (await add(file, [], group), shown.length > 0 && full());
    if (late) warn(file, 'beyond the limit');
    else shown.push(...group);
  }
  return shown;
}
