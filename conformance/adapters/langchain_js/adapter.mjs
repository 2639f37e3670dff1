// Connects LangChain's createAgent with loopspec, in the role agent, on the kit for Node.

import { randomUUID } from 'node:crypto';

import { AgentAdapter, serve } from '../../kits/node/kit/index.mjs';
import { answered, approvalsOf, shown } from './approvals.mjs';
import { Saver } from './checkpoints.mjs';
import { modelOf, toolOf } from './doubles.mjs';
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
    'checkpoint-reuse',
    'concurrent-runs',
    'conversations',
    'interrupt',
    'interrupting-model-hooks',
    'interrupting-tool-wrappers',
    'missing-results',
    'model-wrappers',
    'repeated-inner-calls',
    'return-directly',
    'saved-runs',
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
    const store = new InMemoryStore();
    const saver = new Saver(store);
    const agent = createAgent({
      name: spec.name,
      ...(parts.model && { model: modelOf(parts.model) }),
      tools: parts.tools.map(toolOf),
      middleware,
      checkpointer: saver,
      store,
      ...(instruction !== undefined && { systemPrompt: instruction }),
    });
    return { agent, saver };
  }

  async run(built, messages, report, run, parts) {
    await this.#stream(built, { messages }, run.conversation || randomUUID(), report, run, parts);
  }

  async resume(built, checkpoint, answers, report, run, parts) {
    const thread = await built.saver.restore(checkpoint);
    const { tasks } = await built.agent.graph.getState({ configurable: { thread_id: thread } });
    const interrupts = tasks.flatMap((task) => task.interrupts);
    const given = Object.fromEntries(interrupts.map((one) => [one.id, answered(one, answers)]));
    const waits = interrupts.length > 0; // and its process has not died
    await this.#stream(built, waits ? new Command({ resume: given }) : null, thread, report, run, parts);
  }

  async #stream({ agent, saver }, given, thread, report, run, parts) {
    const events = new Events(report);
    const config = {
      configurable: { thread_id: thread },
      ...(parts.maxIterations !== undefined && { recursionLimit: STEPS }),
      ...(run.saves && { durability: 'sync' }),
      streamMode: [...MODES, ...(run.streaming ? STREAMING : [])],
      ...(parts.spec.callbacks && { callbacks: [callbacksOf(parts)] }),
    };
    if (run.saves) saver.onSave = async () => report.saved(await saver.checkpoint(thread));
    for await (const chunk of await agent.stream(given, config)) events.take(chunk);
    if (!events.interrupts.length) {
      if (events.final) report.final(events.final.text);
      return;
    }
    report.interrupted(await saver.checkpoint(thread), events.interrupts.flatMap(shown));
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
