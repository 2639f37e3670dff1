/** The harness's handlers as middlewares with exactly the hooks of the scene. */

import { modelOf, toolOf } from './doubles.mjs';
import { fromWire, infoOf, toWire } from './messages.mjs';
import { createMiddleware, REMOVE_ALL_MESSAGES, RemoveMessage, SystemMessage, ToolMessage } from './packages.mjs';
import { interrupting } from './waiting.mjs';

/** @param {import('../../kits/node/kit/index.mjs').HookDouble<any>} hook */
export function middlewareOf(hook, parts) {
  const aroundTheModel =
    (name, call) =>
    ({ messages }, runtime) =>
      interrupting(runtime, `${hook.name} ${name}`, hook.name, async (resumed) =>
        update(await call(hook.resuming(resumed), { messages })),
      );
  const hooks = {
    'before agent': { beforeAgent: async () => void (await hook.beforeAgent({})) },
    'before model': { beforeModel: aroundTheModel('before model', (hook, state) => hook.beforeModel(state)) },
    'after model': { afterModel: aroundTheModel('after model', (hook, state) => hook.afterModel(state)) },
    'after agent': { afterAgent: async ({ messages }) => update(await hook.afterAgent({ messages })) },
    'around model': { wrapModelCall: (request, handler) => aroundModel(hook, parts, request, handler) },
    'around tool': { wrapToolCall: (request, handler) => aroundTool(hook, request, handler) },
  };
  return createMiddleware(Object.assign({ name: hook.name }, ...[...hook.hooks].map((kind) => hooks[kind])));
}

/** What a hook returns, as far as the hook changed anything. LangChain adds messages to those that are not removed. */
function update({ messages, messagesChanged }) {
  return messagesChanged ? { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...messages] } : undefined;
}

function aroundModel(hook, parts, request, handler) {
  const { messages, systemMessage, tools } = request;
  const given = { messages, system: systemMessage?.text, infos: tools.map(infoOf) };
  const named = (name) => tools.find((one) => one.name === name) ?? toolOf(parts.named(name));
  const call = (change) =>
    handler({
      ...request,
      ...(change.messagesChanged && { messages: change.messages }),
      ...(change.systemChanged && { systemMessage: new SystemMessage(change.system ?? '') }),
      ...(change.toolsChanged && { tools: change.tools.map(named) }),
      ...(change.model !== undefined && { model: modelOf(parts.modelNamed(change.model)) }),
    });
  return interrupting(request.runtime, 'model', hook.name, (resumed) =>
    hook.resuming(resumed).aroundModel(given, call, { read: toWire, make: fromWire }),
  );
}

function aroundTool(hook, request, handler) {
  const { id, name, args } = request.toolCall;
  const call = (text) => handler(text === JSON.stringify(args) ? request : changed(request, text));
  const make = (content) => new ToolMessage({ content, tool_call_id: id, name });
  return interrupting(request.runtime, id ?? '', hook.name, (resumed) =>
    hook.resuming(resumed).aroundTool({ tool: name, callId: id, args }, call, { read: ({ text }) => text, make }),
  );
}

/** A wrapper passes arguments on as an object; a text that is no object stays a text. */
function changed(request, text) {
  let args = text;
  try {
    args = JSON.parse(text);
  } catch {
    // LangChain decides what to do with a text
  }
  return { ...request, toolCall: { ...request.toolCall, args } };
}
