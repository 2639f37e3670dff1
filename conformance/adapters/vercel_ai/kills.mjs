/** An agent of the AI SDK whose messages are kept in a file, as its page about message persistence shows. */

import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

import {
  convertToModelMessages,
  generateId,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  toUIMessageStream,
  validateUIMessages,
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

import * as points from './kill_points.mjs';

const file = 'store/chat.json';
const usage = { inputTokens: {}, outputTokens: {} };

const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const parts = prompt.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const calls = parts.filter(({ type }) => type === 'tool-call').map((one) => [one.toolCallId, one.toolName]);
    const results = parts
      .filter(({ type }) => type === 'tool-result')
      .map((one) => [one.toolCallId, JSON.stringify(one.output)]);
    const wanted = await points.model(calls, results);
    const said = wanted.length
      ? wanted.map(([toolCallId, toolName]) => ({ type: 'tool-call', toolCallId, toolName, input: '{}' }))
      : [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: points.final },
          { type: 'text-end', id: '1' },
        ];
    const finishReason = { unified: wanted.length ? 'tool-calls' : 'stop' };
    return { stream: simulateReadableStream({ chunks: [...said, { type: 'finish', finishReason, usage }] }) };
  },
});

const effect = (name) => tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => points.tool(name) });
const tools = { reserve: effect('reserve'), charge: effect('charge') };

/** Begin the chat, or continue it with a new message of the user. */
async function run() {
  const stored = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : [];
  points.history('before', 'ai-sdk', stored);
  const text = stored.length ? 'Continue.' : points.asked;
  const messages = [...stored, { id: generateId(), role: 'user', parts: [{ type: 'text', text }] }];
  const checked = await validateUIMessages({ messages, tools });
  const result = streamText({
    model,
    tools,
    stopWhen: isStepCount(5),
    messages: await convertToModelMessages(checked),
    onError: () => {},
  });
  let saved = [];
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    onError: (error) => String(error.message ?? error),
    onEnd: async ({ messages }) => {
      await writeFile(file, JSON.stringify(messages, null, 2));
      saved = messages;
    },
  });
  for await (const chunk of stream) if (chunk.type === 'error') throw new Error(chunk.errorText);
  points.history('after', 'ai-sdk', saved);
  return result.text;
}

await points.main(
  { begin: run, resume: run },
  ['ai'],
  'a file that `onEnd` of `toUIMessageStream` writes',
  '`streamText` with the stored messages and a new one',
  'The messages are stored when the run ends, as the page about message persistence shows.',
);
