package witnesses

import "github.com/cloudwego/eino/adk"

// A session value replaces its key in the instruction of an agent of plain messages, and not of agentic messages.
func Example_agenticInstructionNotRendered() {
	session := adk.WithSessionValues(map[string]any{"user": "Ann"})
	plain := answering(saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{Model: plain, Instruction: "Serve {user}."}), session)
	conversation(plain.calls[0])
	agentic := answering(sayingAgentic("done"))
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{Model: agentic, Instruction: "Serve {user}."}), session)
	conversation(agentic.calls[0])

	// Output:
	// assistant: "done"
	// - system: "Serve Ann."
	// - user: "hi"
	// assistant: "done"
	// - system: "Serve {user}."
	// - user: "hi"
}
