// Connects LangChain's createAgent with loopspec, in the role agent, on the kit for Node.

import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

import { AgentAdapter, serve } from '../../kits/node/kit/index.mjs';
import { answered, approvalsOf, shown } from './approvals.mjs';
import { modelOf, toolOf, WAITING } from './doubles.mjs';
import { Events } from './events.mjs';
import { fromWire, toWire } from './messages.mjs';
import { middlewareOf } from './middleware.mjs';
import {
  BaseCallbackHandler,
  Command,
  createAgent,
  getWriter,
  GraphRecursionError,
  InMemoryStore,
  InvalidUpdateError,
  MemorySaver,
  modelCallLimitMiddleware,
  version,
} from './packages.mjs';
import { POSTURES } from './postures.mjs';

const MODES = ['updates', 'values', 'custom'];
const STREAMING = ['messages', 'tools'];
const STEPS = 500; // more than any limit of a scene takes, with its hooks

class LangChain extends AgentAdapter {
  name = 'LangChain JS createAgent';
  version = version;
  capabilities = [
    'after-agent-edits',
    'after-agent-hooks',
    'after-model-edits',
    'after-model-hooks',
    'approval-edits',
    'approvals',
    'before-agent-hooks',
    'before-model-edits',
    'before-model-hooks',
    'callbacks',
    'concurrent-runs',
    'conversations',
    'interrupt',
    'missing-results',
    'model-wrappers',
    'repeated-inner-calls',
    'return-directly',
    'send-event',
    'several-handlers',
    'streaming',
    'streaming-tools',
    'tool-support',
    'tool-wrappers',
  ];
  postures = POSTURES;
  errorKinds = new Map([
    ['ModelCallLimitMiddlewareError', 'max_iterations'],
    [GraphRecursionError, 'max_iterations'],
    [InvalidUpdateError, 'hook'],
  ]);

  toWire(message) {
    return toWire(message);
  }

  fromWire(message) {
    return fromWire(message);
  }

  build(parts) {
    const { spec, instruction, maxIterations } = parts;
    const middleware = [...approvalsOf(parts.tools), ...parts.hooks.map((hook) => middlewareOf(hook, parts))];
    if (maxIterations !== undefined) {
      middleware.unshift(modelCallLimitMiddleware({ runLimit: maxIterations, exitBehavior: 'error' }));
    }
    const [saver, store] = [new MemorySaver(), new InMemoryStore()];
    const agent = createAgent({
      name: spec.name,
      ...(parts.model && { model: modelOf(parts.model) }),
      tools: parts.tools.map(toolOf),
      middleware,
      checkpointer: saver,
      store,
      ...(instruction !== undefined && { systemPrompt: instruction }),
    });
    return { agent, saver, store };
  }

  async run(built, messages, report, run, parts) {
    await this.#stream(built, { messages }, run.conversation || randomUUID(), report, run, parts);
  }

  async resume(built, checkpoint, answers, report, run, parts) {
    const { thread, interrupts, storage, writes, saved } = deserialize(checkpoint);
    Object.assign(built.saver.storage, storage);
    Object.assign(built.saver.writes, writes);
    for (const { namespace, key, value } of saved) await built.store.put(namespace, key, value);
    const given = Object.fromEntries(interrupts.map((one) => [one.id, answered(one, answers)]));
    await this.#stream(built, new Command({ resume: given }), thread, report, run, parts);
  }

  async #stream({ agent, saver, store }, given, thread, report, run, parts) {
    const events = new Events(report);
    const config = {
      configurable: { thread_id: thread },
      ...(parts.maxIterations !== undefined && { recursionLimit: STEPS }),
      streamMode: [...MODES, ...(run.streaming ? STREAMING : [])],
      ...(parts.spec.callbacks && { callbacks: [callbacksOf(parts)] }),
    };
    for await (const chunk of await agent.stream(given, config)) events.take(chunk);
    if (!events.interrupts.length) {
      if (events.final) report.final(events.final.text);
      return;
    }
    const { storage, writes } = saver;
    const { interrupts } = events;
    const saved = await store.search([WAITING], { limit: 1000 });
    const checkpoint = serialize({ thread, interrupts, storage, writes, saved });
    report.interrupted(checkpoint, interrupts.flatMap(shown));
  }

  sendEvent(payload) {
    const write = getWriter();
    if (!write) throw new Error('LangGraph has no writer here');
    write(payload);
  }
}

/** The callbacks of a run: only the model reports a model call. */
function callbacksOf(parts) {
  const { name, reports } = parts.spec.model;
  const report = (what) => reports || parts.callback(what, name);
  const calls = new Map();
  const tool = (what, runId) => parts.callback(what, ...calls.get(runId));
  return BaseCallbackHandler.fromMethods({
    awaitHandlers: true,
    handleChatModelStart: () => report('model start'),
    handleLLMEnd: () => report('model end'),
    handleToolStart(_tool, _input, runId, _parent, _tags, _metadata, runName, callId) {
      calls.set(runId, [runName, callId]);
      tool('tool start', runId);
    },
    handleToolEnd: (_output, runId) => tool('tool end', runId), // names the call at its beginning only
  });
}

serve(new LangChain());
