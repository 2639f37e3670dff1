package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
)

// The result of an agent tool is empty if a custom event of the inner agent follows its answer.
func Example_customEventEmptiesResult() {
	reporting := hooks{afterAgent: func(ctx context.Context, _ *adk.ChatModelAgentState) {
		_ = adk.SendEvent(ctx, &adk.AgentEvent{Output: &adk.AgentOutput{CustomizedOutput: "that was all"}})
	}}
	for _, handlers := range [][]adk.ChatModelAgentMiddleware{nil, {reporting}} {
		helper := agentOf(&adk.ChatModelAgentConfig{
			Name: "helper", Model: answering(saying("It is sunny.")), Handlers: handlers,
		})
		run(agentOf(&adk.ChatModelAgentConfig{
			Model:       answering(calling("helper"), saying("done")),
			ToolsConfig: withTools(adk.NewAgentTool(context.Background(), helper)),
		}))
	}

	// Output:
	// assistant: "" calls helper
	// tool helper: "It is sunny."
	// assistant: "done"
	// assistant: "" calls helper
	// tool helper: ""
	// assistant: "done"
}
