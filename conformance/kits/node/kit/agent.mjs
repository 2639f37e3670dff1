/** The class that an adapter extends, and the parts that an agent is built of. */

/** @import { AgentSpec, Message, Posture, Run, ToolSpec, WireError } from './types.mjs' */
/** @import { Reporter } from './reporter.mjs' */

import { ModelDouble, ToolDouble } from './doubles.mjs';
import { Unsupported } from './errors.mjs';
import { HookDouble } from './hooks.mjs';

/**
 * An adapter for the role `agent`. Fill in `toWire`, `fromWire`, `build` and `run`; the kit does the rest.
 * @template M a message of the framework
 * @template A an agent of the framework
 */
export class AgentAdapter {
  /** The name of the implementation. @type {string} */
  name = 'an agent';
  /** The version of the implementation. @type {string} */
  version = '';
  /** `loopspec capabilities` lists all of them. @type {string[]} */
  capabilities = [];
  /**
   * The documented choices of the framework, by axis, each with a link: `loopspec capabilities` lists the axes.
   * @type {Record<string, Posture>}
   */
  postures = {};
  /** The kinds of the framework's own errors, by class or by name. @type {Map<Function | string, string>} */
  errorKinds = new Map();

  /**
   * A message of the framework, as one or several messages of the protocol.
   * @param {M} message
   * @returns {Message | Message[]}
   */
  toWire(message) {
    throw new Error(`toWire is not implemented for ${message}`);
  }

  /**
   * A message of the protocol, as a message of the framework.
   * @param {Message} message
   * @returns {M}
   */
  fromWire(message) {
    throw new Error(`fromWire is not implemented for ${message.role}`);
  }

  /**
   * Builds the agent. Throw what the framework throws for a configuration that the framework rejects.
   * @param {Parts<M>} parts
   * @returns {A | Promise<A>}
   */
  build(parts) {
    throw new Error(`build is not implemented for ${parts.spec.name}`);
  }

  /**
   * Runs the agent, and reports what the framework reports to its caller. Throw the error with which a run fails.
   * @param {A} agent
   * @param {M[]} messages the caller's list; runs that share a list have the same object
   * @param {Reporter<M>} report
   * @param {Run} run
   * @param {Parts<M>} parts
   * @returns {Promise<void>}
   */
  async run(agent, messages, report, run, parts) {
    throw new Error(`run is not implemented for ${parts.spec.name}: ${agent} ${messages} ${report} ${run}`);
  }

  /**
   * Resumes a run from a checkpoint that another process has reported. For the capability `interrupt`.
   * @param {A} agent
   * @param {Buffer} checkpoint
   * @param {Record<string, any>} answers by the ids of the interrupts
   * @param {Reporter<M>} report
   * @param {Run} run
   * @param {Parts<M>} parts
   * @returns {Promise<void>}
   */
  async resume(agent, checkpoint, answers, report, run, parts) {
    throw new Unsupported(`resume: ${agent} ${checkpoint} ${answers} ${report} ${run} ${parts}`);
  }

  /** Emits a custom event into the run's stream. For the capability `send-event`. @param {any} payload */
  sendEvent(payload) {
    throw new Unsupported(`no custom events: ${payload}`);
  }

  /** Sends the run under way a user message. For the capability `messages-during-runs`. @param {string} text */
  sendMessage(text) {
    throw new Unsupported(`no messages during a run: ${text}`);
  }

  /** @param {string} key @param {any} value for the capability `run-values` */
  setLocal(key, value) {
    throw new Unsupported(`no run-local values: ${key} ${value}`);
  }

  /** @param {string} key @returns {{ found: boolean, value?: any }} */
  getLocal(key) {
    throw new Unsupported(`no run-local values: ${key}`);
  }

  /** @param {string} key */
  deleteLocal(key) {
    throw new Unsupported(`no run-local values: ${key}`);
  }

  /** @param {string} key @param {any} value for the capability `session-values` */
  setSession(key, value) {
    throw new Unsupported(`no session values: ${key} ${value}`);
  }

  /** @param {string} key @returns {{ found: boolean, value?: any }} */
  getSession(key) {
    throw new Unsupported(`no session values: ${key}`);
  }

  /** Causes that a framework holds elsewhere than in `cause` and `errors`. @param {any} error @returns {any[]} */
  causes(error) {
    return error ? [] : [error];
  }
}

/**
 * The parts of an agent. What the scene leaves out is undefined: leave the setting out of the configuration.
 * @template M
 */
export class Parts {
  #line;
  /** @type {Map<string, ToolSpec>} */
  #known;

  /**
   * @param {AgentSpec} spec
   * @param {import('./doubles.mjs').Line} line
   * @param {import('./messages.mjs').Conversation<M>} conversation
   */
  constructor(spec, line, conversation) {
    this.#line = line;
    this.#known = new Map([...(spec.additionalTools ?? []), ...(spec.tools ?? [])].map((tool) => [tool.name, tool]));
    this.spec = spec;
    this.conversation = conversation;
    this.instruction = spec.instruction || undefined;
    this.maxIterations = spec.maxIterations;
    this.returnsDirectly = new Set(
      Object.entries(spec.returnDirectly ?? {}).flatMap(([name, is]) => (is ? [name] : [])),
    );
    this.model = spec.model ? new ModelDouble(spec.model, line) : undefined;
    this.tools = (spec.tools ?? []).map((tool) => this.#tool(tool));
    const scripted = (spec.handlers ?? []).filter(({ handler }) => handler === 'scripted');
    this.hooks = scripted.map((handler) => new HookDouble(handler, line, conversation));
  }

  /** @param {ToolSpec} spec */
  #tool(spec) {
    return new ToolDouble(spec, this.#line, this.returnsDirectly.has(spec.name));
  }

  /** A tool that a handler names: a tool of the agent, an additional tool, or an unknown tool. @param {string} tool */
  named(tool) {
    return this.#tool(this.#known.get(tool) ?? { name: tool });
  }

  /** A model that a wrapper names. @param {string} model */
  modelNamed(model) {
    const spec = (this.spec.additionalModels ?? []).find(({ name }) => name === model);
    if (!spec) throw new Error(`the scene has no additional model ${model}`);
    return new ModelDouble(spec, this.#line);
  }

  /** For `retry.codes`: whether to retry a failed call. @param {any} error @returns {Promise<boolean>} */
  async isRetryable(error) {
    const params = { agent: this.spec.name, error: this.#line.describe(error) };
    return (await this.#line.ask('retry/isRetryable', params)).value ?? false;
  }

  /** Reports a callback of the framework. @param {string} what @param {string} name @param {string} [callId] */
  callback(what, name, callId) {
    this.#line.peer.notify('callback', { what, name, ...(callId !== undefined && { callId }) });
  }

  /** For `spec.makeInput`: the first conversation. @param {string} instruction @param {Message[]} messages */
  async makeInput(instruction, messages) {
    const params = { agent: this.spec.name, instruction, messages };
    return /** @type {Message[]} */ ((await this.#line.ask('agent/makeInput', params)).value ?? []);
  }
}
