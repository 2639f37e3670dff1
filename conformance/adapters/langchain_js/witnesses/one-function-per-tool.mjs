// A tool has one function, also if it yields parts: the wrapper of its calls receives one whole result.
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, createMiddleware, tool } from "langchain";

async function* weather() {
  yield "sun";
  yield "ny";
  return "sunny";
}

const wrapper = createMiddleware({
  name: "wrapper",
  wrapToolCall: async (request, handler) => {
    const result = await handler(request);
    console.log("wrapper:", result.constructor.name, result.text);
    return result;
  },
});
const agent = createAgent({
  model: fakeModel().respondWithTools([{ name: "weather", args: {}, id: "1" }]).respond(new AIMessage("done")),
  tools: [tool(weather, { name: "weather", schema: { type: "object", properties: {} } })],
  middleware: [wrapper],
});
const parts = [];
for await (const { event, data } of await agent.stream({ messages: "hi" }, { streamMode: "tools" })) {
  if (event === "on_tool_event") parts.push(data);
}
console.log("parts:", parts);

// Output:
// wrapper: ToolMessage sunny
// parts: [ 'sun', 'ny' ]
