package witnesses

import (
	"context"
	"errors"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// breaking is a model whose stream breaks after one chunk.
type breaking struct{ modelFunc }

func (breaking) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	reader, writer := schema.Pipe[*schema.Message](2)
	writer.Send(saying("It is"), nil)
	writer.Send(nil, errors.New("refused"))
	writer.Close()
	return reader, nil
}

// A stream breaks with an error that ShouldFailover rejects: the stream ends with a WillRetryError, and no call follows.
func Example_rejectedErrorAnnouncesRetry() {
	ctx := context.Background()
	agent := agentOf(&adk.ChatModelAgentConfig{Model: breaking{}, ModelFailoverConfig: failover(1, false)})
	printed(adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent, EnableStreaming: true}).Query(ctx, "hi"))

	// Output:
	// broken stream: *adk.WillRetryError: refused
	// error: refused
}
