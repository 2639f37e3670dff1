package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
)

// A session value replaces its key in the instruction of an agent of plain messages, and not of agentic messages.
func Example_agenticInstructionNotRendered() {
	session := adk.WithSessionValues(map[string]any{"user": "Ann"})
	plain := answering(saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{Model: plain, Instruction: "Serve {user}."}), session)
	conversation(plain.calls[0])

	agentic := answering(sayingAgentic("helped"))
	helper := agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{Name: "helper", Model: agentic, Instruction: "Help {user}."})
	outer := answering(callingAgentic("helper", `{"request": "hi"}`), sayingAgentic("done"))
	tools := withTools(adk.NewTypedAgentTool(context.Background(), helper))
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{Model: outer, Instruction: "Serve {user}.", ToolsConfig: tools}), session)
	conversation(outer.calls[0])
	conversation(agentic.calls[0])

	// Output:
	// assistant: "done"
	// - system: "Serve Ann."
	// - user: "hi"
	// assistant: calls helper
	// user: result of helper "helped"
	// assistant: "done"
	// - system: "Serve {user}."
	// - user: "hi"
	// - system: "Help {user}."
	// - user: "hi"
}
