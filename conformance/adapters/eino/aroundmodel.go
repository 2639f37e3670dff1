package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// WrapModel wraps the handler around a model call.
func (h *handler[M]) WrapModel(ctx context.Context, inner model.BaseModel[M], mc *adk.TypedModelContext[M]) (model.BaseModel[M], error) {
	if !h.double.Has(loopspec.AroundModel) {
		return h.TypedBaseChatModelAgentMiddleware.WrapModel(ctx, inner, mc)
	}
	return &wrappedModel[M]{h, inner, mc}, nil
}

type wrappedModel[M adk.MessageType] struct {
	by    *handler[M]
	inner model.BaseModel[M]
	mc    *adk.TypedModelContext[M]
}

// Generate returns the handler's answer.
func (w *wrappedModel[M]) Generate(ctx context.Context, input []M, opts ...model.Option) (M, error) {
	return w.by.double.AroundModel(ctx, w.call(input, opts), func(ctx context.Context, call loopspec.ModelCall[M]) (none M, err error) {
		inner, err := w.next(ctx, call)
		if err != nil {
			return none, err
		}
		return inner.Generate(ctx, call.Messages, optionsOf(call, opts)...)
	})
}

// Stream returns the handler's answer as a stream.
func (w *wrappedModel[M]) Stream(ctx context.Context, input []M, opts ...model.Option) (*schema.StreamReader[M], error) {
	return loopspec.WrapModel(ctx, w.by.double, w.call(input, opts), true, loopspec.ModelEndpoint[M, *schema.StreamReader[M]]{
		Call: func(ctx context.Context, call loopspec.ModelCall[M]) (*schema.StreamReader[M], error) {
			inner, err := w.next(ctx, call)
			if err != nil {
				return nil, err
			}
			return inner.Stream(ctx, call.Messages, optionsOf(call, opts)...)
		},
		Read: func(pieces **schema.StreamReader[M]) (none M, err error) {
			if *pieces == nil {
				return none, nil
			}
			chunks, err := copied(pieces)
			if err != nil {
				return none, err
			}
			return joined(chunks)
		},
		Make: func(answer M) *schema.StreamReader[M] { return schema.StreamReaderFromArray([]M{answer}) },
	})
}

func (w *wrappedModel[M]) call(input []M, opts []model.Option) loopspec.ModelCall[M] {
	call := callOf(input, opts)
	call.Context = contextOf(w.mc)
	return call
}

// next is the model that the handler calls: the inner one, or an additional one.
func (w *wrappedModel[M]) next(ctx context.Context, call loopspec.ModelCall[M]) (model.BaseModel[M], error) {
	if call.Model == "" {
		return w.inner, nil
	}
	if additional := w.by.additional.models[call.Model]; additional != nil {
		return additional, nil
	}
	loopspec.CaseOf(ctx).Fault("there is no model %s", call.Model)
	return nil, loopspec.ErrCaseOver
}

func joined[M adk.MessageType](chunks []M) (one M, err error) {
	if len(chunks) == 0 {
		return one, nil
	}
	switch read := any(chunks).(type) {
	case []*schema.Message:
		both, err := schema.ConcatMessages(read)
		return any(both).(M), err
	case []*schema.AgenticMessage:
		both, err := schema.ConcatAgenticMessages(read)
		return any(both).(M), err
	}
	return one, nil
}
