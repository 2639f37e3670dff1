// Connects the loop in loop.mjs with loopspec: `loopspec run cmd:"node adapter.mjs"`.

import { AgentAdapter, serve } from './kit/index.mjs';
import { Agent, InvalidAgent, TooManyCalls, UnknownTool } from './loop.mjs';

/** @extends {AgentAdapter<import('./loop.mjs').LoopMessage, Agent>} */
class Adapter extends AgentAdapter {
  name = 'my agent';
  version = '0.1.0';
  capabilities = [
    'after-agent-edits',
    'after-agent-hooks',
    'after-model-edits',
    'after-model-hooks',
    'before-agent-edits',
    'before-agent-hooks',
    'before-model-edits',
    'before-model-hooks',
    'concurrent-runs',
    'model-wrappers',
    'raw-arguments',
    'repeated-inner-calls',
    'reports-instruction',
    'reports-tools',
    'return-directly',
    'several-handlers',
    'tool-wrappers',
    'tools-from-hooks',
  ];
  errorKinds = new Map([
    [TooManyCalls, 'max_iterations'],
    [UnknownTool, 'unknown_tool'],
    [InvalidAgent, 'invalid_config'],
  ]);

  toWire({ role, text, calls, callId, name }) {
    return { role, content: text, toolCalls: calls ?? [], toolCallId: callId, toolName: name };
  }

  fromWire({ role, content = '', toolCalls = [], toolCallId, toolName }) {
    const calls = toolCalls.map(({ id, name, args = '{}' }) => ({ id, name, args }));
    return { role, text: content, calls, callId: toolCallId, name: toolName };
  }

  build(parts) {
    const tool = (double) => ({ ...double.info, call: (call) => double.call(call.args, { callId: call.id }) });
    return new Agent({
      name: parts.spec.name,
      model: parts.model && { answer: (request) => this.#answer(parts.model, request) },
      tools: parts.tools.map(tool),
      hooks: parts.hooks.map((hook) => this.#hook(hook, (name) => tool(parts.named(name)))),
      instruction: parts.instruction,
      limit: parts.maxIterations,
      stopAfter: parts.returnsDirectly,
    });
  }

  async run(agent, messages, report) {
    report.final(await agent.run(messages, { emit: (message) => report.message(message) }));
  }

  async #answer(model, { messages, tools }) {
    const answer = await model.answer(
      messages.map((message) => this.toWire(message)),
      { tools: tools.map(info) },
    );
    if (!answer) throw new Error('the model returned nothing');
    return this.fromWire(answer);
  }

  #hook(hook, make) {
    const pick = (names, there) => names.map((name) => there.find((tool) => tool.name === name) ?? make(name));
    const change =
      (kind) =>
      async ({ messages, tools }) => {
        const wanted = await hook[kind]({ messages, tools: tools.map(({ name }) => name) });
        return { messages: wanted.messages, tools: pick(wanted.tools, tools) };
      };
    return {
      async beforeAgent({ instruction, tools }) {
        const start = await hook.beforeAgent({ instruction, tools: tools.map(({ name }) => name) });
        return { instruction: start.instruction ?? '', tools: pick(start.tools ?? [], tools) };
      },
      beforeModel: change('beforeModel'),
      afterModel: change('afterModel'),
      afterAgent: change('afterAgent'),
      aroundModel: ({ messages, tools }, inner) =>
        hook.aroundModel(
          { messages, infos: tools.map(info) },
          (wanted) => inner({ messages: wanted.messages, tools: pick(wanted.tools, tools) }),
          { read: (answer) => this.toWire(answer), make: (message) => this.fromWire(message) },
        ),
      aroundTool: (call, inner) =>
        hook.aroundTool({ tool: call.name, callId: call.id, args: call.args }, (args) => inner({ ...call, args }), {
          read: (text) => text,
          make: (text) => text,
        }),
    };
  }
}

const info = ({ name, description, parameters }) => ({ name, description, parameters });

serve(new Adapter());
