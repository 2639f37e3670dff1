package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
)

// An agent tool with WithFullChatHistoryAsInput works for plain messages, and fails for agentic messages.
func Example_noHistoryForAgentic() {
	ctx := context.Background()
	model := answering(saying("helped"))
	helper := agentOf(&adk.ChatModelAgentConfig{Name: "helper", Model: model})
	run(agentOf(&adk.ChatModelAgentConfig{
		Model:       answering(calling("helper"), saying("done")),
		ToolsConfig: withTools(adk.NewAgentTool(ctx, helper, adk.WithFullChatHistoryAsInput())),
	}))
	agentic := agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Name: "helper", Model: answering(sayingAgentic("helped")),
	})
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Model:       answering(callingAgentic("helper", "{}"), sayingAgentic("done")),
		ToolsConfig: withTools(adk.NewTypedAgentTool(ctx, agentic, adk.WithFullChatHistoryAsInput())),
	}))

	// Output:
	// assistant: "" calls helper
	// tool helper: "helped"
	// assistant: "done"
	// assistant: calls helper
	// error: failed to invoke tool[name:helper id:helper]: fullChatHistoryAsInput is only supported for *schema.Message agents
}
