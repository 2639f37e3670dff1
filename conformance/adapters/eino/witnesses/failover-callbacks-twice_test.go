package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/schema"
)

// With a failover configuration, callbacks report each model call twice.
func Example_failoverCallbacksTwice() {
	handler := callbacks.NewHandlerBuilder().OnStartFn(
		func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackInput) context.Context {
			if info.Component == components.ComponentOfChatModel {
				fmt.Printf("start of a model of type %q\n", info.Type)
			}
			return ctx
		}).Build()
	for _, config := range []*adk.ModelFailoverConfig[*schema.Message]{nil, failover(1, true)} {
		model := answering(saying("done"))
		run(agentOf(&adk.ChatModelAgentConfig{Model: model, ModelFailoverConfig: config}), adk.WithCallbacks(handler))
		fmt.Println("model calls:", len(model.calls))
	}

	// Output:
	// start of a model of type "Scripted"
	// assistant: "done"
	// model calls: 1
	// start of a model of type "FailoverChatModel"
	// start of a model of type "Scripted"
	// assistant: "done"
	// model calls: 1
}
