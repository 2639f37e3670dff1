// What a process passes to another one, so that a run continues there: LangGraph's checkpointer in memory, as bytes.

import { deserialize, serialize } from 'node:v8';

import { MemorySaver } from './packages.mjs';
import { WAITING } from './waiting.mjs';

/** A checkpointer in memory, whose content can be passed on with what tools have saved in the store. */
export class Saver extends MemorySaver {
  onSave = () => {}; // called after each write

  constructor(store) {
    super();
    this.store = store;
  }

  async put(...given) {
    const config = await super.put(...given);
    await this.onSave();
    return config;
  }

  async putWrites(...given) {
    await super.putWrites(...given);
    await this.onSave();
  }

  /** The content, with the thread that has stopped. */
  async checkpoint(thread) {
    const { storage, writes } = this;
    const saved = await this.store.search([WAITING], { limit: 1000 });
    return serialize({ thread, storage, writes, saved });
  }

  /** Takes the content of a checkpoint in the place of what its thread has; returns the thread. */
  async restore(checkpoint) {
    const { thread, storage, writes, saved } = deserialize(checkpoint);
    await this.deleteThread(thread);
    for (const { namespace, key } of await this.store.search([WAITING, thread], { limit: 1000 }))
      await this.store.delete(namespace, key);
    Object.assign(this.storage, storage);
    Object.assign(this.writes, writes);
    for (const { namespace, key, value } of saved) await this.store.put(namespace, key, value);
    return thread;
  }
}
