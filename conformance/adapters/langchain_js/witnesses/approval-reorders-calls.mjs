// After a decision, the answer has the calls that need no approval first, and no longer the order of the model.
import { fakeModel } from "@langchain/core/testing";
import { Command, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, humanInTheLoopMiddleware, tool } from "langchain";

const schema = { type: "object", properties: {} };
const tools = ["pay", "search"].map((name) => tool(() => name, { name, schema }));
const tool_calls = tools.map(({ name }) => ({ name, args: {}, id: name }));
const model = fakeModel().respond(new AIMessage({ content: "", tool_calls })).respond(new AIMessage("done"));
const middleware = [humanInTheLoopMiddleware({ interruptOn: { pay: true } })];
const agent = createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: "1" } };
console.log("the model's answer:", tool_calls.map(({ id }) => id).join(", "));
await agent.invoke({ messages: "hi" }, config);
await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
console.log("the next request:", model.calls[1].messages[1].tool_calls.map(({ id }) => id).join(", "));

// Output:
// the model's answer: pay, search
// the next request: search, pay
