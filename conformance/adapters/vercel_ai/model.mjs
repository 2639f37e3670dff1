/** The harness's models as language models of the AI SDK, and the answers of such models. */

import { toWire } from './messages.mjs';

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * @param {import('../../kits/node/kit/index.mjs').ModelDouble} double
 * @returns {import('@ai-sdk/provider').LanguageModelV4}
 */
export function modelOf(double) {
  return {
    specificationVersion: 'v4',
    provider: 'loopspec',
    modelId: double.name,
    supportedUrls: { '*/*': [/.*/] }, // nothing is downloaded
    async doGenerate(params) {
      const answer = await double.answer(wiresOf(params), requestOf(params));
      return answer && generated(answer); // null: the mistake of a model
    },
    async doStream(params) {
      return streamed(await begun(double.chunks(wiresOf(params), requestOf(params))));
    },
  };
}

/** A call of a model has begun, and may have failed, when the stream is there. */
async function begun(chunks) {
  let next = await chunks.next();
  return (async function* () {
    try {
      for (; !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return();
    }
  })();
}

/** The conversation that a model receives. */
export function wiresOf({ prompt }) {
  return prompt.flatMap(toWire);
}

/** The information about tools that a model receives. */
export function infosOf({ tools = [] }) {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));
}

function requestOf(params) {
  return { tools: infosOf(params), signal: params.abortSignal };
}

/** An answer of the protocol as the result of a call. */
export function generated(answer) {
  const content = partsOf(answer);
  return { content, finishReason: reasonOf(content), usage: NO_USAGE, warnings: [] };
}

function partsOf({ content = '', toolCalls = [], extra = {} }) {
  const metadata = Object.keys(extra).length ? { providerMetadata: { loopspec: extra } } : {};
  const text = content || !toolCalls.length ? [{ type: 'text', text: content, ...metadata }] : [];
  const calls = toolCalls.map(({ id, name, args = '{}' }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: args,
    ...metadata,
  }));
  return [...text, ...calls];
}

function reasonOf(parts) {
  const unified = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  return { unified, raw: undefined };
}

/**
 * Chunks of the protocol as the stream of a call.
 * @param {AsyncIterable<any>} chunks
 */
export function streamed(chunks) {
  return { stream: ReadableStream.from(streamParts(chunks)) };
}

async function* streamParts(chunks) {
  const calls = [];
  let open = false;
  yield { type: 'stream-start', warnings: [] };
  try {
    for await (const chunk of chunks) {
      for (const part of partsOf(chunk)) {
        if (part.type === 'text') {
          if (!open) yield { type: 'text-start', id: '0' };
          open = true;
          yield { type: 'text-delta', id: '0', delta: part.text, providerMetadata: part.providerMetadata };
        } else {
          calls.push(part);
        }
      }
    }
  } catch (error) {
    yield { type: 'error', error };
    return;
  }
  if (open) yield { type: 'text-end', id: '0' };
  yield* calls;
  yield { type: 'finish', finishReason: reasonOf(calls), usage: NO_USAGE };
}

/** Reads an answer, and leaves the answer as it was for the next reader. */
export async function complete(result) {
  if (!result.stream) return answerOf(result.content);
  const [here, there] = result.stream.tee();
  result.stream = there;
  const parts = [];
  for await (const part of here) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta')
      parts.push({ type: 'text', text: part.delta, providerMetadata: part.providerMetadata });
    if (part.type === 'tool-call') parts.push(part);
  }
  return answerOf(parts);
}

/** The parts of an answer, as a message of the protocol. */
export function answerOf(parts) {
  const content = parts.map(({ providerMetadata, ...part }) => ({ ...part, providerOptions: providerMetadata }));
  return toWire({ role: 'assistant', content });
}
