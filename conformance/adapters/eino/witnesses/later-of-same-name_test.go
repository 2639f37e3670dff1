package witnesses

import (
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// An agent accepts two tools of one name: the model receives both, and a call runs the later one.
func Example_laterOfSameName() {
	model := answering(calling("search"), saying("done"))
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: model, ToolsConfig: withTools(returning("search", "by the first"), returning("search", "by the second")),
	}))
	fmt.Println("tools of model call 1:", model.tools[0])

	// Output:
	// assistant: "" calls search
	// tool search: "by the second"
	// assistant: "done"
	// tools of model call 1: [search search]
}
