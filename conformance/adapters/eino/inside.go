package main

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// What hooks, wrappers and tools can do inside a run of eino.

func init() { schema.RegisterName[loopspec.RegisteredValue]("loopspec_ticket") }

// SetLocal sets a run-local value.
func (adapter[M]) SetLocal(ctx context.Context, key string, value any) error {
	return adk.SetRunLocalValue(ctx, key, value)
}

// GetLocal reads a run-local value.
func (adapter[M]) GetLocal(ctx context.Context, key string) (any, bool, error) {
	return adk.GetRunLocalValue(ctx, key)
}

// DeleteLocal deletes a run-local value.
func (adapter[M]) DeleteLocal(ctx context.Context, key string) error {
	return adk.DeleteRunLocalValue(ctx, key)
}

// SetSession sets a session value.
func (adapter[M]) SetSession(ctx context.Context, key string, value any) error {
	adk.AddSessionValue(ctx, key, value)
	return nil
}

// GetSession reads a session value.
func (adapter[M]) GetSession(ctx context.Context, key string) (any, bool, error) {
	value, there := adk.GetSessionValue(ctx, key)
	return value, there, nil
}

// SendEvent emits a custom event.
func (adapter[M]) SendEvent(ctx context.Context, payload any) error {
	event := &adk.TypedAgentEvent[M]{Output: &adk.TypedAgentOutput[M]{CustomizedOutput: payload}}
	return adk.TypedSendEvent(ctx, event)
}
