package main

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

const (
	invokable          = "invokable"
	streamable         = "streamable"
	enhancedInvokable  = "enhanced invokable"
	enhancedStreamable = "enhanced streamable"
)

type callTool struct {
	adapterMessage
	Request toolRequest `json:"request"`
}

// interrupt is the interrupt of a tool.
type interrupt struct {
	Info  json.RawMessage `json:"info"`
	State json.RawMessage `json:"state"`
}

type toolReply struct {
	reply
	Answer    *toolAnswer `json:"answer"`
	Interrupt *interrupt  `json:"interrupt"`
}

// toolOptions are the settings that wrappers add to a call.
type toolOptions struct{ values map[string]any }

func settings(opts []tool.Option) map[string]any {
	return tool.GetImplSpecificOptions(&toolOptions{}, opts...).values
}

func withSettings(values map[string]any) tool.Option {
	return tool.WrapImplSpecificOptFn(func(options *toolOptions) { options.values = values })
}

// scriptedTool is a tool of the harness; the types that embed it have the methods of its kinds.
type scriptedTool[M adk.MessageType] struct{ spec toolSpec }

// Info returns the information that models receive.
func (t *scriptedTool[M]) Info(context.Context) (*schema.ToolInfo, error) {
	if t.spec.InfoError != nil {
		return nil, &scriptedError{*t.spec.InfoError}
	}
	if t.spec.Info == nil {
		return &schema.ToolInfo{Name: t.spec.Name}, nil
	}
	return infoOf(*t.spec.Info), nil
}

func (t *scriptedTool[M]) request(ctx context.Context, kind, args string, opts []tool.Option) callTool {
	request := toolRequest{
		Tool: t.spec.Name, CallID: compose.GetToolCallID(ctx), Args: args, Kind: kind, Options: settings(opts), Resumed: resumption(ctx),
	}
	return callTool{from(ctx), request}
}

func (t *scriptedTool[M]) invoke(ctx context.Context, kind, args string, opts []tool.Option) (*toolAnswer, error) {
	var got toolReply
	if err := ask(ctx, "tool/invoke", t.request(ctx, kind, args, opts), &got, inside[M]{}); err != nil {
		return nil, err
	}
	return got.Answer, interrupted(ctx, got.Interrupt)
}

func (t *scriptedTool[M]) stream(ctx context.Context, kind, args string, opts []tool.Option) (got streamItem, err error) {
	if err := ask(ctx, "tool/stream", t.request(ctx, kind, args, opts), &got, inside[M]{}); err != nil {
		return got, err
	}
	return got, interrupted(ctx, got.Interrupt)
}

func (t *scriptedTool[M]) text(ctx context.Context, args string, opts []tool.Option) (string, error) {
	answer, err := t.invoke(ctx, invokable, args, opts)
	if err != nil || answer == nil {
		return "", err
	}
	return answer.Text, nil
}

func (t *scriptedTool[M]) texts(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[string], error) {
	first, err := t.stream(ctx, streamable, args, opts)
	if err != nil {
		return nil, err
	}
	return stream(ctx, first, inside[M]{}, func(ctx context.Context, item streamItem) (string, error) {
		if item.Answer == nil {
			return "", interrupted(ctx, item.Interrupt)
		}
		return item.Answer.Text, nil
	}), nil
}

func (t *scriptedTool[M]) result(ctx context.Context, args string, opts []tool.Option) (*schema.ToolResult, error) {
	answer, err := t.invoke(ctx, enhancedInvokable, args, opts)
	if err != nil || answer == nil {
		return nil, err
	}
	return resultOf(answer.Parts), nil
}

func (t *scriptedTool[M]) results(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	first, err := t.stream(ctx, enhancedStreamable, args, opts)
	if err != nil {
		return nil, err
	}
	return stream(ctx, first, inside[M]{}, func(ctx context.Context, item streamItem) (*schema.ToolResult, error) {
		if item.Answer == nil {
			return nil, interrupted(ctx, item.Interrupt)
		}
		return resultOf(item.Answer.Parts), nil
	}), nil
}

// resumption is the state of a tool's interrupt, and the caller's answer. States are kept as text: eino requires every
// type in a checkpoint to be registered.
func resumption(ctx context.Context) *resumed {
	again, _, kept := tool.GetInterruptState[string](ctx)
	if !again {
		return nil
	}
	_, _, answer := tool.GetResumeContext[any](ctx)
	return &resumed{State: native(json.RawMessage(kept)), Data: answer}
}

func interrupted(ctx context.Context, one *interrupt) error {
	if one == nil {
		return nil
	}
	return tool.StatefulInterrupt(ctx, native(one.Info), string(one.State))
}
