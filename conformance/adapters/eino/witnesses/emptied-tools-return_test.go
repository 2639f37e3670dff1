package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

// A handler empties ToolInfos: the next model call has no tools, but after an interrupt and a resume it has them again.
func Example_emptiedToolsReturn() {
	ctx := context.Background()
	hiding := hooks{afterModel: func(_ context.Context, state *adk.ChatModelAgentState) {
		state.ToolInfos = []*schema.ToolInfo{}
	}}
	for _, weather := range []toolFunc{returning("weather", "sunny"), asking("weather", "sunny")} {
		model := answering(calling("weather"), saying("done"))
		runner := adk.NewRunner(ctx, adk.RunnerConfig{CheckPointStore: store{}, Agent: agentOf(&adk.ChatModelAgentConfig{
			Model: model, ToolsConfig: withTools(weather), Handlers: []adk.ChatModelAgentMiddleware{hiding},
		})})
		printed(runner.Query(ctx, "hi", adk.WithCheckPointID("1")))
		if len(model.calls) == 1 {
			printed(must(runner.Resume(ctx, "1")))
		}
		fmt.Println("tools of the model calls:", model.tools)
	}

	// Output:
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
	// tools of the model calls: [[weather] []]
	// assistant: "" calls weather
	// interrupted
	// tool weather: "sunny"
	// assistant: "done"
	// tools of the model calls: [[weather] [weather]]
}
