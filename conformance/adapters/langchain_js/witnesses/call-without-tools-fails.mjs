// An answer with a tool call ends the run of an agent without tools, and fails it next to an after-model hook.
import { fakeModel } from "@langchain/core/testing";
import { createAgent, createMiddleware } from "langchain";

const hook = createMiddleware({ name: "hook", afterModel: () => undefined });
for (const middleware of [[], [hook]]) {
  const model = fakeModel().respondWithTools([{ name: "weather", args: {}, id: "1" }]);
  console.log(middleware.length ? "with the hook:" : "without a hook:");
  try {
    const { messages } = await createAgent({ model, middleware }).invoke({ messages: "hi" });
    console.log("  messages:", messages.map((message) => message.type));
  } catch (error) {
    console.log(" ", error.name, error.message.slice(0, 60));
  }
}

// Output:
// without a hook:
//   messages: [ 'human', 'ai' ]
// with the hook:
//   InvalidUpdateError Invalid node name "tools" in Send packet
