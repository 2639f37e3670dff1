// `prepareStep` receives the messages and the instructions of a step, and not the tools that the model receives.
import { ToolLoopAgent } from "ai";

import { scripted, text, weather } from "./scripted.mjs";

const model = scripted(text("done"));
const agent = new ToolLoopAgent({
  model,
  instructions: "Be brief.",
  tools: { weather },
  prepareStep: (options) => console.log("prepareStep:", Object.keys(options)),
});
await agent.generate({ prompt: "hi" });

console.log("the model:", model.doGenerateCalls[0].tools.map((tool) => tool.name));

// Output:
// prepareStep: [
//   'model',
//   'steps',
//   'stepNumber',
//   'instructions',
//   'initialInstructions',
//   'messages',
//   'initialMessages',
//   'responseMessages',
//   'runtimeContext',
//   'toolsContext',
//   'experimental_sandbox'
// ]
// the model: [ 'weather' ]
