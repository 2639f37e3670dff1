// The result of a denied call follows that of an approved call, although the denied call is the first of the answer.
import { jsonSchema, tool, ToolLoopAgent } from "ai";

import { calls, scripted, text } from "./scripted.mjs";

const model = scripted(calls("delete", "pay"), text("done"));
const named = (name) => [name, tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => name })];
const tools = Object.fromEntries(["delete", "pay"].map(named));
const agent = new ToolLoopAgent({ model, tools, toolApproval: () => "user-approval" });

const prompt = { role: "user", content: "hi" };
const { content, responseMessages } = await agent.generate({ messages: [prompt] });
const decided = content
  .filter(({ type }) => type === "tool-approval-request")
  .map(({ approvalId, toolCall }) => ({ type: "tool-approval-response", approvalId, approved: toolCall.toolName === "pay" }));
await agent.generate({ messages: [prompt, ...responseMessages, { role: "tool", content: decided }] });
const [, answer, results] = model.doGenerateCalls[1].prompt;
console.log("calls:", answer.content.map((part) => part.toolName).join(", "));
console.log("results:", results.content.map((part) => part.toolName).join(", "));

// Output:
// calls: delete, pay
// results: pay, delete
