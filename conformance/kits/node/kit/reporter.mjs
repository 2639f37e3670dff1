/** The caller's side of one run: its events, its final answer, and how the run ended. */

/** @import { Message } from './types.mjs' */
/** @import { Line } from './doubles.mjs' */

/**
 * Reports to the harness what the framework reports to its caller.
 * @template M
 */
export class Reporter {
  #line;
  #conversation;
  #agent;
  #streams = 0;
  /** @type {Set<Stream>} */
  #open = new Set();
  #failed = false;

  /** @param {Line} line @param {import('./messages.mjs').Conversation<M>} conversation @param {string} agent */
  constructor(line, conversation, agent) {
    this.#line = line;
    this.#conversation = conversation;
    this.#agent = agent;
    /** @type {Record<string, any>} what the harness receives at the end of the run */
    this.ended = {};
  }

  /** An event for each answer and each tool result in a message of the framework. @param {M} message */
  message(message) {
    for (const one of this.#conversation.one(message)) this.wire(one);
  }

  /** The same for a message of the protocol. @param {Message} message */
  wire(message) {
    if (message.role === 'assistant' || message.role === 'tool') this.#event({ message });
  }

  /** An event with a payload of a handler or a tool. @param {any} custom */
  custom(custom) {
    this.#event({ custom });
  }

  /** An event that is a stream. @returns {Stream} */
  stream() {
    const stream = ++this.#streams;
    this.#event({ stream });
    const one = new Stream(
      (chunk) => this.#line.peer.notify('run/chunk', { stream, ...chunk }),
      () => this.#open.delete(one),
      (error) => this.#line.describe(error),
    );
    this.#open.add(one);
    return one;
  }

  /** The error with which the run fails. `run` of an adapter may throw instead. @param {unknown} error */
  error(error) {
    if (this.#failed) return;
    this.#failed = true;
    for (const one of this.#open) one.fail(error);
    this.ended.error = this.#line.describe(error);
    this.#event({ error: this.ended.error });
  }

  /** The final answer as the framework returns the answer to its caller. @param {string} text */
  final(text) {
    this.#line.peer.notify('run/final', { text });
  }

  /** What the run has saved, before it continues: of a run with `saves`. @param {Uint8Array} checkpoint */
  saved(checkpoint) {
    this.#line.peer.notify('run/saved', { checkpoint: Buffer.from(checkpoint).toString('base64') });
  }

  /** The session values at the end of the run. @param {Record<string, any>} values */
  session(values) {
    this.ended.session = values;
  }

  /**
   * The run is interrupted, with a checkpoint from which another process resumes the run.
   * @param {Uint8Array | undefined} checkpoint
   * @param {{ id: string, info?: any }[]} interrupts
   */
  interrupted(checkpoint, interrupts = []) {
    const data = checkpoint && Buffer.from(checkpoint).toString('base64');
    this.ended.interrupted = { ...(data !== undefined && { checkpoint: data }), interrupts };
  }

  /** Ends the streams that the framework has left open. */
  close() {
    for (const one of this.#open) one.end();
  }

  /** @param {object} params */
  #event(params) {
    this.#line.peer.notify('run/event', { agent: this.#agent, ...params });
  }
}

/** An event that is a stream: its chunks, and then its end or an error. */
class Stream {
  #send;
  #closed;
  #describe;

  /** @param {(chunk: object) => void} send @param {() => void} closed @param {(error: unknown) => object} describe */
  constructor(send, closed, describe) {
    this.#describe = describe;
    this.#send = send;
    this.#closed = closed;
    this.text = '';
  }

  /** @param {Message} message */
  chunk(message) {
    this.text += message.content ?? '';
    this.#send({ message });
  }

  end() {
    this.#closed();
    this.#send({ end: true });
  }

  /** @param {unknown} error */
  fail(error) {
    this.#closed();
    this.#send({ error: this.#describe(error) });
  }
}
