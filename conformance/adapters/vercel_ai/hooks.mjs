/** The harness's handlers in the places that the AI SDK has for code of an application. */

import { infosOf, complete, generated, modelOf, streamed } from './model.mjs';

/** `prepareCall` receives the settings of an agent before a call of the agent. An agent has one such function. */
export function prepareCallOf(parts, makeTool) {
  const hook = parts.hooks.find((one) => one.has('before agent'));
  const { makeInput } = parts.spec;
  if (!hook && !makeInput) return undefined;
  const make = (name) => makeTool(parts.named(name));
  const started = async (settings) => {
    const { instructions, tools = {} } = settings;
    const instruction = instructions ?? '';
    const start = await hook.beforeAgent({ instruction, tools: Object.keys(tools) });
    const named = (start.tools ?? []).map((name) => [name, tools[name] ?? make(name)]);
    const changed = start.instruction !== instruction && { instructions: start.instruction || [] };
    return { ...settings, ...changed, tools: Object.fromEntries(named) };
  };
  return async (settings) => {
    if (hook) settings = await started(settings);
    if (!makeInput) return settings;
    const { instructions, messages, ...rest } = settings;
    const made = await parts.makeInput(instructions?.length ? instructions : '', parts.conversation.all(messages));
    return { ...rest, messages: made.map(parts.conversation.back) };
  };
}

/** `prepareStep` receives conversation and instructions before a model call. An agent has one such function. */
export function prepareStepOf(parts) {
  const hook = parts.hooks.find((one) => one.has('before model'));
  if (!hook) return undefined;
  return async ({ messages, instructions }) => {
    const change = await hook.beforeModel({ messages, system: textOf(instructions) });
    return {
      ...(change.messagesChanged && { messages: change.messages }),
      ...(change.systemChanged && { instructions: change.system ?? [] }),
    };
  };
}

/** An empty list of instructions leaves a conversation without a system message; an empty text does not. */
function textOf(instructions) {
  return Array.isArray(instructions) ? '' : instructions;
}

/** A middleware of a language model wraps calls and streams. */
export function middlewareOf(hook, parts) {
  const wrap = (params, model, kind) => {
    const { prompt } = params;
    const given = { messages: prompt, infos: infosOf(params), streaming: kind === 'doStream' };
    const call = (change) => {
      const inner = change.model === undefined ? model : modelOf(parts.modelNamed(change.model));
      return inner[kind](changed(params, change));
    };
    const make = (message) => (kind === 'doStream' ? streamed(one(message)) : generated(message));
    return hook.aroundModel(given, call, { read: complete, make });
  };
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ params, model }) => wrap(params, model, 'doGenerate'),
    wrapStream: ({ params, model }) => wrap(params, model, 'doStream'),
  };
}

function changed(params, { messages, messagesChanged, tools, toolsChanged }) {
  const kept = new Map((params.tools ?? []).map((tool) => [tool.name, tool]));
  const added = (name) => ({ type: 'function', name, inputSchema: { type: 'object', properties: {} } });
  return {
    ...params,
    ...(messagesChanged && { prompt: messages }),
    ...(toolsChanged && { tools: tools.map((name) => kept.get(name) ?? added(name)) }),
  };
}

async function* one(message) {
  yield message;
}
