// The stream has the chunks of the model and of a tool before the wrappers return, and then what the wrappers return.
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { AIMessage, createAgent, createMiddleware } from "langchain";

const wrapper = createMiddleware({
  name: "wrapper",
  wrapModelCall: async (request, handler) => {
    const answer = await handler(request);
    return new AIMessage(`${answer.text}, changed`);
  },
});
const agent = createAgent({ model: new FakeListChatModel({ responses: ["plain"] }), middleware: [wrapper] });
const chunks = [];
const modes = { streamMode: ["messages", "updates"] };
for await (const [mode, chunk] of await agent.stream({ messages: "hi" }, modes)) {
  if (mode === "messages") chunks.push(chunk[0].text);
  else console.log("chunks:", chunks.join("|"), "update:", chunk.model_request.messages[0].text);
}

// Output:
// chunks: p|l|a|i|n|plain, changed update: plain, changed
