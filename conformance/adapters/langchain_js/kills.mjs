/** An agent of LangChain JS whose checkpoints are kept by the SQLite saver of LangGraph. */

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { AIMessage, createAgent, tool } from 'langchain';

import * as points from './kill_points.mjs';

const config = { configurable: { thread_id: '1' } };

class Scripted extends BaseChatModel {
  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const calls = messages.flatMap((one) => (one.tool_calls ?? []).map(({ id, name }) => [id, name]));
    const results = messages.filter(({ type }) => type === 'tool').map((one) => [one.tool_call_id, String(one.content)]);
    const wanted = await points.model(calls, results);
    const tool_calls = wanted.map(([id, name]) => ({ id, name, args: {}, type: 'tool_call' }));
    const message = new AIMessage({ content: wanted.length ? '' : points.final, tool_calls });
    return { generations: [{ message, text: message.text }] };
  }
}

const effect = (name) =>
  tool(() => points.tool(name), { name, description: name, schema: { type: 'object', properties: {} } });

/** Begin the run, or resume it from its last checkpoint. */
async function run() {
  const checkpointer = SqliteSaver.fromConnString('store/checkpoints.sqlite');
  const model = new Scripted({});
  const agent = createAgent({ model, tools: [effect('reserve'), effect('charge')], checkpointer });
  const stored = (await checkpointer.getTuple(config)) ? ((await agent.graph.getState(config)).values.messages ?? []) : [];
  points.history('before', 'langchain', stored.map((one) => one.toDict()));
  const question = stored.length ? null : { messages: [{ role: 'user', content: points.asked }] };
  const { messages } = await agent.invoke(question, config);
  points.history('after', 'langchain', messages.map((one) => one.toDict()));
  return messages.at(-1).text;
}

await points.main(
  { begin: run, resume: run, 'another-version': later },
  ['langchain', '@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite'],
  '`SqliteSaver`',
  '`agent.invoke(null, config)`',
  'The result of a tool is stored when the tool returns. A checkpoint is written while the next step runs.',
);

/** Give the latest checkpoint a later version. */
async function later() {
  const { db } = SqliteSaver.fromConnString('store/checkpoints.sqlite');
  const row = db.prepare('SELECT checkpoint_id, checkpoint FROM checkpoints ORDER BY checkpoint_id DESC').get();
  const checkpoint = JSON.parse(row.checkpoint.toString());
  const changed = JSON.stringify({ ...checkpoint, v: checkpoint.v + 1 });
  db.prepare('UPDATE checkpoints SET checkpoint = ? WHERE checkpoint_id = ?').run(changed, row.checkpoint_id);
  return checkpoint.v + 1;
}
