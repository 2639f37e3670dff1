package witnesses

import (
	"context"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
)

// An immediate cancellation of a resumed run ends it with an error of encoding/gob, and without a new checkpoint.
func Example_cancelledResumeWithoutCheckpoint() {
	ctx := context.Background()
	option, cancel := adk.WithCancel()
	weather := toolFunc{"weather", func(ctx context.Context) (string, error) {
		if interrupted, _, _ := tool.GetInterruptState[any](ctx); !interrupted {
			return "", tool.Interrupt(ctx, "may I?")
		}
		cancel()
		select {} // the tool does not return
	}}
	checkpoints := store{}
	agent := agentOf(&adk.ChatModelAgentConfig{Model: answering(calling("weather")), ToolsConfig: withTools(weather)})
	runner := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent, CheckPointStore: checkpoints})
	printed(runner.Query(ctx, "hi", adk.WithCheckPointID("1")))
	before := string(checkpoints["1"])
	events := must(runner.Resume(ctx, "1", option))
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		text, _, _ := strings.Cut(event.Err.Error(), " of type") // the type is that of one of the repeated nodes
		fmt.Println("error:", text)
	}
	fmt.Println("a new checkpoint:", string(checkpoints["1"]) != before)

	// Output:
	// assistant: "" calls weather
	// interrupted
	// error: failed to set checkpoint: gob: gob: cannot encode nil pointer
	// a new checkpoint: false
}
