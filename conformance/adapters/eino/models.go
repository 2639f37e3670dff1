package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

type askModel struct {
	fromAdapter
	Model   string       `json:"model"`
	Request modelRequest `json:"request"`
}

type modelReply struct {
	reply
	Message *message `json:"message"`
}

// scriptedModel is a model of the harness.
type scriptedModel[M adk.MessageType] struct{ spec modelSpec }

func modelOf[M adk.MessageType](spec *modelSpec) model.BaseModel[M] {
	switch {
	case spec == nil:
		return nil
	case spec.Reports:
		return &reportingModel[M]{scriptedModel[M]{*spec}}
	}
	return &scriptedModel[M]{*spec}
}

// Generate asks for an answer.
func (m *scriptedModel[M]) Generate(ctx context.Context, input []M, opts ...model.Option) (answer M, err error) {
	var got modelReply
	asked := askModel{from(ctx), m.spec.Name, requestOf(wires(input), false, opts)}
	if err := ask(ctx, "model/generate", asked, &got, inside[M]{}); err != nil || got.Message == nil {
		return answer, err
	}
	return eino[M](*got.Message), nil
}

// Stream asks for one piece by piece.
func (m *scriptedModel[M]) Stream(ctx context.Context, input []M, opts ...model.Option) (*schema.StreamReader[M], error) {
	var got streamItem
	asked := askModel{from(ctx), m.spec.Name, requestOf(wires(input), true, opts)}
	if err := ask(ctx, "model/stream", asked, &got, inside[M]{}); err != nil {
		return nil, err
	}
	return stream(ctx, got, inside[M]{}, func(_ context.Context, item streamItem) (one M, err error) {
		if item.Message == nil {
			return one, nil
		}
		return chunk[M](*item.Message), nil
	}), nil
}

// reportingModel says to eino that it tells callbacks about its calls by itself. The harness's double does.
type reportingModel[M adk.MessageType] struct{ scriptedModel[M] }

// IsCallbacksEnabled says so.
func (*reportingModel[M]) IsCallbacksEnabled() bool { return true }
