/** The harness's models and tools. The framework calls a double, and the double forwards the call. */

/** @import { Message, ModelSpec, Part, Resumed, ToolAnswer } from './types.mjs' */
/** @import { ToolInfo, ToolKind, ToolSpec, WireError } from './types.mjs' */
/** @import { Peer, Within } from './peer.mjs' */

import { Interruption, ScriptedError } from './errors.mjs';
import { argsText } from './messages.mjs';

/** How doubles reach the harness, and what the harness may do within a call. */
export class Line {
  /** @param {Peer} peer @param {Within} within @param {(error: any) => WireError} describe */
  constructor(peer, within, describe) {
    this.peer = peer;
    this.within = within;
    this.describe = describe;
  }

  /**
   * Asks the harness. Throws the error that the harness scripted, and `Interruption` where the double interrupts.
   * @param {string} method
   * @param {object} params
   * @param {{ within?: Within, signal?: AbortSignal }} [more]
   * @returns {Promise<any>}
   */
  async ask(method, params, { within = this.within, signal } = {}) {
    const reply = await this.peer.ask(method, params, within, signal);
    if (reply.cancelled) throw signal?.reason ?? new DOMException('the call was cancelled', 'AbortError');
    if (reply.error) throw new ScriptedError(reply.error);
    if (reply.interrupt) throw new Interruption(reply.interrupt);
    return reply;
  }
}

/** A scripted model. */
export class ModelDouble {
  #line;

  /** @param {ModelSpec} spec @param {Line} line */
  constructor(spec, line) {
    this.#line = line;
    this.name = spec.name;
    this.takesTools = spec.takesTools ?? false;
    this.maxInputTokens = spec.maxInputTokens;
  }

  /**
   * The model's answer, or null: some scripted models return nothing.
   * @param {Message[]} messages
   * @param {{ tools?: ToolInfo[], options?: Record<string, any>, signal?: AbortSignal }} [request]
   * @returns {Promise<Message | null>}
   */
  async answer(messages, { tools = [], options = {}, signal } = {}) {
    const request = { messages, tools, options };
    const reply = await this.#line.ask('model/generate', { model: this.name, request }, { signal });
    return reply.value ?? null;
  }

  /**
   * The chunks of the model's answer. Every model can stream.
   * @param {Message[]} messages
   * @param {{ tools?: ToolInfo[], options?: Record<string, any>, signal?: AbortSignal }} [request]
   * @returns {AsyncGenerator<Message, void>}
   */
  async *chunks(messages, { tools = [], options = {}, signal } = {}) {
    const request = { messages, tools, options, streaming: true };
    for await (const item of items(this.#line, 'model/stream', { model: this.name, request }, signal))
      yield item.message;
  }
}

/** The `info` of the interrupt in which a tool call waits for approval. @param {string} tool @param {string} callId */
export function waitingCall(tool, callId) {
  return `${tool} at ${callId}`;
}

/** A scripted tool. */
export class ToolDouble {
  #line;
  #spec;

  /** @param {ToolSpec} spec @param {Line} line @param {boolean} returnsDirectly */
  constructor(spec, line, returnsDirectly = false) {
    this.#line = line;
    this.#spec = spec;
    this.name = spec.name;
    /** @type {ToolKind[]} */
    this.kinds = spec.kinds ?? [];
    this.returnsDirectly = returnsDirectly;
    /** Whether a person decides about each call before it is made. For the capability `approvals`. */
    this.approval = spec.approval ?? false;
  }

  /** What models receive. Throws the scripted error of a tool whose information fails. @returns {ToolInfo} */
  get info() {
    const { nameless, knownAs, description = '' } = this.#spec;
    if (nameless) {
      const message = `no information about ${this.name}`;
      throw new ScriptedError({ kind: 'scripted', code: 'no information', message });
    }
    return { name: knownAs ?? this.name, description, parameters: { type: 'object', properties: {} } };
  }

  get description() {
    return this.info.description ?? '';
  }

  /** The JSON Schema of the arguments. A tool without parameters takes an object of anything. */
  get schema() {
    const { parameters = {} } = this.info;
    return Object.keys(parameters).length ? parameters : { type: 'object', properties: {} };
  }

  /**
   * The tool's result, or null: some scripted tools return nothing. Throws `Interruption` where the tool interrupts.
   * @param {unknown} args as the framework passes the arguments: an object, or text
   * @param {{ callId?: string, options?: Record<string, any>, resumed?: Resumed, signal?: AbortSignal }} [call]
   * @returns {Promise<string | null>}
   */
  async call(args, call = {}) {
    const answer = await this.#answer(args, 'invokable', call);
    return answer && (answer.text ?? '');
  }

  /**
   * The result of an enhanced tool: its parts, such as pictures.
   * @param {unknown} args
   * @param {{ callId?: string, options?: Record<string, any>, resumed?: Resumed, signal?: AbortSignal }} [call]
   * @returns {Promise<Part[] | null>}
   */
  async parts(args, call = {}) {
    const answer = await this.#answer(args, 'enhanced invokable', call);
    return answer && (answer.parts ?? []);
  }

  /**
   * The chunks of the result of a streamable tool.
   * @param {unknown} args
   * @param {{ callId?: string, options?: Record<string, any>, resumed?: Resumed, signal?: AbortSignal }} [call]
   * @returns {AsyncGenerator<string, void>}
   */
  async *chunks(args, { signal, ...call } = {}) {
    const request = { ...call, tool: this.name, args: argsText(args), kind: 'streamable' };
    for await (const item of items(this.#line, 'tool/stream', { request }, signal)) yield item.answer.text ?? '';
  }

  /**
   * The chunks of the result of an enhanced streamable tool: the parts of each chunk.
   * @param {unknown} args
   * @param {{ callId?: string, options?: Record<string, any>, resumed?: Resumed, signal?: AbortSignal }} [call]
   * @returns {AsyncGenerator<Part[], void>}
   */
  async *partChunks(args, { signal, ...call } = {}) {
    const request = { ...call, tool: this.name, args: argsText(args), kind: 'enhanced streamable' };
    for await (const item of items(this.#line, 'tool/stream', { request }, signal)) yield item.answer.parts ?? [];
  }

  /**
   * @param {unknown} args
   * @param {ToolKind} kind
   * @param {{ callId?: string, signal?: AbortSignal }} call
   * @returns {Promise<ToolAnswer | null>}
   */
  async #answer(args, kind, { signal, ...call }) {
    const request = { ...call, tool: this.name, args: argsText(args), kind };
    const reply = await this.#line.ask('tool/invoke', { request }, { signal });
    return reply.value ?? null;
  }
}

/**
 * Pulls a stream of the harness. A consumer that stops early closes the stream.
 * @param {Line} line
 * @param {string} method
 * @param {object} params
 * @param {AbortSignal | undefined} signal
 */
async function* items(line, method, params, signal) {
  let item = await line.ask(method, params, { signal });
  const { stream } = item;
  let closed = false;
  try {
    for (; !item.end; item = await line.ask('stream/next', { stream }, { signal })) yield item;
    closed = true;
  } catch (error) {
    closed = true; // the harness has ended the stream with this error
    throw error;
  } finally {
    if (!closed) line.peer.notify('stream/close', { stream });
  }
}
