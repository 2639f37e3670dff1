// A model with scripted answers: a text, or calls of tools.
import { jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: {}, outputTokens: {} };

export const text = (text) => answer("stop", { type: "text", text });

export const calls = (...names) =>
  answer("tool-calls", ...names.map((toolName) => ({ type: "tool-call", toolCallId: toolName, toolName, input: "{}" })));

function answer(unified, ...content) {
  return { content, finishReason: { unified }, usage, warnings: [] };
}

export const scripted = (...answers) => new MockLanguageModelV4({ doGenerate: answers });

export const weather = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => "sunny" });
