/** Records UI messages and model messages with ai 7.0.173 and its mock model: run a copy next to `node_modules`, node 22. */
import { writeFileSync } from 'node:fs';
import { convertToModelMessages, generateText, isStepCount, streamText, tool, toUIMessageStream } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

const inputSchema = z.object({ city: z.string() });
const weather = tool({
  inputSchema,
  execute: async ({ city }) => {
    if (city === 'Atlantis') throw new Error('there is no such city');
    return { sky: `sunny in ${city}` };
  },
});
const buy = tool({ inputSchema, execute: async ({ city }) => `a house in ${city}` });
const call = (toolCallId, toolName, city) => ({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify({ city }) });
const text = said => ({ type: 'text', text: said });
const providerMetadata = { openai: { itemId: 'rs_1' } };
const thought = { type: 'reasoning', text: 'I need the weather.', providerMetadata };
const asks = (id, said) => ({ id, role: 'user', parts: [text(said)] });
const chunks = part => part.type === 'tool-call' ? [part]
  : ['start', 'delta', 'end'].map(each => ({ ...part, type: `${part.type}-${each}`, id: '1', delta: part.text }));

function options(answers) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const ends = answers.map(parts => ({ usage, finishReason: { unified: parts.at(-1).toolName ? 'tool-calls' : 'stop' } }));
  const doGenerate = answers.map((content, place) => ({ content, warnings: [], ...ends[place] }));
  const doStream = answers.map((parts, place) => ({
    stream: convertArrayToReadableStream([...parts.flatMap(chunks), { type: 'finish', ...ends[place] }]),
  }));
  const model = new MockLanguageModelV4({ doGenerate, doStream });
  return { model, tools: { weather, buy }, toolApproval: { buy: 'user-approval' }, stopWhen: isStepCount(5) };
}

async function chat(originalMessages, ...answers) {
  let stored;
  const { stream } = streamText({ messages: await convertToModelMessages(originalMessages), ...options(answers) });
  const onEnd = ({ messages }) => { stored = messages; };
  const generateMessageId = () => `message_${originalMessages.length + 1}`;
  for await (const _ of toUIMessageStream({ stream, originalMessages, generateMessageId, onEnd, onError: String }));
  return stored;
}

const save = (name, value) => writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(value, null, 1)}\n`);
const both = [thought, text('I look it up.'), call('call_1', 'weather', 'Rome'), call('call_2', 'weather', 'Atlantis')];
const first = await chat([asks('message_1', 'Rome and Atlantis?')], both, [call('call_3', 'weather', 'Oslo')], [text('Sunny.')]);
save('parallel_calls.json', await chat([...first, asks('message_3', 'Thanks')], [text('Bye.')]));

const houses = [call('call_1', 'buy', 'Oslo'), call('call_2', 'buy', 'Bergen'), call('call_3', 'weather', 'Rome')];
const waits = await chat([asks('message_1', 'Buy a house.')], houses);
save('approval_waits.json', waits);
waits[1].parts.filter(part => part.approval).forEach(({ approval }, place) => { approval.approved = place === 0; });
waits[1].parts.filter(part => part.approval).forEach(part => { part.state = 'approval-responded'; });
save('approvals.json', await chat(waits, [text('One was bought.')]));

const messages = [{ role: 'user', content: 'Rome and Atlantis?' }];
messages.push(...(await generateText({ messages, ...options([both, [call('call_3', 'buy', 'Oslo')]]) })).responseMessages);
const { approvalId } = messages.at(-1).content.at(-1);
messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: false, reason: 'not now' }] });
messages.push(...(await generateText({ messages, ...options([[text('It was refused.')]]) })).responseMessages);
save('model_messages.json', messages);
