// After a run that stops during a tool call, the next run of the thread sends the model a call without a result.
import { fakeModel } from "@langchain/core/testing";
import { interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, tool } from "langchain";

const schema = { type: "object", properties: {} };

for (const how of ["is aborted", "is interrupted"]) {
  const abort = new AbortController();
  const run = () => {
    if (how === "is interrupted") return interrupt("May I?");
    setTimeout(() => abort.abort());
    return new Promise((resolve) => setTimeout(resolve, 100));
  };
  const search = tool(run, { name: "search", schema });
  const tool_calls = [{ name: "search", args: {}, id: "search" }];
  const model = fakeModel().respond(new AIMessage({ content: "", tool_calls })).respond(new AIMessage("done"));
  const agent = createAgent({ model, tools: [search], checkpointer: new MemorySaver() });
  const configurable = { thread_id: "1" };
  await agent.invoke({ messages: "Hello." }, { configurable, signal: abort.signal }).catch((error) => error);
  await agent.invoke({ messages: "Go on." }, { configurable });
  console.log(`${how}:`, model.calls[1].messages.map((message) => message.getType()).join(", "));
}

// Output:
// is aborted: human, ai, human
// is interrupted: human, ai, human
