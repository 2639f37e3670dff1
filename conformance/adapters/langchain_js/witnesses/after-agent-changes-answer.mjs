// The state that `invoke` returns has the message that an after-agent hook adds as its last message.
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, createMiddleware } from "langchain";

const later = createMiddleware({
  name: "later",
  afterAgent: () => ({ messages: [new AIMessage("later")] }),
});
const model = fakeModel().respond(new AIMessage("done"));
const { messages } = await createAgent({ model, middleware: [later] }).invoke({ messages: "hi" });

console.log(messages.map((message) => [message.type, message.text]));

// Output:
// [ [ 'human', 'hi' ], [ 'ai', 'done' ], [ 'ai', 'later' ] ]
