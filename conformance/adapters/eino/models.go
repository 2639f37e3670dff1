package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

type callModel struct {
	adapterMessage
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
	case spec.ReportsCallbacks:
		return &reportingModel[M]{scriptedModel[M]{*spec}}
	}
	return &scriptedModel[M]{*spec}
}

// Generate returns the model's answer.
func (m *scriptedModel[M]) Generate(ctx context.Context, input []M, opts ...model.Option) (answer M, err error) {
	var got modelReply
	asked := callModel{from(ctx), m.spec.Name, requestOf(wires(input), false, opts)}
	if err := ask(ctx, "model/generate", asked, &got, inside[M]{}); err != nil || got.Message == nil {
		return answer, err
	}
	return eino[M](*got.Message), nil
}

// Stream returns the model's answer in chunks.
func (m *scriptedModel[M]) Stream(ctx context.Context, input []M, opts ...model.Option) (*schema.StreamReader[M], error) {
	var got streamItem
	asked := callModel{from(ctx), m.spec.Name, requestOf(wires(input), true, opts)}
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

// reportingModel declares that it reports its calls to callbacks by itself. The harness's double does.
type reportingModel[M adk.MessageType] struct{ scriptedModel[M] }

// IsCallbacksEnabled declares it.
func (*reportingModel[M]) IsCallbacksEnabled() bool { return true }
