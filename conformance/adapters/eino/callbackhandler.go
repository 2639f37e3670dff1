package main

import (
	"context"
	"sync"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// callbackHandler reports the real model calls and tool calls, as eino reports them to its callbacks. A run waits for the
// streams that the handler is still reading.
func callbackHandler(model string, reading *sync.WaitGroup) callbacks.Handler {
	report := func(ctx context.Context, info *callbacks.RunInfo, when string) {
		if info == nil {
			return
		}
		switch info.Component {
		case components.ComponentOfChatModel, components.ComponentOfAgenticModel:
			loopspec.Callback(ctx, "model "+when, model, "")
		case components.ComponentOfTool:
			loopspec.Callback(ctx, "tool "+when, info.Name, compose.GetToolCallID(ctx))
		}
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
			reading.Add(1)
			go func() {
				defer reading.Done()
				if _, err := all(chunks); err == nil {
					report(ctx, info, "end")
				}
			}()
			return ctx
		}).
		Build()
}
