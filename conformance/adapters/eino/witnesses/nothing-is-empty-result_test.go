package witnesses

import "github.com/cloudwego/eino/adk"

// A tool that has nothing to return returns an empty string, which the model receives as the result.
func Example_nothingIsEmptyResult() {
	model := answering(calling("weather"), saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{Model: model, ToolsConfig: withTools(returning("weather", ""))}))
	conversation(model.calls[1])

	// Output:
	// assistant: "" calls weather
	// tool weather: ""
	// assistant: "done"
	// - user: "hi"
	// - assistant: "" calls weather
	// - tool weather: ""
}
