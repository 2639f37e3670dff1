/** What a run of LangChain streams, as the events of a run. */

import { toWire } from './messages.mjs';
import { AIMessageChunk, GraphInterrupt } from './packages.mjs';

const MODEL = 'model_request'; // the node that calls the model

export class Events {
  #report;
  /** The messages of the conversation after the last step, and their ids. */
  #known = new Set();
  /** The streams that are open, and the texts of those that have ended, by the id of the answer or of the call. */
  #open = new Map();
  #streamed = new Map();
  #answering = '';
  interrupts = [];
  /** The last message of the conversation: the final answer, when the run is over. */
  final;

  constructor(report) {
    this.#report = report;
  }

  /** What LangGraph streams: a mode and a chunk. */
  take([mode, chunk]) {
    if (mode === 'values') this.#values(chunk);
    else if (mode === 'custom') this.#report.custom(chunk);
    else if (mode === 'messages') this.#chunk(...chunk);
    else if (mode === 'tools') this.#tool(chunk);
    else if (mode === 'updates') this.#updates(chunk);
  }

  #values({ messages = [] }) {
    for (const message of messages) this.#add(message);
    this.final = messages.at(-1);
  }

  #add(message) {
    this.#known.add(message);
    if (message.id !== undefined) this.#known.add(message.id);
  }

  #chunk(chunk, { langgraph_node: node }) {
    if (!(chunk instanceof AIMessageChunk) || node !== MODEL) return;
    if (chunk.id !== this.#answering) this.#end(this.#answering); // the answer before has broken off
    this.#answering = chunk.id ?? '';
    this.#push(this.#answering, toWire(chunk));
  }

  #tool({ event, toolCallId, data, error }) {
    if (event === 'on_tool_event') this.#push(toolCallId, { role: 'tool', content: data, toolCallId });
    else if (event === 'on_tool_end') this.#end(toolCallId);
    else if (event === 'on_tool_error') this.#end(toolCallId, error);
  }

  #push(key, chunk) {
    if (!this.#open.has(key)) this.#open.set(key, this.#report.stream());
    this.#open.get(key).chunk(chunk);
  }

  #end(key, error) {
    const stream = this.#open.get(key);
    if (!stream) return;
    this.#open.delete(key);
    if (error !== undefined) stream.fail(error);
    else this.#streamed.set(key, stream.text);
    if (error === undefined) stream.end();
  }

  /** The tools that have interrupted the run: LangGraph reports no end of their streams, so that these break. */
  #pause(interrupts) {
    this.interrupts.push(...interrupts);
    for (const key of this.#open.keys()) this.#end(key, new GraphInterrupt(interrupts));
  }

  /** Answers and results of nodes. Of hooks, a result in the place of a tool's and an answer that ends the run. */
  #updates(updates) {
    if (updates.__interrupt__) this.#pause(updates.__interrupt__);
    for (const [node, update] of Object.entries(updates)) {
      const ends = update?.jumpTo === 'end';
      for (const message of messagesIn(update)) {
        const type = message.getType();
        const reported = type === 'tool' || (type === 'ai' && (node === MODEL || node === 'tools' || ends));
        if (reported && !this.#known.has(message) && !this.#known.has(message.id)) this.#message(message);
      }
    }
  }

  /** A whole message, unless the message is what was streamed before. */
  #message(message) {
    const isResult = message.getType() === 'tool';
    const key = isResult ? message.tool_call_id : (message.id ?? '');
    this.#end(isResult ? key : this.#answering);
    this.#add(message);
    if (this.#streamed.get(key) !== message.text) this.#report.message(message);
  }
}

/** The messages in the output of a node: one update or several. */
function messagesIn(update) {
  if (Array.isArray(update)) return update.flatMap(messagesIn);
  return (update?.messages ?? []).filter((one) => typeof one?.getType === 'function');
}
