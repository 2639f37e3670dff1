package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// scriptedModel is a model of the harness.
type scriptedModel[M adk.MessageType] struct{ double *loopspec.ModelDouble[M] }

func modelOf[M adk.MessageType](double *loopspec.ModelDouble[M]) model.BaseModel[M] {
	if double.Spec.ReportsCallbacks {
		return &reportingModel[M]{scriptedModel[M]{double}}
	}
	return &scriptedModel[M]{double}
}

// Generate returns the model's answer.
func (m *scriptedModel[M]) Generate(ctx context.Context, input []M, opts ...model.Option) (M, error) {
	return m.double.Generate(ctx, callOf(input, opts))
}

// Stream returns the model's answer in chunks.
func (m *scriptedModel[M]) Stream(ctx context.Context, input []M, opts ...model.Option) (*schema.StreamReader[M], error) {
	chunks, err := m.double.Stream(ctx, callOf(input, opts))
	if err != nil {
		return nil, err
	}
	return stream(chunks, same[M], same[error]), nil
}

// reportingModel declares that it reports its calls to callbacks by itself. The harness's double does.
type reportingModel[M adk.MessageType] struct{ scriptedModel[M] }

// IsCallbacksEnabled declares it.
func (*reportingModel[M]) IsCallbacksEnabled() bool { return true }
