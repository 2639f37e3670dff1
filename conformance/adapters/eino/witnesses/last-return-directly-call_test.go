package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
)

// An answer calls two tools that return directly: the result of the last call is the answer of the agent.
func Example_lastReturnDirectlyCall() {
	ended := make(chan struct{})
	first := toolFunc{"first", func(context.Context) (string, error) { <-ended; return "one", nil }} // the last to end
	second := toolFunc{"second", func(context.Context) (string, error) { close(ended); return "two", nil }}
	tools := withTools(first, second)
	tools.ReturnDirectly = map[string]bool{"first": true, "second": true}
	helper := agentOf(&adk.ChatModelAgentConfig{
		Name: "helper", Model: answering(calling("first", "second")), ToolsConfig: tools,
	})
	model := answering(calling("helper"), saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: model, ToolsConfig: withTools(adk.NewAgentTool(context.Background(), helper)),
	}))

	// Output:
	// assistant: "" calls helper
	// tool helper: "two"
	// assistant: "done"
}
