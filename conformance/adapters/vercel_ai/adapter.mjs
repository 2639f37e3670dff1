// Connects the ToolLoopAgent of the AI SDK with loopspec, in the role agent, on the kit for Node.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { AgentAdapter, serve } from '../../kits/node/kit/index.mjs';
import { approvalOf, requestsIn, responsesOf } from './approvals.mjs';
import { middlewareOf, prepareCallOf, prepareStepOf } from './hooks.mjs';
import { fromWire, partFromWire, toWire } from './messages.mjs';
import { modelOf } from './model.mjs';
import { POSTURES } from './postures.mjs';
import { Events } from './events.mjs';

const folder = process.env.VERCEL_AI_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const { isStepCount, jsonSchema, tool, ToolLoopAgent, wrapLanguageModel } = await import(
  pathToFileURL(packed.resolve('ai'))
);

/** The events of a run without a stream. */
const whole = new AsyncLocalStorage();

class VercelAI extends AgentAdapter {
  name = 'Vercel AI SDK';
  version = packed('ai/package.json').version;
  capabilities = [
    'approvals',
    'before-agent-edits',
    'before-agent-hooks',
    'before-model-edits',
    'before-model-hooks',
    'concurrent-runs',
    'custom-input',
    'enhanced-tools',
    'model-wrappers',
    'repeated-inner-calls',
    'reports-instruction',
    'reports-tools',
    'streaming',
    'streaming-tools',
  ];
  postures = POSTURES;

  toWire(message) {
    return toWire(message);
  }

  fromWire(message) {
    return fromWire(message);
  }

  causes({ lastError }) {
    return [lastError]; // of a RetryError
  }

  build(parts) {
    const { spec, instruction, maxIterations } = parts;
    return new ToolLoopAgent({
      id: spec.name,
      model: parts.model && this.#model(parts),
      tools: Object.fromEntries(parts.tools.map((double) => [double.info.name, this.#tool(double)])),
      allowSystemInMessages: true,
      ...(instruction !== undefined && { instructions: instruction }),
      ...(maxIterations !== undefined && { stopWhen: isStepCount(maxIterations) }),
      ...given(
        'prepareCall',
        prepareCallOf(parts, (double) => this.#tool(double)),
      ),
      ...given('prepareStep', prepareStepOf(parts)),
      ...given('toolApproval', approvalOf(parts.tools)),
      onLanguageModelCallEnd: (event) => whole.getStore()?.answer(event), // serves all runs of the agent
    });
  }

  #model(parts) {
    const middleware = parts.hooks.filter((hook) => hook.has('around model')).map((hook) => middlewareOf(hook, parts));
    const model = modelOf(parts.model);
    return middleware.length ? wrapLanguageModel({ model, middleware }) : model;
  }

  #tool(double) {
    const { description, schema, kinds } = double;
    const enhanced = kinds.some((kind) => kind.startsWith('enhanced'));
    return tool({
      ...(description && { description }),
      inputSchema: jsonSchema(schema),
      execute: executeOf(double),
      ...(enhanced && { toModelOutput: ({ output }) => ({ type: 'content', value: output.map(partFromWire) }) }),
    });
  }

  async run(agent, messages, report, run) {
    const events = new Events(report);
    const onStepEnd = (step) => events.step(step);
    if (!run.streaming) {
      const onToolExecutionEnd = (event) => events.execution(event);
      const result = await whole.run(events, () => agent.generate({ messages, onToolExecutionEnd, onStepEnd }));
      end(events, report, messages, result);
      return;
    }
    const result = await agent.stream({ messages, onStepEnd });
    for await (const part of result.fullStream) events.part(part);
    if (events.error !== undefined) throw events.error;
    const [text, content, responseMessages] = await Promise.all([result.text, result.content, result.responseMessages]);
    end(events, report, messages, { text, content, responseMessages });
  }

  async resume(agent, checkpoint, answers, report, run) {
    await this.run(agent, [...JSON.parse(checkpoint), responsesOf(answers)], report, run);
  }
}

/** Reports how a run ends: with its answer, or with requests for approval; the checkpoint holds the messages. */
function end(events, report, messages, { text, content, responseMessages }) {
  events.results(responseMessages.slice(0, 1)); // of the calls that the caller has decided about
  const requests = requestsIn(content);
  if (!requests.length) report.final(text);
  else report.interrupted(Buffer.from(JSON.stringify([...messages, ...responseMessages])), requests);
}

/** A tool of the AI SDK has one function. A tool that streams yields all of its result so far. */
function executeOf(double) {
  const kinds = new Set(double.kinds);
  const call = ({ toolCallId, abortSignal }) => ({ callId: toolCallId, signal: abortSignal });
  if (kinds.has('enhanced streamable')) return (input, how) => wholes(double.partChunks(input, call(how)), []);
  if (kinds.has('enhanced invokable')) return (input, how) => double.parts(input, call(how));
  if (kinds.has('streamable')) return (input, how) => wholes(double.chunks(input, call(how)), '');
  return (input, how) => double.call(input, call(how));
}

async function* wholes(chunks, whole) {
  let empty = true;
  for await (const chunk of chunks) {
    empty = false;
    yield (whole = whole.concat(chunk));
  }
  if (empty) yield whole; // a tool that yields nothing has no result
}

const given = (name, value) => (value === undefined ? {} : { [name]: value });

serve(new VercelAI());
