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

/** @param {import('../../kits/node/kit/index.mjs').ToolDouble} double */
export function toolOf(double) {
  const { name } = double.info;
  const call = async (args, { toolCall }) => {
    const request = { callId: toolCall?.id };
    try {
      return await double.call(args, request);
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      // After a resume, LangGraph calls the tool from its start: this call then returns the data of the caller.
      const resumed = { state: error.state, data: interrupt(error.info) };
      return double.call(args, { ...request, resumed });
    }
  };
  const stream = async function* (args, { toolCall }) {
    let whole = '';
    for await (const chunk of double.chunks(argsText(args), { callId: toolCall?.id })) {
      whole += chunk;
      yield chunk;
    }
    return whole;
  };
  const { description, schema, returnsDirectly } = double;
  const kind = double.kinds.includes('streamable') && !double.kinds.includes('invokable') ? stream : call;
  return tool(kind, { name, description, schema, returnDirect: returnsDirectly });
}
