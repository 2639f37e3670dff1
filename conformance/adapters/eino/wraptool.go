package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// WrapInvokableToolCall wraps the handler around a call of an invokable tool.
func (h *handler[M]) WrapInvokableToolCall(ctx context.Context, inner adk.InvokableToolCallEndpoint, call *adk.ToolContext) (adk.InvokableToolCallEndpoint, error) {
	if !h.double.Has(loopspec.AroundTool) {
		return h.TypedBaseChatModelAgentMiddleware.WrapInvokableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (string, error) {
		return around(ctx, h.double, loopspec.Invokable, toolCall{call.Name, call.CallID, args, opts}, invokable,
			func(ctx context.Context, args string, opts []tool.Option) (string, error) {
				return inner(ctx, args, opts...)
			})
	}, nil
}

// WrapStreamableToolCall wraps the handler around a call of a streamable tool.
func (h *handler[M]) WrapStreamableToolCall(ctx context.Context, inner adk.StreamableToolCallEndpoint, call *adk.ToolContext) (adk.StreamableToolCallEndpoint, error) {
	if !h.double.Has(loopspec.AroundTool) {
		return h.TypedBaseChatModelAgentMiddleware.WrapStreamableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (*schema.StreamReader[string], error) {
		return around(ctx, h.double, loopspec.Streamable, toolCall{call.Name, call.CallID, args, opts}, streamable,
			func(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[string], error) {
				return inner(ctx, args, opts...)
			})
	}, nil
}

// WrapEnhancedInvokableToolCall wraps the handler around a call of an enhanced invokable tool.
func (h *handler[M]) WrapEnhancedInvokableToolCall(ctx context.Context, inner adk.EnhancedInvokableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedInvokableToolCallEndpoint, error) {
	if !h.double.Has(loopspec.AroundTool) {
		return h.TypedBaseChatModelAgentMiddleware.WrapEnhancedInvokableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.ToolResult, error) {
		return around(ctx, h.double, loopspec.EnhancedInvokable, toolCall{call.Name, call.CallID, args.Text, opts}, enhancedInvokable,
			func(ctx context.Context, args string, opts []tool.Option) (*schema.ToolResult, error) {
				return inner(ctx, &schema.ToolArgument{Text: args}, opts...)
			})
	}, nil
}

// WrapEnhancedStreamableToolCall wraps the handler around a call of an enhanced streamable tool.
func (h *handler[M]) WrapEnhancedStreamableToolCall(ctx context.Context, inner adk.EnhancedStreamableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedStreamableToolCallEndpoint, error) {
	if !h.double.Has(loopspec.AroundTool) {
		return h.TypedBaseChatModelAgentMiddleware.WrapEnhancedStreamableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
		return around(ctx, h.double, loopspec.EnhancedStreamable, toolCall{call.Name, call.CallID, args.Text, opts}, enhancedStreamable,
			func(ctx context.Context, args string, opts []tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
				return inner(ctx, &schema.ToolArgument{Text: args}, opts...)
			})
	}, nil
}

// toolMiddleware is a middleware of tool calls alone, next to the handlers.
func toolMiddleware[M adk.MessageType](by *loopspec.HookDouble[M]) compose.ToolMiddleware {
	return compose.ToolMiddleware{
		Invokable: func(inner compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.ToolOutput, error) {
				got, err := around(ctx, by, loopspec.Invokable, callIn(call), invokable, func(ctx context.Context, args string, opts []tool.Option) (result string, err error) {
					output, err := inner(ctx, with(call, args, opts))
					if output != nil {
						result = output.Result
					}
					return result, err
				})
				return &compose.ToolOutput{Result: got}, err
			}
		},
		Streamable: func(inner compose.StreamableToolEndpoint) compose.StreamableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.StreamToolOutput, error) {
				got, err := around(ctx, by, loopspec.Streamable, callIn(call), streamable, func(ctx context.Context, args string, opts []tool.Option) (result *schema.StreamReader[string], err error) {
					output, err := inner(ctx, with(call, args, opts))
					if output != nil {
						result = output.Result
					}
					return result, err
				})
				return &compose.StreamToolOutput{Result: got}, err
			}
		},
		EnhancedInvokable: func(inner compose.EnhancedInvokableToolEndpoint) compose.EnhancedInvokableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.EnhancedInvokableToolOutput, error) {
				got, err := around(ctx, by, loopspec.EnhancedInvokable, callIn(call), enhancedInvokable, func(ctx context.Context, args string, opts []tool.Option) (result *schema.ToolResult, err error) {
					output, err := inner(ctx, with(call, args, opts))
					if output != nil {
						result = output.Result
					}
					return result, err
				})
				return &compose.EnhancedInvokableToolOutput{Result: got}, err
			}
		},
		EnhancedStreamable: func(inner compose.EnhancedStreamableToolEndpoint) compose.EnhancedStreamableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.EnhancedStreamableToolOutput, error) {
				got, err := around(ctx, by, loopspec.EnhancedStreamable, callIn(call), enhancedStreamable, func(ctx context.Context, args string, opts []tool.Option) (result *schema.StreamReader[*schema.ToolResult], err error) {
					output, err := inner(ctx, with(call, args, opts))
					if output != nil {
						result = output.Result
					}
					return result, err
				})
				return &compose.EnhancedStreamableToolOutput{Result: got}, err
			}
		},
	}
}

func callIn(call *compose.ToolInput) toolCall {
	return toolCall{call.Name, call.CallID, call.Arguments, call.CallOptions}
}

func with(call *compose.ToolInput, args string, opts []tool.Option) *compose.ToolInput {
	return &compose.ToolInput{Name: call.Name, Arguments: args, CallID: call.CallID, CallOptions: opts}
}
