/** What the AI SDK reports to the caller of one run, as the events of the run. */

import { callToWire, toWire } from './messages.mjs';
import { answerOf } from './model.mjs';

export class Events {
  #report;
  /** The results of tools that are reported, by the ids of their calls. */
  #results = new Set();
  /** The answer that streams, and the results that stream, by the ids of their calls. */
  #answer;
  #streams = new Map();
  #lengths = new Map();
  #answered = false;
  error;

  constructor(report) {
    this.#report = report;
  }

  /** The callback at the end of a model call. */
  answer({ content }) {
    this.#report.wire(answerOf(content.filter(({ type }) => type === 'text' || type === 'tool-call')));
  }

  /** The callback at the end of a tool's execution. */
  execution({ toolCall, toolOutput }) {
    if (toolOutput.type === 'tool-result') this.#result(toolCall, toolOutput.output);
  }

  /** The callback at the end of a step: what the model receives of failures and of calls that no tool serves. */
  step({ response }) {
    this.results(response.messages);
  }

  /** The results in messages that are not reported. */
  results(messages) {
    const results = messages.filter(({ role }) => role === 'tool').flatMap(toWire);
    for (const result of results) if (!this.#results.has(result.toolCallId)) this.#report.wire(result);
  }

  /** A part of the stream. */
  part(part) {
    if (part.type === 'text-delta') this.#chunk({ role: 'assistant', content: part.text, extra: extraOf(part) });
    else if (part.type === 'tool-call') this.#chunk({ role: 'assistant', toolCalls: [callToWire(part)] });
    else if (part.type === 'tool-result') this.#streamed(part);
    else if (part.type === 'tool-error') this.#failed(part);
    else if (part.type === 'finish-step') this.#endStep(part);
    else if (part.type === 'error') this.error ??= part.error;
  }

  #chunk(message) {
    this.#answer ??= this.#report.stream();
    this.#answered = true;
    this.#answer.chunk(message);
  }

  #endAnswer() {
    this.#answer?.end();
    this.#answer = undefined;
  }

  #endStep({ finishReason }) {
    if (finishReason === 'error') return; // the error ends the answer that is open
    this.#endAnswer();
    if (!this.#answered) this.#report.wire({ role: 'assistant' }); // an answer without parts
    this.#answered = false;
  }

  /** What a preliminary result adds to the result before, which it holds. */
  #added(toolCallId, output) {
    const added = output.slice(this.#lengths.get(toolCallId) ?? 0);
    this.#lengths.set(toolCallId, output.length);
    return contentOf(added);
  }

  #failed({ toolCallId, error }) {
    this.#endAnswer();
    this.#streams.get(toolCallId)?.fail(error);
    this.#results.delete(toolCallId); // the step says what the model receives
  }

  #result({ toolCallId, toolName }, output) {
    this.#results.add(toolCallId);
    this.#report.wire({ role: 'tool', toolCallId, toolName, ...contentOf(output) });
  }

  #streamed(part) {
    this.#endAnswer();
    const { toolCallId, toolName, output, preliminary } = part;
    const there = this.#streams.get(toolCallId);
    if (preliminary) {
      const stream = there ?? this.#report.stream();
      this.#streams.set(toolCallId, stream);
      this.#results.add(toolCallId);
      stream.chunk({ role: 'tool', toolCallId, toolName, ...this.#added(toolCallId, output) });
    } else if (there) {
      there.end();
    } else {
      this.#result(part, output);
    }
  }
}

/** The parts of the result of an enhanced tool, or a text. */
function contentOf(output) {
  if (Array.isArray(output)) return { parts: output };
  return { content: typeof output === 'string' ? output : JSON.stringify(output) };
}

function extraOf({ providerMetadata }) {
  return providerMetadata?.loopspec ?? {};
}
