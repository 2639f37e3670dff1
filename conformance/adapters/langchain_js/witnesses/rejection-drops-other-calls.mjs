// If one call of an answer is rejected, the approved ones are dropped, and those that need no approval get no result.
import { fakeModel } from "@langchain/core/testing";
import { Command, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, humanInTheLoopMiddleware, tool } from "langchain";

const schema = { type: "object", properties: {} };
const tools = ["search", "pay", "delete"].map((name) => tool(() => console.log(`${name} runs`), { name, schema }));
const tool_calls = tools.map(({ name }) => ({ name, args: {}, id: name }));
const model = fakeModel().respond(new AIMessage({ content: "", tool_calls })).respond(new AIMessage("done"));
const middleware = [humanInTheLoopMiddleware({ interruptOn: { pay: true, delete: true } })];
const agent = createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: "1" } };
await agent.invoke({ messages: "hi" }, config);
const decisions = [{ type: "approve" }, { type: "reject", message: "not today" }];
await agent.invoke(new Command({ resume: { decisions } }), config);
const [, answer, ...results] = model.calls[1].messages;
console.log("calls:", answer.tool_calls.map(({ id }) => id).join(", "));
console.log("results:", results.map((one) => one.tool_call_id).join(", "));

// Output:
// calls: search, delete
// results: delete
