package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// SendEvent fails in BeforeAgent, and succeeds in BeforeModelRewriteState.
func Example_noEventBeforeAgent() {
	send := func(ctx context.Context, hook string) {
		err := adk.SendEvent(ctx, &adk.AgentEvent{Output: &adk.AgentOutput{CustomizedOutput: "hello from " + hook}})
		fmt.Printf("SendEvent in %s: %v\n", hook, err)
	}
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: answering(saying("done")),
		Handlers: []adk.ChatModelAgentMiddleware{hooks{
			beforeAgent: func(ctx context.Context, _ *adk.ChatModelAgentContext) { send(ctx, "BeforeAgent") },
			beforeModel: func(ctx context.Context, _ *adk.ChatModelAgentState) { send(ctx, "BeforeModelRewriteState") },
		}},
	}))

	// Output:
	// SendEvent in BeforeAgent: TypedSendEvent failed: must be called within a ChatModelAgent Run() or Resume() execution context
	// SendEvent in BeforeModelRewriteState: <nil>
	// custom event: hello from BeforeModelRewriteState
	// assistant: "done"
}
