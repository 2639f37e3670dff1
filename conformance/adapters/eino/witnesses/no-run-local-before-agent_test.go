package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// SetRunLocalValue fails in BeforeAgent, and succeeds in BeforeModelRewriteState.
func Example_noRunLocalBeforeAgent() {
	set := func(ctx context.Context, hook string) {
		err := adk.SetRunLocalValue(ctx, "user", "Ann")
		fmt.Printf("SetRunLocalValue in %s fails: %v\n", hook, err != nil)
	}
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: answering(saying("done")),
		Handlers: []adk.ChatModelAgentMiddleware{hooks{
			beforeAgent: func(ctx context.Context, _ *adk.ChatModelAgentContext) { set(ctx, "BeforeAgent") },
			beforeModel: func(ctx context.Context, _ *adk.ChatModelAgentState) { set(ctx, "BeforeModelRewriteState") },
		}},
	}))

	// Output:
	// SetRunLocalValue in BeforeAgent fails: true
	// SetRunLocalValue in BeforeModelRewriteState fails: false
	// assistant: "done"
}
