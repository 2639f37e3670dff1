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

/** In the store of the agent: what a tool has saved before it interrupted the run, by thread and call. */
export const WAITING = 'waiting calls';

/**
 * The data of the caller for a call that waits. After a resume, LangGraph calls the tool from its start: the tool finds
 * in the store what it has saved, and calls `interrupt` first.
 */
async function resumed({ toolCall, configurable, store }) {
  const [place, key] = placeOf(toolCall, configurable);
  const saved = await store.get(place, key);
  if (!saved) return {};
  const { info, state } = saved.value;
  const data = interrupt(info);
  await store.delete(place, key);
  return { resumed: { state, data } };
}

/** Interrupts the run where the tool has done so; throws any other error. */
async function interrupted({ toolCall, configurable, store }, error) {
  if (!(error instanceof Interruption)) throw error;
  const { info, state } = error;
  await store.put(...placeOf(toolCall, configurable), { info, state }, false);
  interrupt(info);
}

function placeOf(toolCall, configurable) {
  return [[WAITING, configurable.thread_id], toolCall?.id ?? ''];
}

/** @param {import('../../kits/node/kit/index.mjs').ToolDouble} double */
export function toolOf(double) {
  const { name } = double.info;
  const call = async (args, runtime) => {
    try {
      return await double.call(args, { callId: runtime.toolCall?.id, ...(await resumed(runtime)) });
    } catch (error) {
      return interrupted(runtime, error);
    }
  };
  const stream = async function* (args, runtime) {
    let whole = '';
    try {
      const given = { callId: runtime.toolCall?.id, ...(await resumed(runtime)) };
      for await (const chunk of double.chunks(argsText(args), given)) {
        whole += chunk;
        yield chunk;
      }
    } catch (error) {
      await interrupted(runtime, error);
    }
    return whole;
  };
  const { description, schema, returnsDirectly } = double;
  const kind = double.kinds.includes('streamable') && !double.kinds.includes('invokable') ? stream : call;
  return tool(kind, { name, description, schema, returnDirect: returnsDirectly });
}
