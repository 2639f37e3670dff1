// A small agent loop, to show the adapter at work. Replace the import of this file in adapter.mjs by your own loop.

export class TooManyCalls extends Error {}
export class UnknownTool extends Error {}
export class InvalidAgent extends Error {}

/**
 * @typedef {{ role: string, text: string, calls?: { id: string, name: string, args: string }[], callId?: string,
 *   name?: string }} LoopMessage
 * @typedef {{ messages: LoopMessage[], tools: any[] }} State
 */

export class Agent {
  /** @param {any} settings */
  constructor({ name, model, tools = [], hooks = [], instruction = '', limit = 20, stopAfter = new Set() }) {
    if (!name || !model) throw new InvalidAgent('an agent needs a name and a model');
    Object.assign(this, { model, tools, hooks, instruction, limit, stopAfter });
  }

  /**
   * @param {LoopMessage[]} given
   * @param {{ emit: (message: LoopMessage) => void, signal?: AbortSignal }} caller
   */
  async run(given, { emit }) {
    let start = { instruction: this.instruction, tools: this.tools };
    for (const hook of this.hooks) start = (await hook.beforeAgent(start)) ?? start;
    const system = start.instruction ? [{ role: 'system', text: start.instruction }] : [];
    let state = { messages: [...system, ...given], tools: start.tools };
    for (let calls = 0; ; calls++) {
      if (calls === this.limit) throw new TooManyCalls(`no answer after ${calls} model calls`);
      for (const hook of this.hooks) state = await hook.beforeModel(state);
      const answer = await this.#around('aroundModel', { ...state }, (request) => this.model.answer(request));
      emit(answer);
      state = { ...state, messages: [...state.messages, answer] };
      for (const hook of this.hooks) state = await hook.afterModel(state);
      const requested = state.messages.at(-1).calls ?? [];
      if (!requested.length) break;
      const results = await this.#callTools(requested, state.tools, emit);
      state = { ...state, messages: [...state.messages, ...results] };
      if (requested.some((call) => this.stopAfter.has(call.name))) break;
    }
    const answer = state.messages.at(-1).text;
    for (const hook of this.hooks) state = await hook.afterAgent(state);
    return answer;
  }

  async #callTools(requested, tools, emit) {
    const found = requested.map(({ name }) => tools.find((tool) => tool.name === name));
    if (found.includes(undefined)) throw new UnknownTool(requested[found.indexOf(undefined)].name);
    const running = await Promise.allSettled(
      requested.map(async (call, at) => {
        const text = await this.#around('aroundTool', call, (wanted) => found[at].call(wanted));
        if (text === null) throw new Error(`the tool ${call.name} returned nothing`);
        const result = { role: 'tool', text, callId: call.id, name: call.name };
        emit(result);
        return result;
      }),
    );
    for (const one of running) if (one.status === 'rejected') throw one.reason;
    return running.map((one) => one.value);
  }

  #around(kind, request, innermost) {
    const wrap = (inner, hook) => (wanted) => hook[kind](wanted, inner);
    return this.hooks.reduceRight(wrap, innermost)(request);
  }
}
