// Of two returnDirect tools the second ends first: the results have the order of the calls, the second is the last.
import { setTimeout } from "node:timers/promises";

import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, tool } from "langchain";

const options = (name) => ({ name, schema: { type: "object", properties: {} }, returnDirect: true });
const slow = tool(async () => await setTimeout(200, "slow result"), options("slow"));
const fast = tool(() => "fast result", options("fast"));
const tool_calls = ["slow", "fast"].map((name) => ({ name, args: {}, id: name }));
const model = fakeModel().respond(new AIMessage({ content: "", tool_calls }));
const { messages } = await createAgent({ model, tools: [slow, fast] }).invoke({ messages: "hi" });

console.log(messages.map((message) => [message.type, message.text]));

// Output:
// [
//   [ 'human', 'hi' ],
//   [ 'ai', '' ],
//   [ 'tool', 'slow result' ],
//   [ 'tool', 'fast result' ]
// ]
