/** The harness's models and tools, as LangChain's. */

import { argsText } from '../../kits/node/kit/index.mjs';
import { chunkFromWire, fromWire, infoOf, toWire } from './messages.mjs';
import { BaseChatModel, ChatGenerationChunk, tool } from './packages.mjs';
import { interrupting, interruptingStream } from './waiting.mjs';

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
  const call = (args, runtime) => {
    const callId = runtime.toolCall?.id;
    return interrupting(runtime, callId ?? '', name, (resumed) => double.call(args, { callId, resumed }));
  };
  const stream = async function* (args, runtime) {
    const callId = runtime.toolCall?.id;
    const chunks = (resumed) => double.chunks(argsText(args), { callId, resumed });
    let whole = '';
    for await (const chunk of interruptingStream(runtime, callId ?? '', name, chunks)) {
      whole += chunk;
      yield chunk;
    }
    return whole;
  };
  const { description, schema, returnsDirectly } = double;
  const kind = double.kinds.includes('streamable') && !double.kinds.includes('invokable') ? stream : call;
  return tool(kind, { name, description, schema, returnDirect: returnsDirectly });
}
