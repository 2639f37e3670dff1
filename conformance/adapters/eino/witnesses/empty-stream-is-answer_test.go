package witnesses

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// silent is a model that returns neither an answer nor an error.
type silent struct{}

func (silent) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	return nil, nil
}

func (silent) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return schema.StreamReaderFromArray([]*schema.Message{}), nil
}

// A model returns nothing: the run fails, and a streaming run succeeds with an empty message.
func Example_emptyStreamIsAnswer() {
	ctx := context.Background()
	agent := agentOf(&adk.ChatModelAgentConfig{Model: silent{}})
	for _, streaming := range []bool{false, true} {
		events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent, EnableStreaming: streaming}).Query(ctx, "hi")
		fmt.Println("streaming:", streaming)
		for event, ok := events.Next(); ok; event, ok = events.Next() {
			if event.Err != nil {
				fmt.Println("the run fails")
			} else {
				fmt.Printf("the message: %q\n", must(event.Output.MessageOutput.GetMessage()).Content)
			}
		}
	}

	// Output:
	// streaming: false
	// the run fails
	// streaming: true
	// the message: ""
}
