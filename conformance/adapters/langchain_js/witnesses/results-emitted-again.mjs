// The update of a call that has completed before an interrupt is emitted in the resumed run again, marked as cached.
import { fakeModel } from "@langchain/core/testing";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, tool } from "langchain";

const schema = { type: "object", properties: {} };
const weather = tool(() => console.log("weather runs") ?? "sunny", { name: "weather", schema });
const ask = tool(() => interrupt("how?"), { name: "ask", schema });
const tool_calls = ["weather", "ask"].map((name) => ({ name, args: {}, id: name }));
const model = fakeModel().respond(new AIMessage({ content: "", tool_calls })).respond(new AIMessage("done"));
const agent = createAgent({ model, tools: [weather, ask], checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: "1" }, streamMode: "updates" };
for (const input of [{ messages: "hi" }, new Command({ resume: "well" })]) {
  console.log(input instanceof Command ? "resumed run" : "first run");
  for await (const update of await agent.stream(input, config)) {
    const texts = [update.tools ?? []].flat().flatMap(({ messages }) => messages.map((message) => message.text));
    if (texts.length) console.log("  result:", ...texts, update.__metadata__ ?? "");
  }
}

// Output:
// first run
// weather runs
//   result: sunny 
// resumed run
//   result: sunny { cached: true }
//   result: well 
