package witnesses

import (
	"errors"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

// With the default MaxRetries of 0, no failover happens.
func Example_failoverNeedsLimit() {
	for _, limit := range []uint{0, 1} {
		fmt.Println("MaxRetries:", limit)
		run(agentOf(&adk.ChatModelAgentConfig{
			Model:               modelFunc(func() (*schema.Message, error) { return nil, errors.New("down") }),
			ModelFailoverConfig: failover(limit, true),
		}))
	}

	// Output:
	// MaxRetries: 0
	// error: down
	// MaxRetries: 1
	// assistant: "from the backup"
}
