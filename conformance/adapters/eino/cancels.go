package main

import (
	"errors"
	"sync"

	"github.com/cloudwego/eino/adk"
	"loopspec/kits/go/loopspec"
)

var modes = []struct {
	name string
	mode adk.CancelMode
}{{"after model", adk.CancelAfterChatModel}, {"after tools", adk.CancelAfterToolCalls}}

func modesOf(mode adk.CancelMode) []string {
	var sent []string
	for _, one := range modes {
		if mode&one.mode != 0 {
			sent = append(sent, one.name)
		}
	}
	return sent
}

// cancellation cancels one run, which may not have begun yet.
type cancellation struct {
	option    adk.AgentRunOption
	cancel    adk.AgentCancelFunc
	mu        sync.Mutex
	recursive bool // once requested, it stays
}

func cancellationOf(in *loopspec.Case, run string) *cancellation {
	one, _ := loopspec.Shared(in, "cancellation of "+run, func() (*cancellation, error) {
		option, cancel := adk.WithCancel()
		in.AtEnd(func() { cancel() }) // with sub-agents, eino gives them time
		return &cancellation{option: option, cancel: cancel}, nil
	})
	return one
}

// canceller cancels runs of eino.
type canceller struct{}

// Cancel makes a request to cancel. Where eino gives sub-agents time to end, eino blocks its caller: then the returned
// function makes the request.
func (canceller) Cancel(in *loopspec.Case, request loopspec.CancelRequest) func() (any, bool) {
	mode := adk.CancelImmediate
	for _, one := range modes {
		if loopspec.Has(request.Modes, one.name) {
			mode |= one.mode
		}
	}
	options := []adk.AgentCancelOption{adk.WithAgentCancelMode(mode)}
	if request.Timeout != nil {
		options = append(options, adk.WithAgentCancelTimeout(*request.Timeout))
	}
	if request.Recursive {
		options = append(options, adk.WithRecursive())
	}
	one := cancellationOf(in, request.Run)
	cancelled := func() (any, bool) {
		handle, contributed := one.cancel(options...)
		return handle, contributed
	}
	one.mu.Lock()
	one.recursive = one.recursive || request.Recursive
	blocks := one.recursive && mode == adk.CancelImmediate
	one.mu.Unlock()
	if blocks {
		return cancelled
	}
	handle, contributed := cancelled()
	return func() (any, bool) { return handle, contributed }
}

// Wait waits for the end of a cancelled run.
func (canceller) Wait(handle any) string {
	err := handle.(*adk.CancelHandle).Wait()
	switch {
	case errors.Is(err, adk.ErrCancelTimeout):
		return "timed out"
	case errors.Is(err, adk.ErrExecutionEnded):
		return "ended"
	}
	return "cancelled"
}
