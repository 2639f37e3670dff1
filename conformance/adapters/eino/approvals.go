package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// gate is a middleware that lets calls wait for the decision of a person. eino has none, and shows how to write it.
type gate[M adk.MessageType] struct {
	*adk.TypedBaseChatModelAgentMiddleware[M]
	asking map[string]bool // the names of the tools whose calls need approval
}

// waiting are the arguments of a call that waits. eino requires the types in a checkpoint to be registered.
type waiting struct{ Args string }

func init() { schema.RegisterName[waiting]("loopspec_waiting") }

// gateOf makes the gate of an agent that has tools that need approval; it is the first handler of the agent.
func gateOf[M adk.MessageType](tools []*loopspec.ToolDouble) ([]adk.TypedChatModelAgentMiddleware[M], error) {
	asking := map[string]bool{}
	for _, double := range tools {
		if !double.Spec.Approval {
			continue
		}
		info, err := double.Info()
		if err != nil {
			return nil, err
		}
		asking[info.Name] = true
	}
	if len(asking) == 0 {
		return nil, nil
	}
	return []adk.TypedChatModelAgentMiddleware[M]{&gate[M]{&adk.TypedBaseChatModelAgentMiddleware[M]{}, asking}}, nil
}

// WrapInvokableToolCall asks before a call of an invokable tool.
func (g *gate[M]) WrapInvokableToolCall(_ context.Context, inner adk.InvokableToolCallEndpoint, call *adk.ToolContext) (adk.InvokableToolCallEndpoint, error) {
	if !g.asking[call.Name] {
		return inner, nil
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (string, error) {
		return decided(ctx, call, args, invokable, func(args string) (string, error) { return inner(ctx, args, opts...) })
	}, nil
}

// WrapStreamableToolCall asks before a call of a streamable tool.
func (g *gate[M]) WrapStreamableToolCall(_ context.Context, inner adk.StreamableToolCallEndpoint, call *adk.ToolContext) (adk.StreamableToolCallEndpoint, error) {
	if !g.asking[call.Name] {
		return inner, nil
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (*schema.StreamReader[string], error) {
		return decided(ctx, call, args, streamable, func(args string) (*schema.StreamReader[string], error) {
			return inner(ctx, args, opts...)
		})
	}, nil
}

// WrapEnhancedInvokableToolCall asks before a call of an enhanced invokable tool.
func (g *gate[M]) WrapEnhancedInvokableToolCall(_ context.Context, inner adk.EnhancedInvokableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedInvokableToolCallEndpoint, error) {
	if !g.asking[call.Name] {
		return inner, nil
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.ToolResult, error) {
		return decided(ctx, call, args.Text, enhancedInvokable, func(args string) (*schema.ToolResult, error) {
			return inner(ctx, &schema.ToolArgument{Text: args}, opts...)
		})
	}, nil
}

// WrapEnhancedStreamableToolCall asks before a call of an enhanced streamable tool.
func (g *gate[M]) WrapEnhancedStreamableToolCall(_ context.Context, inner adk.EnhancedStreamableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedStreamableToolCallEndpoint, error) {
	if !g.asking[call.Name] {
		return inner, nil
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
		return decided(ctx, call, args.Text, enhancedStreamable, func(args string) (*schema.StreamReader[*schema.ToolResult], error) {
			return inner(ctx, &schema.ToolArgument{Text: args}, opts...)
		})
	}, nil
}

// decided interrupts the run until the call has a decision, and carries it out: the result of a denied call is the
// reason.
func decided[T any](
	ctx context.Context, call *adk.ToolContext, args string, endpoint loopspec.ToolEndpoint[T], inner func(args string) (T, error),
) (result T, err error) {
	_, _, kept := tool.GetInterruptState[waiting](ctx)
	resumed, has, answer := tool.GetResumeContext[any](ctx)
	if !resumed || !has {
		return result, tool.StatefulInterrupt(ctx, loopspec.WaitingCall(call.Name, call.CallID), waiting{args})
	}
	decision, err := loopspec.DecisionOf(answer)
	switch {
	case err != nil:
		return result, err
	case !decision.Approved:
		denied := loopspec.ToolAnswer{Text: decision.Reason, Parts: []loopspec.Part{{Text: decision.Reason}}}
		return endpoint.Make(denied), nil
	case decision.Arguments != nil:
		return inner(*decision.Arguments)
	}
	return inner(kept.Args)
}
