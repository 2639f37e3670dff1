package witnesses

import (
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// A tool with the value false in ReturnDirectly ends the run with its result.
func Example_falseReturnsDirectly() {
	tools := withTools(returning("weather", "sunny"))
	for _, direct := range []map[string]bool{nil, {"weather": false}} {
		fmt.Println("ReturnDirectly:", direct)
		tools.ReturnDirectly = direct
		run(agentOf(&adk.ChatModelAgentConfig{
			Model: answering(calling("weather"), saying("done")), ToolsConfig: tools,
		}))
	}

	// Output:
	// ReturnDirectly: map[]
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
	// ReturnDirectly: map[weather:false]
	// assistant: "" calls weather
	// tool weather: "sunny"
}
