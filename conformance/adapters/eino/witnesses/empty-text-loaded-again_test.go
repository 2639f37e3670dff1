package witnesses

import (
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// A run keeps the loaded text for its later model calls only if the text is not empty.
func Example_emptyTextLoadedAgain() {
	for _, text := range []string{"Be brief.", ""} {
		fmt.Printf("The file contains %q, the model is called 2 times:\n", text)
		run(agentOf(&adk.ChatModelAgentConfig{
			Model:       answering(calling("weather"), saying("done")),
			ToolsConfig: withTools(returning("weather", "sunny")),
			Handlers:    []adk.ChatModelAgentMiddleware{instructed(files{"/a.md": text}, 0, "/a.md")},
		}))
	}

	// Output:
	// The file contains "Be brief.", the model is called 2 times:
	// read /a.md
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
	// The file contains "", the model is called 2 times:
	// read /a.md
	// read /a.md
	// assistant: "" calls weather
	// tool weather: "sunny"
	// assistant: "done"
}
