// Without a recursionLimit, a run fails after 25 steps of the graph: 13 model calls, with the tool calls between them.
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, tool } from "langchain";

const weather = tool(() => "sunny", { name: "weather", schema: { type: "object", properties: {} } });
for (const config of [{}, { recursionLimit: 100 }]) {
  const model = fakeModel();
  for (let id = 1; id < 20; id++) model.respondWithTools([{ name: "weather", args: {}, id: `${id}` }]);
  model.respond(new AIMessage("done"));
  try {
    const { messages } = await createAgent({ model, tools: [weather] }).invoke({ messages: "hi" }, config);
    console.log(messages.at(-1).text, "after", model.callCount, "model calls");
  } catch (error) {
    console.log(error.name, "after", model.callCount, "model calls");
  }
}

// Output:
// GraphRecursionError after 13 model calls
// done after 20 model calls
