// A returnDirect tool next to another tool: the run ends twice, the second time after the model if the other result is last.
import { fakeModel } from "@langchain/core/testing";
import { AIMessage, createAgent, createMiddleware, tool } from "langchain";

const schema = { type: "object", properties: {} };
const direct = tool(() => "direct result", { name: "direct", schema, returnDirect: true });
const other = tool(() => "other result", { name: "other", schema });
const seen = createMiddleware({
  name: "seen",
  afterAgent: ({ messages }) => console.log("after agent:", messages.map((message) => message.text)),
});
for (const calls of [["direct"], ["direct", "other"], ["other", "direct"]]) {
  const answer = new AIMessage({ content: "", tool_calls: calls.map((name) => ({ name, args: {}, id: name })) });
  const model = fakeModel().respond(answer).respond(new AIMessage("second answer"));
  await createAgent({ model, tools: [direct, other], middleware: [seen] }).invoke({ messages: "hi" });
  console.log("calls of", calls, "and", model.callCount, "model calls");
}

// Output:
// after agent: [ 'hi', '', 'direct result' ]
// calls of [ 'direct' ] and 1 model calls
// after agent: [ 'hi', '', 'direct result', 'other result' ]
// after agent: [ 'hi', '', 'direct result', 'other result', 'second answer' ]
// calls of [ 'direct', 'other' ] and 2 model calls
// after agent: [ 'hi', '', 'other result', 'direct result' ]
// after agent: [ 'hi', '', 'other result', 'direct result' ]
// calls of [ 'other', 'direct' ] and 1 model calls
