package witnesses

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// Of two calls, the first returns and the second fails. The event of the first is lost if its tool returns directly.
func Example_returnDirectlyEventLost() {
	for _, direct := range []bool{false, true} {
		fmt.Println("the tool weather returns directly:", direct)
		returned := make(chan struct{})
		tools := withTools(
			toolFunc{"weather", func(context.Context) (string, error) {
				defer close(returned)
				return "sunny", nil
			}},
			toolFunc{"search", func(context.Context) (string, error) {
				<-returned
				return "", errors.New("broken")
			}},
		)
		if direct {
			tools.ReturnDirectly = map[string]bool{"weather": true}
		}
		run(agentOf(&adk.ChatModelAgentConfig{Model: answering(calling("weather", "search")), ToolsConfig: tools}))
	}

	// Output:
	// the tool weather returns directly: false
	// assistant: "" calls weather calls search
	// tool weather: "sunny"
	// error: failed to invoke tool[name:search id:search]: broken
	// the tool weather returns directly: true
	// assistant: "" calls weather calls search
	// error: failed to invoke tool[name:search id:search]: broken
}
