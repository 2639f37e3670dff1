package main

import (
	"context"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

type calledBack struct {
	fromAdapter
	What   string  `json:"what"`
	Name   string  `json:"name"`
	CallID *string `json:"callId,omitempty"`
}

// callbackHandler tells of the real model calls and tool calls, as eino tells its callbacks.
func callbackHandler(spec *agentSpec) callbacks.Handler {
	tell := func(ctx context.Context, info *callbacks.RunInfo, when string) {
		if info == nil {
			return
		}
		said := calledBack{fromAdapter: from(ctx)}
		switch info.Component {
		case components.ComponentOfChatModel, components.ComponentOfAgenticModel:
			said.What, said.Name = "model "+when, spec.Model.Name
		case components.ComponentOfTool:
			call := compose.GetToolCallID(ctx)
			said.What, said.Name, said.CallID = "tool "+when, info.Name, &call
		default:
			return
		}
		placeOf(ctx).in.peer.notify("callback", said)
	}
	return callbacks.NewHandlerBuilder().
		OnStartFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackInput) context.Context {
			tell(ctx, info, "start")
			return ctx
		}).
		OnEndFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackOutput) context.Context {
			tell(ctx, info, "end")
			return ctx
		}).
		OnEndWithStreamOutputFn(func(ctx context.Context, info *callbacks.RunInfo, pieces *schema.StreamReader[callbacks.CallbackOutput]) context.Context {
			go func() {
				if _, err := all(pieces); err == nil {
					tell(ctx, info, "end")
				}
			}()
			return ctx
		}).
		Build()
}
