import { posix } from 'node:path';

export const name = 'my loader';
export const version = '0.1.0';

// A PLACEHOLDER: call your own loader here, and delete what is below. It knows some imports, and no limits.
//
// files are the paths configured, maxBytes is 0 where there is no limit. `await read(path)` asks the harness for a
// whole file; its errors have Node's codes (ENOENT, EACCES, EISDIR …), sometimes inside another error, as its cause.
// `warn(path, why)` is for what is left out. Return [{ path, text }, …] in the order in which a model is to see the
// files, and keep nothing from one call to the next.
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
