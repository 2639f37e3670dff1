package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// eino recognizes the kinds of a tool by its methods. Plain and enhanced tools have methods with the same names.

type plainTool[M adk.MessageType] struct{ *scriptedTool[M] }

// InvokableRun calls it.
func (t plainTool[M]) InvokableRun(ctx context.Context, args string, opts ...tool.Option) (string, error) {
	return t.text(ctx, args, opts)
}

type streamingTool[M adk.MessageType] struct{ *scriptedTool[M] }

// StreamableRun calls it.
func (t streamingTool[M]) StreamableRun(ctx context.Context, args string, opts ...tool.Option) (*schema.StreamReader[string], error) {
	return t.texts(ctx, args, opts)
}

type plainInBothWays[M adk.MessageType] struct {
	plainTool[M]
	streaming streamingTool[M]
}

// StreamableRun calls it.
func (t plainInBothWays[M]) StreamableRun(ctx context.Context, args string, opts ...tool.Option) (*schema.StreamReader[string], error) {
	return t.streaming.StreamableRun(ctx, args, opts...)
}

type enhancedTool[M adk.MessageType] struct{ *scriptedTool[M] }

// InvokableRun calls it.
func (t enhancedTool[M]) InvokableRun(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.ToolResult, error) {
	return t.result(ctx, args.Text, opts)
}

type enhancedStreamingTool[M adk.MessageType] struct{ *scriptedTool[M] }

// StreamableRun calls it.
func (t enhancedStreamingTool[M]) StreamableRun(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	return t.results(ctx, args.Text, opts)
}

type enhancedInBothWays[M adk.MessageType] struct {
	enhancedTool[M]
	streaming enhancedStreamingTool[M]
}

// StreamableRun calls it.
func (t enhancedInBothWays[M]) StreamableRun(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	return t.streaming.StreamableRun(ctx, args, opts...)
}

func toolOf[M adk.MessageType](double *loopspec.ToolDouble) tool.BaseTool {
	scripted, kinds := &scriptedTool[M]{double}, double.Spec.Kinds
	plain, streams := loopspec.Has(kinds, loopspec.Invokable), loopspec.Has(kinds, loopspec.Streamable)
	enhanced, enhancedStreams := loopspec.Has(kinds, loopspec.EnhancedInvokable), loopspec.Has(kinds, loopspec.EnhancedStreamable)
	switch {
	case enhanced && enhancedStreams:
		return enhancedInBothWays[M]{enhancedTool[M]{scripted}, enhancedStreamingTool[M]{scripted}}
	case enhanced:
		return enhancedTool[M]{scripted}
	case enhancedStreams:
		return enhancedStreamingTool[M]{scripted}
	case plain && streams:
		return plainInBothWays[M]{plainTool[M]{scripted}, streamingTool[M]{scripted}}
	case streams:
		return streamingTool[M]{scripted}
	case plain:
		return plainTool[M]{scripted}
	}
	return scripted // it has no kind: it cannot be called
}
