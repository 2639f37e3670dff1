/** The harness's handlers. Each hook of the framework calls one method with the framework's own messages. */

/** @import { HandlerSpec, HookKind, Message, Resumed, Start, ToolInfo } from './types.mjs' */
/** @import { Line } from './doubles.mjs' */

import { argsText, indexed } from './messages.mjs';
import { place } from './peer.mjs';

/**
 * What a hook returns, in the framework's messages. Unchanged messages are the same objects.
 * @template M
 * @typedef {{ messages: M[], messagesChanged: boolean, tools: string[], toolsChanged: boolean, system?: string | null,
 *   systemChanged: boolean, nothing?: boolean, model?: string, options?: Record<string, any> }} Change
 */

/**
 * What the framework reports to a hook. Leave out what the framework does not report.
 * @template M
 * @typedef {{ messages: M[], system?: string | null, tools?: string[] }} Reported
 */

/**
 * A scripted handler. A hook that the handler lacks calls nothing and changes nothing.
 * @template M
 */
export class HookDouble {
  #spec;
  #line;
  #conversation;
  #resumed;

  /**
   * @param {HandlerSpec} spec @param {Line} line @param {import('./messages.mjs').Conversation<M>} conversation
   * @param {Resumed} [resumed]
   */
  constructor(spec, line, conversation, resumed) {
    this.#spec = spec;
    this.#resumed = resumed;
    this.name = spec.name;
    this.hooks = new Set((spec.hooks ?? []).map(({ hook }) => hook));
    this.#line = line;
    this.#conversation = conversation;
  }

  /**
   * The double for a call of the hook that interrupted the run, with the caller's answer, if it has one.
   *
   * A hook before or after the model, and a wrapper, may throw `Interruption`: raise it as the framework's own.
   * @param {Resumed | undefined} resumed
   * @returns {HookDouble<M>}
   */
  resuming(resumed) {
    return new HookDouble(this.#spec, this.#line, this.#conversation, resumed);
  }

  /** @param {HookKind} hook */
  has(hook) {
    return this.hooks.has(hook);
  }

  /**
   * The before-agent hook. Returns the start that the hook wants, or null where the hook returns nothing.
   * @param {Start} start what the run would start with; leave out what the framework does not report
   * @returns {Promise<Start | null>}
   */
  async beforeAgent(start = {}) {
    if (!this.has('before agent')) return start;
    const reply = await this.#line.ask('hook/beforeAgent', { handler: this.name, start });
    return reply.value ? { ...start, ...reply.value } : null;
  }

  /** @param {Reported<M>} state @returns {Promise<Change<M>>} */
  async beforeModel(state) {
    return this.#change('before model', state, true);
  }

  /** @param {Reported<M>} state @returns {Promise<Change<M>>} */
  async afterModel(state) {
    return this.#change('after model', state, true);
  }

  /** @param {Reported<M>} state @returns {Promise<Change<M>>} */
  async afterAgent(state) {
    return this.#change('after agent', state, false);
  }

  /** @param {HookKind} hook @param {Reported<M>} given @param {boolean} aroundModel */
  async #change(hook, given, aroundModel) {
    if (!this.has(hook)) return unchanged(given);
    const { lead, wires } = this.#wires(given);
    const context = aroundModel && given.tools ? { modelContext: { tools: given.tools } } : {};
    const state = { messages: [...lead, ...wires], ...(given.tools && { tools: given.tools }) };
    const params = { hook, handler: this.name, state, ...context, resumed: this.#resumed };
    const { value: edited } = await this.#line.ask('hook/edit', params);
    if (!edited) return { ...unchanged(given), nothing: true };
    return this.#changed(given, edited.messages ?? [], edited.tools ?? given.tools ?? []);
  }

  /** @param {Reported<M>} given */
  #wires({ messages, system }) {
    /** @type {Message[]} */
    const lead = system ? [{ role: 'system', content: system }] : [];
    return { lead, wires: this.#conversation.all(messages) };
  }

  /**
   * @param {Reported<M>} given @param {(Message | number)[]} wanted @param {string[]} tools
   * @returns {Change<M>}
   */
  #changed(given, wanted, tools) {
    const { lead, wires } = this.#wires(given);
    const rest = wanted.map((one) => (typeof one === 'number' ? one - lead.length : one));
    let { system } = given;
    if (rest[0] === -1) rest.shift();
    else if (given.system !== undefined) system = headOf(rest);
    const numbers = rest.filter((one) => one !== -1);
    const same = numbers.length === wires.length && numbers.every((one, at) => one === at);
    return {
      messages: same ? given.messages : this.#conversation.edited(given.messages, numbers),
      messagesChanged: !same,
      tools,
      toolsChanged: String(tools) !== String(given.tools ?? []),
      system,
      systemChanged: (system || '') !== (given.system || ''),
    };
  }

