package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// The results of the four kinds of tools: how a wrapper reads a result, and makes its own.

var invokable = loopspec.ToolEndpoint[string]{
	Read: func(text *string) (loopspec.ToolAnswer, error) { return loopspec.ToolAnswer{Text: *text}, nil },
	Make: func(answer loopspec.ToolAnswer) string { return answer.Text },
}

var streamable = loopspec.ToolEndpoint[*schema.StreamReader[string]]{
	Read: func(texts **schema.StreamReader[string]) (answer loopspec.ToolAnswer, err error) {
		if *texts == nil {
			return answer, nil
		}
		read, err := copied(texts)
		answer.Text = strings.Join(read, "")
		return answer, err
	},
	Make: func(answer loopspec.ToolAnswer) *schema.StreamReader[string] {
		return schema.StreamReaderFromArray([]string{answer.Text})
	},
}

var enhancedInvokable = loopspec.ToolEndpoint[*schema.ToolResult]{
	Read: func(result **schema.ToolResult) (loopspec.ToolAnswer, error) {
		return loopspec.ToolAnswer{Parts: partsOf(*result)}, nil
	},
	Make: func(answer loopspec.ToolAnswer) *schema.ToolResult { return resultOf(answer.Parts) },
}

var enhancedStreamable = loopspec.ToolEndpoint[*schema.StreamReader[*schema.ToolResult]]{
	Read: func(results **schema.StreamReader[*schema.ToolResult]) (answer loopspec.ToolAnswer, err error) {
		if *results == nil {
			return answer, nil
		}
		read, err := copied(results)
		for _, one := range read {
			answer.Parts = append(answer.Parts, partsOf(one)...)
		}
		return answer, err
	},
	Make: func(answer loopspec.ToolAnswer) *schema.StreamReader[*schema.ToolResult] {
		return schema.StreamReaderFromArray([]*schema.ToolResult{resultOf(answer.Parts)})
	},
}

// toolCall is a call of a tool, as eino passes it to a wrapper.
type toolCall struct {
	name, callID, args string
	opts               []tool.Option
}

// around returns the result of a handler's wrapper around a tool call.
func around[M adk.MessageType, T any](
	ctx context.Context, by *loopspec.HookDouble[M], kind string, call toolCall, endpoint loopspec.ToolEndpoint[T],
	inner func(ctx context.Context, args string, opts []tool.Option) (T, error),
) (T, error) {
	given := settings(call.opts)
	endpoint.Call = func(ctx context.Context, wanted loopspec.ToolRequest) (T, error) {
		opts := call.opts
		if fmt.Sprint(wanted.Options) != fmt.Sprint(given) {
			opts = append(opts[:len(opts):len(opts)], withSettings(wanted.Options))
		}
		return inner(ctx, wanted.Args, opts)
	}
	return loopspec.WrapTool(ctx, by, loopspec.ToolRequest{
		Tool: call.name, CallID: call.callID, Args: call.args, Kind: kind, Options: given, Resumed: resumption(ctx),
	}, endpoint)
}
