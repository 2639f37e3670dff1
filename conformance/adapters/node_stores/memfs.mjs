/** `promises` of memfs, over a volume of its own for each scene. */

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { CAPABILITIES, Folder } from './folder.mjs';

const folder = process.env.NODE_STORES_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const { memfs } = packed('memfs');

class InMemory extends Folder {
  constructor({ vol, fs }) {
    super(fs.promises, '/store');
    this.vol = vol;
  }

  put = (file, content) => this.fs.writeFile(file, content);

  putLink(file, target) {
    if (this.vol.lstatSync(file, { throwIfNoEntry: false })) this.vol.unlinkSync(file);
    this.vol.symlinkSync(target, file);
  }
}

export const backend = {
  name: 'memfs',
  version: packed('memfs/package.json').version,
  capabilities: CAPABILITIES,
  open: (files) => new InMemory(memfs()).with(files),
};
