package witnesses

import "github.com/cloudwego/eino/adk"

// A call of the exit tool without its required argument final_result ends the run with an empty result.
func Example_exitWithoutResult() {
	call := calling("exit")
	call.ToolCalls[0].Function.Arguments = `{"result": "bye"}`
	run(agentOf(&adk.ChatModelAgentConfig{Model: answering(call, saying("done")), Exit: adk.ExitTool{}}))

	// Output:
	// assistant: "" calls exit
	// tool exit: ""
}
