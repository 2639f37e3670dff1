package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// BeforeAgent can remove one of two tools from ReturnDirectly, but not both.
func Example_emptiedReturnDirectly() {
	tools := withTools(returning("weather", "sunny"), returning("search", "found"))
	tools.ReturnDirectly = map[string]bool{"weather": true, "search": true}
	for _, removed := range [][]string{{"weather"}, {"weather", "search"}} {
		fmt.Println("BeforeAgent removes", removed)
		removing := hooks{beforeAgent: func(_ context.Context, run *adk.ChatModelAgentContext) {
			for _, name := range removed {
				delete(run.ReturnDirectly, name)
			}
		}}
		run(agentOf(&adk.ChatModelAgentConfig{
			Model: answering(calling("weather"), saying("done")), ToolsConfig: tools,
			Handlers: []adk.ChatModelAgentMiddleware{removing},
		}))
	}

	// Output:
	// BeforeAgent removes [weather]
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
	// BeforeAgent removes [weather search]
	// assistant: "" calls weather
	// tool weather: "sunny"
}
