// An agent without tools binds an empty list of tools: a model without bindTools, which is optional, fails the run.
import { FakeChatModel } from "@langchain/core/utils/testing";
import { createAgent } from "langchain";

const model = new FakeChatModel({});
console.log("the model alone:", (await model.invoke("hi")).text);
try {
  await createAgent({ model, tools: [] }).invoke({ messages: "hi" });
} catch (error) {
  console.log("the agent:", error.name, error.message);
}

// Output:
// the model alone: hi
// the agent: Error llm [object Object] must define bindTools method.
