package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
)

// The output key keeps the Content of the final message: it is empty for an enhanced tool, whose result has parts.
func Example_outputKeyIgnoresParts() {
	ctx := context.Background()
	text := returning("weather", "It is sunny.")
	enhanced := multimodal{"weather", parts("It is sunny.")}
	for _, weather := range []tool.BaseTool{text, enhanced} {
		tools := withTools(weather)
		tools.ReturnDirectly = map[string]bool{"weather": true}
		model := answering(saying("done"))
		run[adk.Message](must(adk.NewSequentialAgent(ctx, &adk.SequentialAgentConfig{SubAgents: []adk.Agent{
			agentOf(&adk.ChatModelAgentConfig{
				Name: "first", Model: answering(calling("weather")), ToolsConfig: tools, OutputKey: "answer",
			}),
			agentOf(&adk.ChatModelAgentConfig{Name: "second", Model: model, Instruction: "The answer is '{answer}'."}),
		}})))
		fmt.Println("The second agent receives", described(model.calls[0][0]))
	}

	// Output:
	// assistant: "" calls weather
	// tool weather: "It is sunny."
	// assistant: "done"
	// The second agent receives system: "The answer is 'It is sunny.'."
	// assistant: "" calls weather
	// tool weather: ""
	// assistant: "done"
	// The second agent receives system: "The answer is ''."
}
