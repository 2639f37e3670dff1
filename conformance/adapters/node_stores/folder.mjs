/** The part that both stores share: the files of a scene in the folder `root`, with the API of `node:fs/promises`. */

import { basename, dirname } from 'node:path';

import { CannotStore } from '../../kits/node/kit/index.mjs';

// A mode without any permission does not stop root.
const FORBIDDING = process.getuid() ? ['fault-permission'] : [];
const FOLDERS = ['root', 'outside', 'root-2']; // the name of the last one begins with the root's
export const CAPABILITIES = [
  'deletes',
  'directories',
  'edits',
  'fault-container',
  'fault-io',
  'fault-outside',
  'links',
  ...FORBIDDING,
];

/**
 * A store over the folder `root` of `base`. A path of the scene is never changed: the file system receives it as it is.
 * A store has `put(file, content)`, which writes a file, and `putLink(file, target)`, which replaces a file or a link
 * by a link. Both do so at once: a concurrent read sees the old file or the new one.
 */
export class Folder {
  /** `fs` has the functions of `node:fs/promises`. */
  constructor(fs, base) {
    this.fs = fs;
    this.base = base;
  }

  /** Makes the folders, and stores the files. */
  async with(files) {
    try {
      for (const name of FOLDERS) await this.fs.mkdir(`${this.base}/${name}`, { recursive: true });
      for (const [path, content] of files) await this.write(path, content);
    } catch (error) {
      await this.close(); // the harness closes only a store that is open
      throw error;
    }
    return this;
  }

  at(path) {
    return `${this.base}/root/${path}`;
  }

  read({ path }) {
    return this.fs.readFile(this.at(path));
  }

  /** Creates or replaces a file. A refusal of the file system is one of the name. */
  async write(path, content) {
    try {
      await this.fs.mkdir(dirname(this.at(path)), { recursive: true });
      await this.put(this.at(path), content);
    } catch (error) {
      throw error.code ? new CannotStore(path, { cause: error }) : error;
    }
  }

  delete(path) {
    return this.fs.unlink(this.at(path));
  }

  /** Removes every right to the file, or replaces the file by a link: to itself, or out of the root. */
  async fault(path, kind) {
    if (kind === 'permission') return this.fs.chmod(this.at(path), 0);
    if (kind === 'io') return this.putLink(this.at(path), this.at(path));
    const neighbor = `${this.base}/root-2/${basename(path)}`;
    await this.fs.writeFile(neighbor, 'A file of the neighbor.');
    return this.putLink(this.at(path), neighbor);
  }

  /** Creates a link, or replaces a file by a link, to a path inside the root. */
  async link(path, target) {
    await this.fs.mkdir(dirname(this.at(path)), { recursive: true });
    await this.putLink(this.at(path), this.at(target));
  }

  /** Removes the folder with the files. A store over a folder fails in no other way. */
  async fail(kind) {
    if (kind !== 'container') throw new RangeError(kind);
    await this.fs.rm(`${this.base}/root`, { recursive: true });
  }

  async close() {
    await this.fs.rm(this.base, { recursive: true, force: true });
  }
}
