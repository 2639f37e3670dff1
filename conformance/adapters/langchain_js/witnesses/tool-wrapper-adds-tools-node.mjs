// An agent without tools ends with an answer that calls a tool; with a wrapToolCall it runs the call and asks again.
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, createMiddleware } from "langchain";

const wrapper = createMiddleware({ name: "wrapper", wrapToolCall: (request, handler) => handler(request) });
for (const middleware of [[], [wrapper]]) {
  const model = fakeModel().respondWithTools([{ name: "weather", args: {}, id: "1" }]).respond(new AIMessage("done"));
  const { messages } = await createAgent({ model, middleware }).invoke({ messages: "hi" });
  console.log(middleware.length ? "with a wrapper:" : "without a wrapper:", messages.map((message) => message.type));
}

// Output:
// without a wrapper: [ 'human', 'ai' ]
// with a wrapper: [ 'human', 'ai', 'tool', 'ai' ]
