/** Messages of the AI SDK: those of a conversation, and those of a prompt, which have the same parts. */

import { argsObject, argsText } from '../../kits/node/kit/index.mjs';

/** @param {import('ai').ModelMessage} message */
export function toWire({ role, content, providerOptions }) {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (role === 'tool') return parts.filter(({ type }) => type === 'tool-result').map(resultToWire);
  const toolCalls = parts.filter(({ type }) => type === 'tool-call').map(callToWire);
  const extra = Object.assign({}, ...[{ providerOptions }, ...parts].map((one) => one.providerOptions?.loopspec));
  return { role, content: textOf(parts), toolCalls, extra };
}

/** @param {{ type: string, text?: string }[]} parts */
export function textOf(parts) {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function callToWire({ toolCallId, toolName, input }) {
  return { id: toolCallId, name: toolName, args: argsText(input) };
}

export function resultToWire({ toolCallId, toolName, output }) {
  const result = { role: 'tool', toolCallId, toolName };
  if (output.type === 'content') return { ...result, parts: output.value.map(partToWire) };
  if (output.type === 'execution-denied') return { ...result, content: output.reason ?? '' };
  return { ...result, content: typeof output.value === 'string' ? output.value : JSON.stringify(output.value) };
}

/** A part of a result: a text, or a picture by its address. */
export function partFromWire({ text = '', url = '' }) {
  if (!url) return { type: 'text', text };
  return { type: 'file', mediaType: 'image/*', data: { type: 'url', url } };
}

function partToWire(part) {
  return part.type === 'text' ? { text: part.text } : { url: String(part.data?.url ?? part.url) };
}

/** @returns {import('ai').ModelMessage} */
export function fromWire({ role, content = '', toolCalls = [], toolCallId, toolName, extra }) {
  const providerOptions = extra && Object.keys(extra).length ? { loopspec: extra } : undefined;
  if (role === 'system') return { role, content, providerOptions };
  if (role === 'user') return { role, content: [{ type: 'text', text: content }], providerOptions };
  if (role === 'tool') {
    const output = { type: 'text', value: content };
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }], providerOptions };
  }
  const text = content ? [{ type: 'text', text: content }] : [];
  const calls = toolCalls.map(({ id, name, args }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: argsObject(args) ?? args,
  }));
  return { role, content: [...text, ...calls], providerOptions };
}