  /**
   * The model wrapper. `call` calls the inner endpoint and returns the framework's own outcome, which `read` reads to
   * its end without using the outcome up. `make` makes such an outcome of a message.
   * @template T
   * @param {Reported<M> & { infos?: ToolInfo[], options?: Record<string, any>, streaming?: boolean }} given
   * @param {(change: Change<M>) => T | Promise<T>} call
   * @param {{ read: (outcome: T) => Message | Promise<Message>, make: (message: Message) => T }} conversions
   * @returns {Promise<T | null>}
   */
  async aroundModel(given, call, { read, make }) {
    const { infos = [], options = {}, streaming = false } = given;
    const names = infos.map(({ name }) => name);
    if (!this.has('around model')) return call(unchanged({ ...given, tools: names }));
    const { lead, wires } = this.#wires(given);
    const request = { messages: [...lead, ...wires], tools: infos, options, streaming };
    const params = { handler: this.name, request, modelContext: { tools: names }, resumed: this.#resumed };
    return this.#around('hook/aroundModel', params, {
      next: ({ model: wanted }) => {
        const tools = (wanted.tools ?? []).map((/** @type {ToolInfo} */ { name }) => name);
        const change = this.#changed(
          { ...given, tools: names },
          indexed(request.messages, wanted.messages ?? []),
          tools,
        );
        return call({ ...change, model: wanted.model, options: wanted.options });
      },
      read: async (outcome) => ({ message: await read(outcome) }),
      make,
    });
  }

  /**
   * The tool wrapper. `call` calls the inner endpoint with the text of the arguments.
   * @template T
   * @param {{ tool: string, callId?: string, args: unknown }} given
   * @param {(args: string, options: Record<string, any> | undefined) => T | Promise<T>} call
   * @param {{ read: (outcome: T) => string | Promise<string>, make: (text: string) => T }} conversions
   * @returns {Promise<T | null>}
   */
  async aroundTool({ tool, callId, args }, call, { read, make }) {
    if (!this.has('around tool')) return call(argsText(args), undefined);
    const params = { handler: this.name, request: { tool, callId, args: argsText(args), resumed: this.#resumed } };
    return this.#around('hook/aroundTool', params, {
      next: ({ tool: wanted }) => call(wanted.args ?? '', wanted.options),
      read: async (outcome) => ({ answer: { text: await read(outcome) } }),
      make: ({ text = '' }) => make(text),
    });
  }

  /**
   * @template T
   * @param {string} method @param {object} params
   * @param {{ next: (params: any) => T | Promise<T>, read: (outcome: T) => Promise<object>,
   *   make: (value: any) => T }} how
   * @returns {Promise<T | null>}
   */
  async #around(method, params, { next, read, make }) {
    /** @type {{ value?: T, error?: any }[]} */
    const outcomes = [];
    /** @param {number} number @param {() => Promise<object>} attempt */
    const recorded = async (number, attempt) => {
      try {
        return await attempt();
      } catch (error) {
        outcomes[number].error = error;
        return { error: this.#line.describe(error) };
      }
    };
    const reply = await this.#line.ask(method, params, {
      within: async (name, sent) => {
        if (name === 'next') {
          const number = outcomes.push({}) - 1;
          return recorded(number, async () => {
            outcomes[number].value = await inContext(sent.ctx, () => next(sent));
            return {};
          });
        }
        if (name !== 'outcome/read') return this.#line.within(name, sent);
        const { value, error } = outcomes[sent.outcome];
        if (error) return { error: this.#line.describe(error) };
        return recorded(sent.outcome, () => read(/** @type {T} */ (value)));
      },
    });
    if (reply.raise !== undefined) throw outcomes[reply.raise].error;
    if (reply.return !== undefined) return /** @type {T} */ (outcomes[reply.return].value);
    return reply.value ? make(reply.value) : null;
  }
}

/**
 * @template M
 * @param {Reported<M>} given
 * @returns {Change<M>}
 */
function unchanged({ messages, tools = [], system }) {
  return { messages, messagesChanged: false, tools, toolsChanged: false, system, systemChanged: false };
}

/**
 * Takes a leading system message out of a conversation.
 * @param {(Message | number)[]} wanted
 * @returns {string | null}
 */
function headOf(wanted) {
  const first = wanted[0];
  if (typeof first !== 'object' || first.role !== 'system') return null;
  wanted.shift();
  return first.content ?? '';
}

/**
 * Adds context values for everything that a function calls.
 * @template T
 * @param {Record<string, any> | undefined} values
 * @param {() => T} call
 * @returns {T}
 */
function inContext(values, call) {
  const here = place.getStore();
  return values && here ? place.run({ ...here, ctx: { ...here.ctx, ...values } }, call) : call();
}
