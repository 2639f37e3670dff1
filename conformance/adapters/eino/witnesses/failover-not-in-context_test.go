package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// observing prints which configurations its model context has.
type observing struct {
	*adk.BaseChatModelAgentMiddleware
}

func (observing) WrapModel(_ context.Context, inner model.BaseModel[*schema.Message], call *adk.ModelContext) (model.BaseModel[*schema.Message], error) {
	fmt.Println("ModelContext has ModelRetryConfig:", call.ModelRetryConfig != nil)
	fmt.Println("ModelContext has ModelFailoverConfig:", call.ModelFailoverConfig != nil)
	return inner, nil
}

// The ModelContext of a handler has the retry configuration of the agent, and not its failover configuration.
func Example_failoverNotInContext() {
	run(agentOf(&adk.ChatModelAgentConfig{
		Model:               answering(saying("done")),
		Handlers:            []adk.ChatModelAgentMiddleware{observing{}},
		ModelRetryConfig:    &adk.ModelRetryConfig{MaxRetries: 1},
		ModelFailoverConfig: failover(1, true),
	}))

	// Output:
	// ModelContext has ModelRetryConfig: true
	// ModelContext has ModelFailoverConfig: false
	// assistant: "done"
}
