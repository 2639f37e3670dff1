/** Answers the harness in the role `agent`: the cases, and the runs of each case. */

/** @import { WireError } from './types.mjs' */
/** @import { AgentAdapter } from './agent.mjs' */

import { Parts } from './agent.mjs';
import { Line } from './doubles.mjs';
import { Unsupported, describe } from './errors.mjs';
import { initialized, listen } from './lifecycle.mjs';
import { Conversation } from './messages.mjs';
import { Peer, Refusal, UNKNOWN_METHOD, place } from './peer.mjs';
import { Reporter } from './reporter.mjs';

/** Requests within a call, or outside any run, by the method of the adapter that serves each of them. */
const INSIDE = {
  'event/send': (/** @type {any} */ to, /** @type {any} */ { payload = null }) => to.sendEvent(payload),
  'message/send': (/** @type {any} */ to, /** @type {any} */ { text }) => to.sendMessage(text),
  'local/set': (/** @type {any} */ to, /** @type {any} */ { key, value }) => to.setLocal(key, value?.value ?? null),
  'local/get': (/** @type {any} */ to, /** @type {any} */ { key }) => found(to.getLocal(key)),
  'local/delete': (/** @type {any} */ to, /** @type {any} */ { key }) => to.deleteLocal(key),
  'session/set': (/** @type {any} */ to, /** @type {any} */ { key, value }) => to.setSession(key, value?.value ?? null),
  'session/get': (/** @type {any} */ to, /** @type {any} */ { key }) => found(to.getSession(key)),
};
const NESTED = new Set([...Object.keys(INSIDE), 'next', 'outcome/read', 'context/assign']);

/** @param {{ found: boolean, value?: any }} value */
function found({ found: there, value = null }) {
  return { found: there, value: { value } };
}

/**
 * Serves an adapter on standard input and output until the input ends.
 * @param {AgentAdapter<any, any>} adapter
 */
export function serve(adapter) {
  listen((peer) => new Server(adapter, peer));
}

/** The objects of one case. */
class Case {
  /** @type {Map<string, { agent: any, parts: Parts<any> }>} */
  agents = new Map();
  /** @type {Map<number, any[]>} */
  lists = new Map();

  /** @param {number} number */
  constructor(number) {
    this.number = number;
  }
}

/** Answers the requests of the harness. */
class Server {
  #adapter;
  #peer;
  #line;
  #conversation;
  #current = new Case(-1);

  /** @param {AgentAdapter<any, any>} adapter @param {Peer} peer */
  constructor(adapter, peer) {
    this.#adapter = adapter;
    this.#peer = peer;
    this.#conversation = new Conversation(
      (message) => this.#own(() => adapter.toWire(message)),
      (message) => this.#own(() => adapter.fromWire(message)),
    );
    this.#line = new Line(
      peer,
      (method, params) => this.#inside(method, params),
      (error) => this.#describe(error),
    );
  }

  /**
   * Calls code of the adapter inside the framework: a mistake must not pass for the framework's behavior.
   * @template T
   * @param {() => T} convert
   * @returns {T}
   */
  #own(convert) {
    try {
      return convert();
    } catch (error) {
      this.#peer.fault(error);
      throw error;
    }
  }

  /** @param {any} error @returns {WireError} */
  #describe(error) {
    return describe(error, this.#adapter.errorKinds, (one) => this.#adapter.causes(one));
  }

  /** Takes a message. Must not wait for anything. @param {any} message */
  take(message) {
    const { id, method, params = {} } = message;
    if (method === undefined) this.#peer.deliver(id, message);
    else if (id === undefined)
      return; // a notification: `$/cancel` precedes `case/end`, which ends the calls
    else if (NESTED.has(method) && params.in) this.#peer.deliver(params.in, message);
    else void this.#peer.answer(id, this.#result(method, params));
  }

  /** @param {string} method @param {any} params @returns {Promise<object>} */
  async #result(method, params) {
    if (method === 'initialize') return initialized(params, 'agent', this.#adapter);
    if (method === 'ping') return {};
    if (this.#current.number !== params.case) this.#current = new Case(params.case);
    const current = this.#current;
    return place.run({ case: params.case, run: params.run }, async () => {
      if (method in INSIDE) return this.#inside(method, params); // outside any run
      if (method === 'agent/create') return this.#create(current, params);
      if (method === 'agent/run' || method === 'agent/resume') return this.#run(current, params);
      if (method === 'case/end') {
        this.#peer.end(params.case);
        return {};
      }
      throw new Refusal(UNKNOWN_METHOD, `this adapter does not know ${method}`);
    });
  }

  /** @param {string} method @param {any} params @returns {Promise<object>} */
  async #inside(method, params) {
    if (!Object.hasOwn(INSIDE, method)) throw new Refusal(UNKNOWN_METHOD, `this adapter does not know ${method}`);
    try {
      return (await INSIDE[/** @type {keyof typeof INSIDE} */ (method)](this.#adapter, params)) ?? {};
    } catch (error) {
      return {
        error: error instanceof Unsupported ? { kind: 'other', message: error.message } : this.#describe(error),
      };
    }
  }

  /** @param {Case} current @param {any} params */
  async #create(current, { agent: spec }) {
    const parts = new Parts(spec, this.#line, this.#conversation);
    try {
      const agent = await this.#adapter.build(parts);
      const handle = `agent${current.agents.size + 1}`;
      current.agents.set(handle, { agent, parts });
      return { value: handle };
    } catch (error) {
      return { error: this.#describe(error) };
    }
  }

  /** @param {Case} current @param {any} params */
  async #run(current, params) {
    const built = current.agents.get(params.handle);
    if (!built) throw new Error(`there is no agent ${params.handle}`);
    const { agent, parts } = built;
    const report = new Reporter(this.#line, this.#conversation, parts.spec.name);
    const run = {
      id: params.run,
      streaming: params.streaming ?? false,
      session: params.session ?? {},
      messages: params.messages ?? [],
      conversation: params.conversation ?? '',
      saves: params.saves ?? false,
    };
    try {
      if (params.checkpoint !== undefined) {
        const checkpoint = Buffer.from(params.checkpoint, 'base64');
        await this.#adapter.resume(agent, checkpoint, params.answers ?? {}, report, run, parts);
      } else {
        await this.#adapter.run(agent, this.#messages(current, params), report, run, parts);
      }
    } catch (error) {
      report.error(error);
    }
    report.close();
    return report.ended;
  }

  /** The caller's list: the same object for runs that share a list. @param {Case} current @param {any} params */
  #messages(current, { messages = [], sharedList = 0 }) {
    const there = current.lists.get(sharedList);
    if (sharedList && there) return there;
    const made = messages.map(this.#conversation.back);
    current.lists.set(sharedList, made);
    return made;
  }
}
