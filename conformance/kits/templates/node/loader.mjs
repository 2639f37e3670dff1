import { posix } from 'node:path';

export const name = 'my loader';
export const version = '0.1.0';

// A PLACEHOLDER: call your own loader here, and delete the code below. It follows some imports, and has no limit.
//
// files are the configured paths, maxBytes is 0 for no limit. `await read(path)` reads a whole file from the harness;
// its errors have Node's codes (ENOENT, EACCES, EISDIR …), sometimes inside another error, as its cause. Call
// `warn(path, why)` for each file that is left out. Return [{ path, text }, …] in the order in which a model sees the
// files, and keep no state from one call to the next.
export async function load({ files, maxBytes, read, warn }) {
  const sections = new Map();

  async function add(file) {
    if (sections.has(file)) return;
    sections.set(file, '');
    try {
      sections.set(file, await read(file));
    } catch (error) {
      if (!isMissing(error)) throw error;
      warn(file, 'it does not exist');
    }
    for (const [, mention] of sections.get(file).matchAll(/@([\w./-]+\.md)/g)) {
      await add(posix.join(posix.dirname(file), mention));
    }
  }

  for (const file of files) await add(file);
  return Array.from(sections, ([path, text]) => ({ path, text })).filter(({ text }) => text);
}

function isMissing(error) {
  return error !== undefined && (error.code === 'ENOENT' || isMissing(error.cause));
}
