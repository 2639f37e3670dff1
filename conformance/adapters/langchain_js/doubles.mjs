/** The harness's models and tools, as LangChain's. */

import { argsText, Interruption } from '../../kits/node/kit/index.mjs';
import { chunkFromWire, fromWire, infoOf, toWire } from './messages.mjs';
import { BaseChatModel, ChatGenerationChunk, interrupt, tool } from './packages.mjs';

/** A scripted model without `bindTools`: LangChain rejects tools for such a model. */
class PlainModel extends BaseChatModel {
  constructor(double) {
    super({});
    this.double = double;
    if (double.maxInputTokens !== undefined) this.limit = double.maxInputTokens;
  }

  get profile() {
    return this.limit === undefined ? {} : { maxInputTokens: this.limit };
  }

  _llmType() {
    return 'loopspec';
  }

  async _generate(messages, options) {
    const answer = await this.double.answer(messages.map(toWire), requestOf(options));
    if (!answer) return { generations: [] }; // the mistake of a model
    const message = fromWire(answer);
    return { generations: [{ text: message.text, message }] };
  }

  async *_streamResponseChunks(messages, options, runManager) {
    for await (const chunk of this.double.chunks(messages.map(toWire), requestOf(options))) {
      const generated = new ChatGenerationChunk({ text: chunk.content ?? '', message: chunkFromWire(chunk) });
      yield generated;
      await runManager?.handleLLMNewToken(generated.text, undefined, undefined, undefined, undefined, {
        chunk: generated,
      });
    }
  }
}

/** A scripted model that keeps the tools in their order, as the integrations of LangChain do. */
class ScriptedModel extends PlainModel {
  bindTools(tools, options) {
    return this.withConfig({ ...options, tools });
  }
}

function requestOf({ tools = [], signal }) {
  return { tools: tools.map(infoOf), signal };
}

/** @param {import('../../kits/node/kit/index.mjs').ModelDouble} double */
export function modelOf(double) {
  return double.takesTools ? new ScriptedModel(double) : new PlainModel(double);
}

/** The interrupts of the calls that wait for the caller. A checkpoint has them, too. */
export class Waiting {
  /** Each interrupt by the thread and the id of its call. */
  calls = new Map();

  /** The data of the caller for a call that waits: a tool called again after a resume calls `interrupt` first. */
  resumed(key) {
    const interruption = this.calls.get(key);
    if (!interruption) return {};
    const resumed = { state: interruption.state, data: interrupt(interruption.info) };
    this.calls.delete(key);
    return { resumed };
  }

  /** Interrupts the run where the tool has done so; throws any other error. */
  interrupted(key, error) {
    if (!(error instanceof Interruption)) throw error;
    const { info, state } = error;
    this.calls.set(key, { info, state });
    interrupt(info);
  }
}

/**
 * @param {import('../../kits/node/kit/index.mjs').ToolDouble} double
 * @param {Waiting} waiting
 */
export function toolOf(double, waiting) {
  const { name } = double.info;
  const call = async (args, { toolCall, configurable }) => {
    const key = keyOf(toolCall, configurable);
    try {
      return await double.call(args, { callId: toolCall?.id, ...waiting.resumed(key) });
    } catch (error) {
      return waiting.interrupted(key, error);
    }
  };
  const stream = async function* (args, { toolCall, configurable }) {
    const key = keyOf(toolCall, configurable);
    let whole = '';
    try {
      for await (const chunk of double.chunks(argsText(args), { callId: toolCall?.id, ...waiting.resumed(key) })) {
        whole += chunk;
        yield chunk;
      }
    } catch (error) {
      waiting.interrupted(key, error);
    }
    return whole;
  };
  const { description, schema, returnsDirectly } = double;
  const kind = double.kinds.includes('streamable') && !double.kinds.includes('invokable') ? stream : call;
  return tool(kind, { name, description, schema, returnDirect: returnsDirectly });
}

function keyOf(toolCall, configurable) {
  return JSON.stringify([configurable?.thread_id, toolCall?.id]);
}
