package witnesses

import "github.com/cloudwego/eino/adk"

// The exit tool works in an agent of plain messages, and fails in an agent of agentic messages.
func Example_exitFailsWithAgentic() {
	call := calling("exit")
	call.ToolCalls[0].Function.Arguments = `{"final_result": "bye"}`
	run(agentOf(&adk.ChatModelAgentConfig{Model: answering(call), Exit: adk.ExitTool{}}))
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Model: answering(callingAgentic("exit", `{"final_result": "bye"}`)), Exit: adk.ExitTool{},
	}))

	// Output:
	// assistant: "" calls exit
	// tool exit: "bye"
	// assistant: calls exit
	// error: failed to invoke tool[name:exit id:exit]: get state from context fail: cannot find state with type: *adk.typedState[*github.com/cloudwego/eino/schema.Message] in states chain, current state type: *adk.typedState[*github.com/cloudwego/eino/schema.AgenticMessage]
}
