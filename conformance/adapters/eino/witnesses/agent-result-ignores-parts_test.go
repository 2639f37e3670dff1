package witnesses

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
)

// An inner agent ends with the result of an enhanced tool, which has parts: the result of the agent tool is empty.
func Example_agentResultIgnoresParts() {
	text := returning("weather", "It is sunny.")
	enhanced := multimodal{"weather", parts("It is sunny.")}
	for _, weather := range []tool.BaseTool{text, enhanced} {
		tools := withTools(weather)
		tools.ReturnDirectly = map[string]bool{"weather": true}
		helper := agentOf(&adk.ChatModelAgentConfig{
			Name: "helper", Model: answering(calling("weather")), ToolsConfig: tools,
		})
		run(agentOf(&adk.ChatModelAgentConfig{
			Model:       answering(calling("helper"), saying("done")),
			ToolsConfig: withTools(adk.NewAgentTool(context.Background(), helper)),
		}))
	}

	// Output:
	// assistant: "" calls helper
	// tool helper: "It is sunny."
	// assistant: "done"
	// assistant: "" calls helper
	// tool helper: ""
	// assistant: "done"
}
