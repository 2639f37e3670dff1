/** Tools and hooks that interrupt their run, and are called again when it is resumed. */

import { AsyncLocalStorage } from 'node:async_hooks';

import { Interruption } from '../../kits/node/kit/index.mjs';
import { interrupt } from './packages.mjs';

/** In the store of the agent: what has been saved before an interrupt, by thread and task. */
export const WAITING = 'waiting calls';

/**
 * What interrupts the task of a node, in the order in which it did: `interrupt` numbers its calls in a task.
 *
 * After a resume, LangGraph starts the task again, and each of its calls of `interrupt` returns the answer to the one
 * with its number. What has interrupted is therefore asked once more first, with what it saved in the store.
 */
class Waiting {
  #store;
  #place;
  #entries;
  #resumed = new Map();

  constructor(store, place, entries) {
    [this.#store, this.#place, this.#entries] = [store, place, entries];
    for (const { by, info, state } of entries) this.#resumed.set(by, { state, data: interrupt(info) });
  }

  static async of({ store, configurable }, task) {
    const place = [[WAITING, configurable.thread_id], task];
    const saved = await store.get(...place);
    return new Waiting(store, place, saved?.value.entries ?? []);
  }

  /** The caller's answer to what has interrupted, if it has done so. */
  resumed(by) {
    return this.#resumed.get(by);
  }

  /** Interrupts the run where the error says so; throws any other error. */
  async interrupted(error, by) {
    if (!(error instanceof Interruption)) throw error;
    const { info, state } = error;
    this.#entries.push({ by, info, state });
    await this.#store.put(...this.#place, { entries: this.#entries }, false);
    interrupt(info);
  }

  async over() {
    if (this.#entries.length) await this.#store.delete(...this.#place);
  }
}

const here = new AsyncLocalStorage();

/**
 * Calls the body of a tool or a hook that may interrupt its run, with the caller's answer if it has done so.
 *
 * `task` names the node, or the tool call: wrappers and what they wrap are one task.
 */
export async function interrupting(runtime, task, by, body) {
  const outer = here.getStore();
  const waiting = outer ?? (await Waiting.of(runtime, task));
  try {
    const result = await here.run(waiting, () => body(waiting.resumed(by)));
    if (!outer) await waiting.over();
    return result;
  } catch (error) {
    return waiting.interrupted(error, by);
  }
}

/** The same of a tool that streams: `body` returns its chunks. */
export async function* interruptingStream(runtime, task, by, body) {
  const outer = here.getStore();
  const waiting = outer ?? (await Waiting.of(runtime, task));
  try {
    yield* body(waiting.resumed(by));
    if (!outer) await waiting.over();
  } catch (error) {
    await waiting.interrupted(error, by);
  }
}
