// A run ends without an error, and without a message, if an after-model hook removes all messages.
import { RemoveMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { AIMessage, createAgent, createMiddleware } from "langchain";

const remove = createMiddleware({
  name: "remove",
  afterModel: () => ({ messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] }),
});
const model = fakeModel().respond(new AIMessage("done"));
const { messages } = await createAgent({ model, middleware: [remove] }).invoke({ messages: "hi" });

console.log("model calls:", model.callCount, "messages:", messages);

// Output:
// model calls: 1 messages: []
