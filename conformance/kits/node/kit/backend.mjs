/** Serves a store in the role `backend`. README.md of this folder says what to fill in. */

/** @import { Backend, FileData, Store, WireError } from './types.mjs' */

import { readdirSync } from 'node:fs';
import { inspect } from 'node:util';

import { CannotStore, describe } from './errors.mjs';
import { initialized, listen } from './lifecycle.mjs';
import { Peer, Refusal, UNKNOWN_METHOD } from './peer.mjs';

/**
 * The optional methods of a store, by the request that calls each of them. An error of a method with `outcome` is
 * behavior of the store; an error of another one is a fault of the adapter.
 * @type {Record<string, { name: 'write' | 'delete' | 'fault' | 'link' | 'fail', outcome: boolean,
 *   args: (params: any) => any[] }>}
 */
const METHODS = {
  'backend/write': { name: 'write', outcome: true, args: (params) => [params.path, contentOf(params.content)] },
  'backend/delete': { name: 'delete', outcome: true, args: ({ path }) => [path] },
  'backend/fault': { name: 'fault', outcome: false, args: ({ path, kind }) => [path, kind] },
  'backend/link': { name: 'link', outcome: false, args: ({ path, target }) => [path, target] },
  'backend/fail': { name: 'fail', outcome: false, args: ({ kind }) => [kind] },
};
const KINDS = new Map([[CannotStore, 'cannot_store']]);

/**
 * Serves a backend on standard input and output until the input ends.
 * @param {Backend} backend
 */
export function serveBackend(backend) {
  listen((peer) => new BackendServer(backend, peer));
}

/** Answers the requests of the harness. Requests that arrive together are served concurrently. */
class BackendServer {
  #backend;
  #peer;
  #case = -1;
  #handles = 0;
  /** @type {Map<string, { store: Store, closed: boolean }>} */
  #opened = new Map();

  /** @param {Backend} backend @param {Peer} peer */
  constructor(backend, peer) {
    this.#backend = backend;
    this.#peer = peer;
  }

  /** Takes a message. Must not wait for anything. @param {any} message */
  take({ id, method, params = {} }) {
    if (id !== undefined && method !== undefined) void this.#peer.answer(id, this.#result(method, params));
  }

  /** @param {string} method @param {any} params @returns {Promise<object>} */
  async #result(method, params) {
    if (method === 'initialize') return this.#initialize(params);
    if (method === 'ping') return {};
    if (this.#case !== params.case) await this.#begin(params.case);
    if (Object.hasOwn(METHODS, method)) return this.#call(METHODS[method], params);
    if (method === 'backend/open') return this.#open(params);
    if (method === 'backend/read') return this.#read(params);
    if (method === 'backend/close') return this.#close(params);
    if (method === 'backend/resources') return { value: resources() };
    if (method === 'case/end') return this.#begin(-1);
    throw new Refusal(UNKNOWN_METHOD, `this adapter does not know ${method}`);
  }

  /** @param {{ protocolVersions: number[] }} offered */
  #initialize(offered) {
    const { name, version = '', capabilities = [] } = this.#backend;
    const counts = entries('/dev/fd') === undefined ? [] : ['resources'];
    return initialized(offered, 'backend', { name, version, capabilities: [...new Set([...capabilities, ...counts])] });
  }

  /**
   * Begins another case: the stores that the harness has not closed are closed.
   * @param {number} number
   */
  async #begin(number) {
    const left = [...this.#opened.values()].filter(({ closed }) => !closed);
    this.#case = number;
    this.#opened.clear();
    for (const { store } of left) {
      try {
        await store.close?.();
      } catch (error) {
        console.error('a store of the last case cannot be closed:', error); // no case is left to report the error
      }
    }
    return {};
  }

  /** @param {{ files?: Record<string, FileData> }} params */
  async #open({ files = {} }) {
    const contents = new Map(Object.entries(files).map(([path, data]) => [path, contentOf(data)]));
    let store;
    try {
      store = await this.#backend.open(contents);
    } catch (error) {
      if (error instanceof CannotStore) return { error: errorOf(error) };
      const cure = 'throw CannotStore(path) for a path that the store cannot store';
      throw new Error(`open() failed: ${shown(error)}: ${cure}`);
    }
    if (typeof store?.read !== 'function')
      throw new Error(`open() returned ${shown(store)}: return an object with read()`);
    const handle = `store${++this.#handles}`;
    this.#opened.set(handle, { store, closed: false });
    return { value: handle };
  }

  /** @param {any} params */
  async #read({ handle, request: { filePath: path, offset = 1, limit = 0 } }) {
    const { store } = this.#known(handle);
    let content;
    try {
      content = await store.read({ path, offset, limit });
    } catch (error) {
      return { error: errorOf(error) };
    }
    return dataOf(content);
  }

  /** @param {typeof METHODS[string]} method @param {any} params */
  async #call({ name, outcome, args }, params) {
    const { store } = this.#known(params.handle);
    if (typeof store[name] !== 'function')
      throw new Error(`open() returned a store without ${name}(), which the declared capabilities promise`);
    try {
      await /** @type {any} */ (store)[name](...args(params));
    } catch (error) {
      if (!outcome) throw new Error(`${name}() failed: ${shown(error)}`);
      return { error: errorOf(error) };
    }
    return {};
  }

  /** @param {{ handle: string }} params */
  async #close({ handle }) {
    const opened = this.#known(handle);
    opened.closed = true;
    try {
      await opened.store.close?.();
    } catch (error) {
      return { error: errorOf(error) };
    }
    return {};
  }

  /** @param {string} handle */
  #known(handle) {
    const opened = this.#opened.get(handle);
    if (!opened) throw new Error(`there is no store ${handle}`);
    return opened;
  }
}

/** @param {unknown} error @returns {WireError} */
function errorOf(error) {
  return describe(error, KINDS);
}

/** @param {FileData} data */
function contentOf({ text = '', base64 }) {
  return base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
}

/**
 * What a read returned: text stays text, bytes stay bytes, and no content object is none.
 * @param {unknown} content
 */
function dataOf(content) {
  if (content === null || content === undefined) return { nothing: true };
  if (content instanceof Uint8Array)
    return { base64: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64') };
  if (typeof content === 'string' && content.isWellFormed()) return { text: content };
  const cure = content instanceof Error ? 'throw the error' : 'return a Buffer or well-formed text, or throw an error';
  throw new Error(`read() returned ${shown(content)}: ${cure}`);
}

/** @param {unknown} value */
function shown(value) {
  return inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 200);
}

/**
 * What the process has open. The counterpart of a task is an active resource: a request or a handle, such as a timer,
 * that keeps the event loop alive. Nothing collects garbage: in Node, what only the collector closes is a leak.
 */
function resources() {
  return {
    descriptors: entries('/dev/fd') ?? 0,
    threads: entries('/proc/self/task') ?? 0,
    tasks: process.getActiveResourcesInfo().length,
  };
}

/** @param {string} folder @returns {number | undefined} undefined where the system has no such folder */
function entries(folder) {
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}
