package witnesses

import (
	"context"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
)

// A run-local value of type []any or map[string]any is rejected, as encoding/gob does not know these types.
func Example_runLocalListsRejected() {
	setting := hooks{beforeModel: func(ctx context.Context, _ *adk.ChatModelAgentState) {
		for _, value := range []any{"Ann", 1, []string{"Ann"}, []any{"Ann"}, map[string]any{}} {
			result := "is set"
			if err := adk.SetRunLocalValue(ctx, "user", value); err != nil {
				result, _, _ = strings.Cut(err.Error(), ",")
			}
			fmt.Printf("%T: %s\n", value, result)
		}
	}}
	run(agentOf(&adk.ChatModelAgentConfig{
		Model: answering(saying("done")), Handlers: []adk.ChatModelAgentMiddleware{setting},
	}))

	// Output:
	// string: is set
	// int: is set
	// []string: is set
	// []interface {}: SetRunLocalValue: the value (type []interface {}) for key "user" is not gob-serializable
	// map[string]interface {}: SetRunLocalValue: the value (type map[string]interface {}) for key "user" is not gob-serializable
	// assistant: "done"
}
