package witnesses

import (
	"context"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
)

// The second of two AgentsMD middlewares inserts the text that the first one has loaded.
func Example_secondMiddlewareInsertsFirst() {
	backend := files{"/a.md": "Answer in French.", "/b.md": "Be brief."}
	removing := hooks{beforeModel: func(_ context.Context, state *adk.ChatModelAgentState) {
		state.Messages = state.Messages[1:] // without the inserted message
	}}
	model := answering(saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: model,
		Handlers: []adk.ChatModelAgentMiddleware{
			instructed(backend, 0, "/a.md"), removing, instructed(backend, 0, "/b.md"),
		},
	}))
	received := model.calls[0][0].Content
	fmt.Println("The model receives the text of /a.md:", strings.Contains(received, "Answer in French."))
	fmt.Println("The model receives the text of /b.md:", strings.Contains(received, "Be brief."))

	// Output:
	// read /a.md
	// assistant: "done"
	// The model receives the text of /a.md: true
	// The model receives the text of /b.md: false
}
