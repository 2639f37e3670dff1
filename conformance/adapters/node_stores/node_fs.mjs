/** `node:fs/promises` over a temporary folder. */

import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { CAPABILITIES, Folder } from './folder.mjs';

class OnDisk extends Folder {
  put = (file, content) => this.#moved(file, (made) => fs.writeFile(made, content));
  putLink = (file, target) => this.#moved(file, (made) => fs.symlink(target, made));

  async #moved(file, make) {
    const made = `${this.base}/outside/${randomUUID()}`;
    await make(made);
    await fs.rename(made, file);
  }
}

export const backend = {
  name: 'node:fs/promises',
  version: process.versions.node,
  capabilities: CAPABILITIES,
  open: async (files) => new OnDisk(fs, await fs.mkdtemp(`${tmpdir()}/loopspec-`)).with(files),
};
