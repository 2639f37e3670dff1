package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// An agent of agentic messages accepts an AgentMiddleware, and never calls its BeforeChatModel and AfterChatModel.
func Example_middlewareIgnoredWithAgentic() {
	middlewares := []adk.AgentMiddleware{{
		BeforeChatModel: func(context.Context, *adk.ChatModelAgentState) error {
			fmt.Println("BeforeChatModel is called")
			return nil
		},
		AfterChatModel: func(context.Context, *adk.ChatModelAgentState) error {
			fmt.Println("AfterChatModel is called")
			return nil
		},
	}}
	fmt.Println("plain messages")
	run(agentOf(&adk.ChatModelAgentConfig{Model: answering(saying("done")), Middlewares: middlewares}))
	fmt.Println("agentic messages")
	run(agentOf(&adk.TypedChatModelAgentConfig[adk.AgenticMessage]{
		Model: answering(sayingAgentic("done")), Middlewares: middlewares,
	}))

	// Output:
	// plain messages
	// BeforeChatModel is called
	// AfterChatModel is called
	// assistant: "done"
	// agentic messages
	// assistant: "done"
}
