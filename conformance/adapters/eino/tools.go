package main

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// toolOptions are the settings that wrappers add to a call.
type toolOptions struct{ values map[string]any }

func settings(opts []tool.Option) map[string]any {
	return tool.GetImplSpecificOptions(&toolOptions{}, opts...).values
}

func withSettings(values map[string]any) tool.Option {
	return tool.WrapImplSpecificOptFn(func(options *toolOptions) { options.values = values })
}

// scriptedTool is a tool of the harness; the types that embed it have the methods of its kinds.
type scriptedTool[M adk.MessageType] struct{ double *loopspec.ToolDouble }

// Info returns the information that models receive.
func (t *scriptedTool[M]) Info(context.Context) (*schema.ToolInfo, error) {
	info, err := t.double.Info()
	if err != nil {
		return nil, err
	}
	return infoOf(info), nil
}

func requestOf(ctx context.Context, kind, args string, opts []tool.Option) loopspec.ToolRequest {
	return loopspec.ToolRequest{
		CallID: compose.GetToolCallID(ctx), Args: args, Kind: kind, Options: settings(opts), Resumed: resumption(ctx),
	}
}

func (t *scriptedTool[M]) text(ctx context.Context, args string, opts []tool.Option) (string, error) {
	answer, err := t.double.Invoke(ctx, requestOf(ctx, loopspec.Invokable, args, opts))
	if err != nil || answer == nil {
		return "", interrupted(ctx, err)
	}
	return answer.Text, nil
}

func (t *scriptedTool[M]) texts(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[string], error) {
	chunks, err := t.double.Stream(ctx, requestOf(ctx, loopspec.Streamable, args, opts))
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	return stream(chunks, textOf, interruptedIn(ctx)), nil
}

func (t *scriptedTool[M]) result(ctx context.Context, args string, opts []tool.Option) (*schema.ToolResult, error) {
	answer, err := t.double.Invoke(ctx, requestOf(ctx, loopspec.EnhancedInvokable, args, opts))
	if err != nil || answer == nil {
		return nil, interrupted(ctx, err)
	}
	return resultOf(answer.Parts), nil
}

func (t *scriptedTool[M]) results(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	chunks, err := t.double.Stream(ctx, requestOf(ctx, loopspec.EnhancedStreamable, args, opts))
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	return stream(chunks, enhancedOf, interruptedIn(ctx), &loopspec.ToolAnswer{}), nil // eino joins no stream without chunks
}

func textOf(answer *loopspec.ToolAnswer) string {
	if answer == nil {
		return ""
	}
	return answer.Text
}

func enhancedOf(answer *loopspec.ToolAnswer) *schema.ToolResult {
	if answer == nil {
		return nil
	}
	return resultOf(answer.Parts)
}

// resumption is the state of a tool's interrupt, and the caller's answer. States are kept as text: eino requires every
// type in a checkpoint to be registered.
func resumption(ctx context.Context) *loopspec.Resumed {
	again, own, kept := tool.GetInterruptState[string](ctx)
	if !again || !own { // the gate interrupted the run
		return nil
	}
	_, _, answer := tool.GetResumeContext[any](ctx)
	return &loopspec.Resumed{State: loopspec.Native(json.RawMessage(kept)), Data: answer}
}

// interrupted raises eino's interrupt for an interrupt of the double; any other error stays.
func interrupted(ctx context.Context, err error) error {
	if one, ok := err.(*loopspec.Interrupt); ok {
		return tool.StatefulInterrupt(ctx, loopspec.Native(one.Info), string(one.State))
	}
	return err
}

func interruptedIn(ctx context.Context) func(error) error {
	return func(err error) error { return interrupted(ctx, err) }
}
