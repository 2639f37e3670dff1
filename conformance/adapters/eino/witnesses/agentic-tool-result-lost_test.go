package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
)

// An inner agent ends with the result of a tool that returns directly: it is the result of the agent tool for plain
// messages, and it is lost for agentic messages.
func Example_agenticToolResultLost() {
	ctx := context.Background()
	tools := withTools(returning("weather", "It is sunny."))
	tools.ReturnDirectly = map[string]bool{"weather": true}
	plain := agentOf(&adk.ChatModelAgentConfig{
		Name: "helper", Model: answering(calling("weather")), ToolsConfig: tools,
	})
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: answering(calling("helper"), saying("done")), ToolsConfig: withTools(adk.NewAgentTool(ctx, plain)),
	}))
	agentic := agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Name: "helper", Model: answering(callingAgentic("weather", "{}")), ToolsConfig: tools,
	})
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Model:       answering(callingAgentic("helper", "{}"), sayingAgentic("done")),
		ToolsConfig: withTools(adk.NewTypedAgentTool(ctx, agentic)),
	}))

	// Output:
	// assistant: "" calls helper
	// tool helper: "It is sunny."
	// assistant: "done"
	// assistant: calls helper
	// user: result of helper
	// assistant: "done"
}
