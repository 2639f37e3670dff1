// The result of a call that waits for approval follows that of a later call, which needs no approval.
import { jsonSchema, tool, ToolLoopAgent } from "ai";

import { calls, scripted, text, weather } from "./scripted.mjs";

const model = scripted(calls("pay", "weather"), text("done"));
const pay = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => "paid" });
const agent = new ToolLoopAgent({ model, tools: { pay, weather }, toolApproval: { pay: "user-approval" } });

const prompt = { role: "user", content: "hi" };
const { content, responseMessages } = await agent.generate({ messages: [prompt] });
const { approvalId } = content.find(({ type }) => type === "tool-approval-request");
const decided = [{ type: "tool-approval-response", approvalId, approved: true }];
await agent.generate({ messages: [prompt, ...responseMessages, { role: "tool", content: decided }] });
const [, answer, ...results] = model.doGenerateCalls[1].prompt;
console.log("calls:", answer.content.map((part) => part.toolName).join(", "));
console.log("results:", results.flatMap(({ content }) => content.map((part) => part.toolName)).join(", "));

// Output:
// calls: pay, weather
// results: weather, pay
