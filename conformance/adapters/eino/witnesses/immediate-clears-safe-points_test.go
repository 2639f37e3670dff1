package witnesses

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// After a request with a safe point and an immediate one, the CancelError has the mode of the immediate one only.
func Example_immediateClearsSafePoints() {
	ctx := context.Background()
	option, cancel := adk.WithCancel()
	ended := make(chan struct{})
	weather := toolFunc{"weather", func(context.Context) (string, error) {
		cancel(adk.WithAgentCancelMode(adk.CancelAfterToolCalls))
		cancel(adk.WithAgentCancelMode(adk.CancelImmediate))
		<-ended
		return "sunny", nil
	}}
	agent := agentOf(&adk.ChatModelAgentConfig{Model: answering(calling("weather")), ToolsConfig: withTools(weather)})
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, "hi", option)
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		var cancelled *adk.CancelError
		if errors.As(event.Err, &cancelled) {
			fmt.Println("Mode is CancelImmediate:", cancelled.Info.Mode == adk.CancelImmediate)
			fmt.Println("Mode has CancelAfterToolCalls:", cancelled.Info.Mode&adk.CancelAfterToolCalls != 0)
			fmt.Println("Escalated:", cancelled.Info.Escalated)
		}
	}
	close(ended)

	// Output:
	// Mode is CancelImmediate: true
	// Mode has CancelAfterToolCalls: false
	// Escalated: true
}
