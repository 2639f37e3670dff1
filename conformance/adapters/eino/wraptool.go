package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// WrapInvokableToolCall wraps the handler around a call of an invokable tool.
func (h *handler[M]) WrapInvokableToolCall(ctx context.Context, inner adk.InvokableToolCallEndpoint, call *adk.ToolContext) (adk.InvokableToolCallEndpoint, error) {
	if !has(h.hooks, "around tool") {
		return h.TypedBaseChatModelAgentMiddleware.WrapInvokableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (string, error) {
		request := toolRequest{Tool: call.Name, CallID: call.CallID, Args: args, Kind: invokable}
		got := around[M](ctx, h.name, request, opts, func(ctx context.Context, args string, opts []tool.Option) (reached toolOutcome) {
			reached.text, reached.err = inner(ctx, args, opts...)
			return reached
		})
		return got.text, got.raised()
	}, nil
}

// WrapStreamableToolCall wraps it around a call of a streamable tool.
func (h *handler[M]) WrapStreamableToolCall(ctx context.Context, inner adk.StreamableToolCallEndpoint, call *adk.ToolContext) (adk.StreamableToolCallEndpoint, error) {
	if !has(h.hooks, "around tool") {
		return h.TypedBaseChatModelAgentMiddleware.WrapStreamableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args string, opts ...tool.Option) (*schema.StreamReader[string], error) {
		request := toolRequest{Tool: call.Name, CallID: call.CallID, Args: args, Kind: streamable}
		got := around[M](ctx, h.name, request, opts, func(ctx context.Context, args string, opts []tool.Option) (reached toolOutcome) {
			reached.texts, reached.err = inner(ctx, args, opts...)
			return reached
		})
		return got.texts, got.raised()
	}, nil
}

// WrapEnhancedInvokableToolCall wraps it around a call of an enhanced invokable tool.
func (h *handler[M]) WrapEnhancedInvokableToolCall(ctx context.Context, inner adk.EnhancedInvokableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedInvokableToolCallEndpoint, error) {
	if !has(h.hooks, "around tool") {
		return h.TypedBaseChatModelAgentMiddleware.WrapEnhancedInvokableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.ToolResult, error) {
		request := toolRequest{Tool: call.Name, CallID: call.CallID, Args: args.Text, Kind: enhancedInvokable}
		got := around[M](ctx, h.name, request, opts, func(ctx context.Context, args string, opts []tool.Option) (reached toolOutcome) {
			reached.result, reached.err = inner(ctx, &schema.ToolArgument{Text: args}, opts...)
			return reached
		})
		return got.result, got.raised()
	}, nil
}

// WrapEnhancedStreamableToolCall wraps it around a call of an enhanced streamable tool.
func (h *handler[M]) WrapEnhancedStreamableToolCall(ctx context.Context, inner adk.EnhancedStreamableToolCallEndpoint, call *adk.ToolContext) (adk.EnhancedStreamableToolCallEndpoint, error) {
	if !has(h.hooks, "around tool") {
		return h.TypedBaseChatModelAgentMiddleware.WrapEnhancedStreamableToolCall(ctx, inner, call)
	}
	return func(ctx context.Context, args *schema.ToolArgument, opts ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
		request := toolRequest{Tool: call.Name, CallID: call.CallID, Args: args.Text, Kind: enhancedStreamable}
		got := around[M](ctx, h.name, request, opts, func(ctx context.Context, args string, opts []tool.Option) (reached toolOutcome) {
			reached.results, reached.err = inner(ctx, &schema.ToolArgument{Text: args}, opts...)
			return reached
		})
		return got.results, got.raised()
	}, nil
}

// toolMiddleware is a middleware of tool calls alone, next to the handlers.
func toolMiddleware[M adk.MessageType](name string) compose.ToolMiddleware {
	return compose.ToolMiddleware{
		Invokable: func(inner compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.ToolOutput, error) {
				got := aroundInput[M](ctx, name, invokable, call, func(ctx context.Context, call *compose.ToolInput) (reached toolOutcome) {
					output, err := inner(ctx, call)
					if reached.err = err; output != nil {
						reached.text = output.Result
					}
					return reached
				})
				return &compose.ToolOutput{Result: got.text}, got.raised()
			}
		},
		Streamable: func(inner compose.StreamableToolEndpoint) compose.StreamableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.StreamToolOutput, error) {
				got := aroundInput[M](ctx, name, streamable, call, func(ctx context.Context, call *compose.ToolInput) (reached toolOutcome) {
					output, err := inner(ctx, call)
					if reached.err = err; output != nil {
						reached.texts = output.Result
					}
					return reached
				})
				return &compose.StreamToolOutput{Result: got.texts}, got.raised()
			}
		},
		EnhancedInvokable: func(inner compose.EnhancedInvokableToolEndpoint) compose.EnhancedInvokableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.EnhancedInvokableToolOutput, error) {
				got := aroundInput[M](ctx, name, enhancedInvokable, call, func(ctx context.Context, call *compose.ToolInput) (reached toolOutcome) {
					output, err := inner(ctx, call)
					if reached.err = err; output != nil {
						reached.result = output.Result
					}
					return reached
				})
				return &compose.EnhancedInvokableToolOutput{Result: got.result}, got.raised()
			}
		},
		EnhancedStreamable: func(inner compose.EnhancedStreamableToolEndpoint) compose.EnhancedStreamableToolEndpoint {
			return func(ctx context.Context, call *compose.ToolInput) (*compose.EnhancedStreamableToolOutput, error) {
				got := aroundInput[M](ctx, name, enhancedStreamable, call, func(ctx context.Context, call *compose.ToolInput) (reached toolOutcome) {
					output, err := inner(ctx, call)
					if reached.err = err; output != nil {
						reached.results = output.Result
					}
					return reached
				})
				return &compose.EnhancedStreamableToolOutput{Result: got.results}, got.raised()
			}
		},
	}
}

func aroundInput[M adk.MessageType](ctx context.Context, name, kind string, call *compose.ToolInput, inner func(ctx context.Context, call *compose.ToolInput) toolOutcome) toolOutcome {
	request := toolRequest{Tool: call.Name, CallID: call.CallID, Args: call.Arguments, Kind: kind}
	return around[M](ctx, name, request, call.CallOptions, func(ctx context.Context, args string, opts []tool.Option) toolOutcome {
		return inner(ctx, &compose.ToolInput{Name: call.Name, Arguments: args, CallID: call.CallID, CallOptions: opts})
	})
}
