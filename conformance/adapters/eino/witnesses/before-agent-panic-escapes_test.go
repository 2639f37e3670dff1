package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// A panic in BeforeModelRewriteState becomes an error event; a panic in BeforeAgent is a panic of Run.
func Example_beforeAgentPanicEscapes() {
	defer func() { fmt.Println("Run panics:", recover()) }()
	for _, handler := range []hooks{
		{beforeModel: func(context.Context, *adk.ChatModelAgentState) { panic("in BeforeModelRewriteState") }},
		{beforeAgent: func(context.Context, *adk.ChatModelAgentContext) { panic("in BeforeAgent") }},
	} {
		run(agentOf(&adk.ChatModelAgentConfig{
			Model: answering(saying("done")), Handlers: []adk.ChatModelAgentMiddleware{handler},
		}))
	}

	// Output:
	// error: panic error: in BeforeModelRewriteState
	// Run panics: in BeforeAgent
}
