package main

import (
	"context"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

type callback struct {
	adapterMessage
	What   string  `json:"what"`
	Name   string  `json:"name"`
	CallID *string `json:"callId,omitempty"`
}

// callbackHandler reports the real model calls and tool calls, as eino reports them to its callbacks.
func callbackHandler(spec *agentSpec) callbacks.Handler {
	report := func(ctx context.Context, info *callbacks.RunInfo, when string) {
		if info == nil {
			return
		}
		sent := callback{adapterMessage: from(ctx)}
		switch info.Component {
		case components.ComponentOfChatModel, components.ComponentOfAgenticModel:
			sent.What, sent.Name = "model "+when, spec.Model.Name
		case components.ComponentOfTool:
			call := compose.GetToolCallID(ctx)
			sent.What, sent.Name, sent.CallID = "tool "+when, info.Name, &call
		default:
			return
		}
		placeOf(ctx).in.peer.notify("callback", sent)
	}
	return callbacks.NewHandlerBuilder().
		OnStartFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackInput) context.Context {
			report(ctx, info, "start")
			return ctx
		}).
		OnEndFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackOutput) context.Context {
			report(ctx, info, "end")
			return ctx
		}).
		OnEndWithStreamOutputFn(func(ctx context.Context, info *callbacks.RunInfo, chunks *schema.StreamReader[callbacks.CallbackOutput]) context.Context {
			go func() {
				if _, err := all(chunks); err == nil {
					report(ctx, info, "end")
				}
			}()
			return ctx
		}).
		Build()
}
