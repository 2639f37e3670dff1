package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// An interrupt with a session value of type []any or map[string]any fails the run and leaves no checkpoint.
func Example_sessionListWithoutCheckpoint() {
	ctx := context.Background()
	for _, value := range []any{"Ann", []any{"Ann"}, map[string]any{}} {
		fmt.Printf("session value of type %T\n", value)
		checkpoints := store{}
		runner := adk.NewRunner(ctx, adk.RunnerConfig{CheckPointStore: checkpoints, Agent: agentOf(&adk.ChatModelAgentConfig{
			Model: answering(calling("weather")), ToolsConfig: withTools(asking("weather", "sunny")),
		})})
		session := adk.WithSessionValues(map[string]any{"user": value})
		printed(runner.Query(ctx, "hi", session, adk.WithCheckPointID("1")))
		fmt.Println("checkpoints:", len(checkpoints))
	}

	// Output:
	// session value of type string
	// assistant: "" calls weather
	// interrupted
	// checkpoints: 1
	// session value of type []interface {}
	// assistant: "" calls weather
	// error: failed to save checkpoint: failed to encode checkpoint: gob: type not registered for interface: []interface {}
	// interrupted
	// checkpoints: 0
	// session value of type map[string]interface {}
	// assistant: "" calls weather
	// error: failed to save checkpoint: failed to encode checkpoint: gob: type not registered for interface: map[string]interface {}
	// interrupted
	// checkpoints: 0
}
