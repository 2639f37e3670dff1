package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/cloudwego/eino/adk"
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

// canceller cancels one run, which may not have begun yet.
type canceller struct {
	option    adk.AgentRunOption
	cancel    adk.AgentCancelFunc
	recursive bool // once requested, it stays
}

func (c *activeCase) cancellerOf(run string) *canceller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancels[run] == nil {
		option, cancel := adk.WithCancel()
		c.cancels[run] = &canceller{option: option, cancel: cancel}
	}
	return c.cancels[run]
}

type cancelReply struct {
	Handle      string `json:"handle"`
	Contributed bool   `json:"contributed"`
}

// cancelRun makes a request to cancel and returns the function that answers it. Where eino gives sub-agents time to end,
// it blocks its caller, and the reader must not wait: then the returned function makes the request.
func cancelRun(in *activeCase, params json.RawMessage) (func() cancelReply, error) {
	var sent struct {
		Run       string   `json:"run"`
		Modes     []string `json:"modes"`
		Timeout   *float64 `json:"timeout"`
		Recursive bool     `json:"recursive"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	mode := adk.CancelImmediate
	for _, one := range modes {
		if has(sent.Modes, one.name) {
			mode |= one.mode
		}
	}
	options := []adk.AgentCancelOption{adk.WithAgentCancelMode(mode)}
	if sent.Timeout != nil {
		options = append(options, adk.WithAgentCancelTimeout(time.Duration(*sent.Timeout*float64(time.Second))))
	}
	if sent.Recursive {
		options = append(options, adk.WithRecursive())
	}
	one := in.cancellerOf(sent.Run)
	one.recursive = one.recursive || sent.Recursive
	if one.recursive && mode == adk.CancelImmediate {
		return func() cancelReply { return in.cancelled(one, options) }, nil
	}
	made := in.cancelled(one, options)
	return func() cancelReply { return made }, nil
}

func (c *activeCase) cancelled(one *canceller, options []adk.AgentCancelOption) cancelReply {
	handle, contributed := one.cancel(options...)
	return cancelReply{c.keep(handle), contributed}
}

func waitForCancel(in *activeCase, params json.RawMessage) (any, error) {
	var sent struct {
		Handle string `json:"handle"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	handle, ok := in.kept(sent.Handle).(*adk.CancelHandle)
	if !ok {
		return nil, unknownHandle(sent.Handle)
	}
	ended := make(chan error, 1)
	go func() { ended <- handle.Wait() }()
	select {
	case err := <-ended:
		return map[string]string{"outcome": waited(err)}, nil
	case <-in.over:
		return nil, errCaseOver
	}
}

func waited(err error) string {
	switch {
	case errors.Is(err, adk.ErrCancelTimeout):
		return "timed out"
	case errors.Is(err, adk.ErrExecutionEnded):
		return "ended"
	}
	return "cancelled"
}
