/** JSON-RPC 2.0 on standard input and output: requests in both directions, and requests within a request. */

import { AsyncLocalStorage } from 'node:async_hooks';

import { CaseOver } from './errors.mjs';

/**
 * The place of the code that runs: its case and its run. Node passes the place on to all asynchronous calls.
 * @typedef {{ case: number, run?: string, ctx?: Record<string, any> }} Place
 * @type {AsyncLocalStorage<Place>}
 */
export const place = new AsyncLocalStorage();

/** Serves a request within a call, in the asynchronous context of the code that waits for the call.
 * @typedef {(method: string, params: any) => Promise<any>} Within
 */

/** An error that means that a program is broken, with its JSON-RPC code. */
export class Refusal extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const UNKNOWN_METHOD = -32601;
export const INTERNAL_ERROR = -32603;
export const NO_VERSION = -32010;
export const CLOSED_SCOPE = -32011;

/** An unanswered request, and so a scope: a mailbox for the requests within the request, and for the answer. */
class Scope {
  /** @type {any[]} */
  #arrived = [];
  /** @type {{ resolve: (message: any) => void, reject: (error: Error) => void } | undefined} */
  #waiting;

  /** @param {number} number */
  constructor(number) {
    this.case = number;
  }

  /** @param {any} message a message, or an `Error` that ends the wait */
  put(message) {
    if (!this.#waiting) this.#arrived.push(message);
    else if (message instanceof Error) this.#waiting.reject(message);
    else this.#waiting.resolve(message);
    this.#waiting = undefined;
  }

  /** @returns {Promise<any>} */
  async take() {
    const arrived = this.#arrived.shift();
    if (arrived instanceof Error) throw arrived;
    if (arrived) return arrived;
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }
}

/** The connection to the harness. */
export class Peer {
  #requests = 0;
  /** @type {Map<string, Scope>} */
  #scopes = new Map();

  /**
   * @param {(line: string) => void} write writes a whole line
   */
  constructor(write) {
    this.write = write;
  }

  /** @param {object} message */
  send(message) {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /**
   * Sends a notification about the current case and run.
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    this.send({ method, params: { ...here(), ...params } });
  }

  /**
   * Reports a fault of the adapter, which must not pass for behavior of the framework.
   * @param {unknown} problem
   */
  fault(problem) {
    this.send({ method: 'adapter/fault', params: { message: String(/** @type {any} */ (problem)?.stack ?? problem) } });
  }

  /**
   * Sends a request, serves the requests within the request, and returns the answer.
   * @param {string} method
   * @param {object} params
   * @param {Within} within
   * @param {AbortSignal | undefined} signal reports to the harness that the framework has cancelled the call
   * @returns {Promise<any>}
   */
  async ask(method, params, within, signal = undefined) {
    const id = `a${++this.#requests}`;
    const about = here();
    const scope = new Scope(about.case);
    this.#scopes.set(id, scope);
    this.send({ id, method, params: { ...about, ...params } });
    const cancel = () => this.send({ method: '$/cancel', params: { id } });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const message = await scope.take();
        if (message.method === undefined) return answerOf(message);
        await this.#serve(message, within);
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#scopes.delete(id);
    }
  }

  /** @param {{ id: string, method: string, params: any }} message @param {Within} within */
  async #serve({ id, method, params }, within) {
    try {
      this.send({ id, result: await within(method, params) });
    } catch (error) {
      this.refuse(id, error);
    }
  }

  /**
   * Answers a request of the harness. An error that is no refusal is a fault of the adapter.
   * @param {string} id
   * @param {Promise<object>} result
   */
  async answer(id, result) {
    try {
      this.send({ id, result: await result });
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof CaseOver)) this.fault(error);
      this.refuse(id, error instanceof Refusal ? error : new Refusal(INTERNAL_ERROR, String(error)));
    }
  }

  /** @param {string} id @param {any} error */
  refuse(id, error) {
    const code = error instanceof Refusal ? error.code : INTERNAL_ERROR;
    this.send({ id, error: { code, message: String(error?.stack ?? error) } });
  }

  /**
   * Passes an answer of the harness, or a request within a call, to the code that waits for the call.
   * @param {string} scope
   * @param {any} message
   */
  deliver(scope, message) {
    const waiting = this.#scopes.get(scope);
    if (waiting) waiting.put(message);
    else if (message.method !== undefined)
      this.refuse(message.id, new Refusal(CLOSED_SCOPE, `the call ${scope} is over`));
  }

  /** @param {number} number ends every call of this case */
  end(number) {
    for (const scope of this.#scopes.values())
      if (scope.case === number) scope.put(new CaseOver(`case ${number} is over`));
  }
}

/** @param {{ result?: any, error?: { message: string } }} message */
function answerOf({ result, error }) {
  if (error) throw new CaseOver(error.message); // failures come as results
  return result;
}

/** @returns {Place} */
function here() {
  const store = place.getStore();
  if (!store) throw new Error('the framework called a double outside any case: its asynchronous context is lost');
  return store;
}
