// A run that fails at a run limit leaves its count in the thread: each later run of the thread fails at once.
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, modelCallLimitMiddleware, tool } from "langchain";

const weather = tool(() => "sunny", { name: "weather", schema: { type: "object", properties: {} } });
const tool_calls = [{ name: "weather", args: {}, id: "weather" }];
const model = fakeModel().respond(new AIMessage({ content: "", tool_calls })).respond(new AIMessage("done"));
const middleware = [modelCallLimitMiddleware({ runLimit: 1, exitBehavior: "error" })];
const agent = createAgent({ model, tools: [weather], middleware, checkpointer: new MemorySaver() });

for (const messages of ["Hello.", "Go on.", "Hello?"]) {
  const run = agent.invoke({ messages }, { configurable: { thread_id: "1" } });
  await run.catch((error) => console.log(`${messages} ${error.message}`));
}
console.log("model calls:", model.calls.length);

// Output:
// Hello. Model call limits exceeded: run level call limit reached with 1 model calls
// Go on. Model call limits exceeded: run level call limit reached with 1 model calls
// Hello? Model call limits exceeded: run level call limit reached with 1 model calls
// model calls: 1
