package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
)

// After BeforeAgent has removed the only tool, the model still receives it. Its call fails, or runs it for a nil list.
func Example_lastToolRemoved() {
	for _, tools := range [][]tool.BaseTool{{}, nil} {
		fmt.Printf("BeforeAgent sets Tools to %#v\n", tools)
		removing := hooks{beforeAgent: func(_ context.Context, run *adk.ChatModelAgentContext) {
			run.Tools = tools
		}}
		model := answering(calling("weather"), saying("done"))
		run(agentOf(&adk.ChatModelAgentConfig{
			Model: model, ToolsConfig: withTools(returning("weather", "sunny")),
			Handlers: []adk.ChatModelAgentMiddleware{removing},
		}))
		fmt.Println("tools of model call 1:", model.tools[0])
	}

	// Output:
	// BeforeAgent sets Tools to []tool.BaseTool{}
	// assistant: "" calls weather
	// error: tool weather not found in toolsNode indexes
	// tools of model call 1: [weather]
	// BeforeAgent sets Tools to []tool.BaseTool(nil)
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
	// tools of model call 1: [weather]
}
