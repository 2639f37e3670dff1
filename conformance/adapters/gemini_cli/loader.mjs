// gemini-cli reads instructions files, with the harness's files in place of a disk. Nothing of its rules is in here.

import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const scene = new AsyncLocalStorage(); // of the load that goes on: read, warn, and what `access` has read

// What the package calls of node:fs, in a load. The whole disk is one project: without, imports may not leave a folder.
instead(fs.promises, 'access', async (path, { read, looked }) => {
  if (path === '/.git') return;
  if (basename(path) === '.git') throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
  const text = await read(path); // only reading tells whether there is something
  looked.set(path, [...(looked.get(path) ?? []), text]);
});
instead(fs.promises, 'readFile', async (path, { read, looked }) => looked.get(path)?.shift() ?? read(path));
instead(fs, 'realpathSync', (path) => path); // no scene has links
syncBuiltinESMExports();

function instead(object, name, own) {
  const real = object[name];
  const either = (path, ...more) => {
    const going = scene.getStore();
    return going ? own(path, going) : real(path, ...more);
  };
  object[name] = Object.assign(either, real);
}

// It warns by writing to the console: of a configured file that it cannot read, in a sentence that names it.
const { warn } = console;
console.warn = (...words) => {
  const path = /file at (.*?)\. Error: /.exec(words.join(' '))?.[1];
  if (path) scene.getStore()?.warn(path, words.join(' '));
  warn(...words);
};
delete process.env.VITEST; // with either it would not warn
delete process.env.NODE_ENV;

const folder = process.env.GEMINI_CLI_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const core = '@google/gemini-cli-core';
const source = found(`${core}/dist/src/utils/memoryDiscovery.js`);
const { readGeminiMdFiles } = await import(pathToFileURL(source));
process.chdir('/'); // it makes relative paths absolute: the same wherever this runs

export const name = 'gemini-cli';
export const { version } = packed(`${core}/package.json`);

export function load({ files, read, warn }) {
  return scene.run({ read, warn, looked: new Map() }, async () => {
    const contents = await readGeminiMdFiles(files, 'flat');
    return contents.flatMap(({ filePath, content }) => sections(filePath, content ?? ''));
  });
}

// The files in a flat text. The heading of the first one names its folder: the path is around the text as a whole.
function sections(filePath, content) {
  const found = content.matchAll(/^--- File: (.*) ---\n([\s\S]*?)\n--- End of File: \1 ---$/gm);
  return Array.from(found, ([, path, text], at) => ({ path: at ? path : filePath, text }));
}

function found(path) {
  try {
    return packed.resolve(path);
  } catch {
    console.error(`${core} is not in ${folder}: npm install --ignore-scripts`);
    process.exit(1);
  }
}
