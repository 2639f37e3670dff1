package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// The result of an agent tool is the answer of the inner agent before its AfterModelRewriteState.
func Example_resultBeforeAfterModel() {
	redacting := hooks{
		afterModel: func(_ context.Context, state *adk.ChatModelAgentState) {
			state.Messages[len(state.Messages)-1] = saying("(removed)")
		},
		afterAgent: func(_ context.Context, state *adk.ChatModelAgentState) {
			fmt.Println("The inner agent ends with", described(state.Messages[len(state.Messages)-1]))
		},
	}
	helper := agentOf(&adk.ChatModelAgentConfig{
		Name: "helper", Model: answering(saying("secret")), Handlers: []adk.ChatModelAgentMiddleware{redacting},
	})
	run(agentOf(&adk.ChatModelAgentConfig{
		Model:       answering(calling("helper"), saying("done")),
		ToolsConfig: withTools(adk.NewAgentTool(context.Background(), helper)),
	}))

	// Output:
	// The inner agent ends with assistant: "(removed)"
	// assistant: "" calls helper
	// tool helper: "secret"
	// assistant: "done"
}
