/** Messages of LangChain, and the information about its tools. */

import { argsObject, argsText } from '../../kits/node/kit/index.mjs';
import {
  AIMessage,
  AIMessageChunk,
  convertToOpenAITool,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from './packages.mjs';

const ROLES = { system: 'system', human: 'user', ai: 'assistant', tool: 'tool' };

export function toWire(message) {
  const role = ROLES[message.getType()] ?? 'user';
  const wire = { role, content: message.text, extra: { ...message.additional_kwargs } };
  if (role === 'tool') return { ...wire, toolCallId: message.tool_call_id, toolName: message.name };
  return role === 'assistant' ? { ...wire, toolCalls: callsToWire(message) } : wire;
}

/** Calls whose arguments are no object stand apart in LangChain, and come last. */
function callsToWire({ tool_calls = [], invalid_tool_calls = [] }) {
  return [...tool_calls, ...invalid_tool_calls].map(({ id, name, args }) => ({
    id: id ?? '',
    name,
    args: argsText(args),
  }));
}

export function fromWire(wire) {
  const { role, content = '', toolCallId = '', toolName, extra = {} } = wire;
  const fields = { content, additional_kwargs: { ...extra } };
  if (role === 'system') return new SystemMessage(fields);
  if (role === 'user') return new HumanMessage(fields);
  if (role === 'tool') return new ToolMessage({ ...fields, tool_call_id: toolCallId, name: toolName });
  return new AIMessage({ ...fields, ...callsFromWire(wire) });
}

/** Calls as the integrations of LangChain make them. */
function callsFromWire({ toolCalls = [] }) {
  const calls = toolCalls.map(({ id, name, args = '{}' }) => ({ id, name, args, read: argsObject(args) }));
  return {
    tool_calls: calls
      .filter(({ read }) => read)
      .map(({ id, name, read }) => ({ type: 'tool_call', id, name, args: read })),
    invalid_tool_calls: calls
      .filter(({ read }) => !read)
      .map(({ id, name, args }) => ({ type: 'invalid_tool_call', id, name, args })),
  };
}

export function chunkFromWire({ content = '', toolCalls = [], extra = {} }) {
  const calls = toolCalls.map(({ id, name, args = '{}' }, index) => ({
    type: 'tool_call_chunk',
    id,
    name,
    args,
    index,
  }));
  return new AIMessageChunk({ content, tool_call_chunks: calls, additional_kwargs: { ...extra } });
}

/** What a model receives about a tool. */
export function infoOf(tool) {
  const { name, description = '', parameters = {} } = convertToOpenAITool(tool).function;
  return { name, description, parameters };
}
