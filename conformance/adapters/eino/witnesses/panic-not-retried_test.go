package witnesses

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

// A returned error of a model is retried; a panic of a model ends the run.
func Example_panicNotRetried() {
	for _, failure := range []func() error{
		func() error { return errors.New("busy") },
		func() error { panic("busy") },
	} {
		calls := 0
		model := modelFunc(func() (*schema.Message, error) {
			if calls++; calls == 1 {
				return nil, failure()
			}
			return saying("done"), nil
		})
		run(agentOf(&adk.ChatModelAgentConfig{Model: model, ModelRetryConfig: &adk.ModelRetryConfig{
			MaxRetries: 1, BackoffFunc: func(context.Context, int) time.Duration { return 0 },
		}}))
		fmt.Println("model calls:", calls)
	}

	// Output:
	// assistant: "done"
	// model calls: 2
	// error: panic error: busy
	// model calls: 1
}
