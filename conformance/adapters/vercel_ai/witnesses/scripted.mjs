// A model with scripted answers: a text, or the call of a tool.
import { jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: {}, outputTokens: {} };

export const text = (text) => answer("stop", { type: "text", text });

export const call = (toolName) => answer("tool-calls", { type: "tool-call", toolCallId: "1", toolName, input: "{}" });

function answer(unified, part) {
  return { content: [part], finishReason: { unified }, usage, warnings: [] };
}

export const scripted = (...answers) => new MockLanguageModelV4({ doGenerate: answers });

export const weather = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => "sunny" });
