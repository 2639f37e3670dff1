// Calls gemini-cli's loader of instruction files, with the harness's files instead of a disk. It adds no rules.

import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const scene = new AsyncLocalStorage(); // the current load: read, warn, and the files that `access` has read

// The functions of node:fs that the package calls in a load. The whole disk is one project, which imports may not leave.
instead(fs.promises, 'access', async (path, { read, looked }) => {
  if (path === '/.git') return;
  if (basename(path) === '.git') throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
  const text = await read(path); // only a read shows whether the file exists
  looked.set(path, [...(looked.get(path) ?? []), text]);
});
instead(fs.promises, 'readFile', async (path, { read, looked }) => looked.get(path)?.shift() ?? read(path));
instead(fs.promises, 'stat', async () => { throw new Error('no scene has inodes'); }); // then paths are compared
instead(fs, 'realpathSync', (path) => path); // no scene has links
syncBuiltinESMExports();

function instead(object, name, own) {
  const real = object[name];
  const either = (path, ...more) => {
    const current = scene.getStore();
    return current ? own(path, current) : real(path, ...more);
  };
  object[name] = Object.assign(either, real);
}

// gemini-cli's warning about a configured file that it cannot read is a sentence on the console that names the file.
const { warn } = console;
console.warn = (...words) => {
  const path = /file at (.*?)\. Error: /.exec(words.join(' '))?.[1];
  if (path) scene.getStore()?.warn(path, words.join(' '));
  warn(...words);
};
delete process.env.VITEST; // either one turns the warning off
delete process.env.NODE_ENV;

const folder = process.env.GEMINI_CLI_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const core = '@google/gemini-cli-core';
const source = found(`${core}/dist/src/utils/memoryDiscovery.js`);
const { deduplicatePathsByFileIdentity, readGeminiMdFiles } = await import(pathToFileURL(source));
process.chdir('/'); // gemini-cli makes relative paths absolute: the result must not depend on the folder

export const name = 'gemini-cli';
export const { version } = packed(`${core}/package.json`);

export function load({ files, read, warn }) {
  return scene.run({ read, warn, looked: new Map() }, async () => {
    const { paths } = await deduplicatePathsByFileIdentity(files); // as gemini-cli does before it reads them
    const contents = await readGeminiMdFiles(paths, 'flat');
    return contents.flatMap(({ filePath, content }) => sections(filePath, content ?? ''));
  });
}

// The files in a flat text. The heading of the first file names its folder: the whole text comes with its path.
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
