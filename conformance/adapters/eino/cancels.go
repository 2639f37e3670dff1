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
	var said []string
	for _, one := range modes {
		if mode&one.mode != 0 {
			said = append(said, one.name)
		}
	}
	return said
}

// canceller cancels one run, which need not have begun.
type canceller struct {
	option    adk.AgentRunOption
	cancel    adk.AgentCancelFunc
	recursive bool // once asked for, it stays
}

func (c *caseInHand) cancellerOf(run string) *canceller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancels[run] == nil {
		option, cancel := adk.WithCancel()
		c.cancels[run] = &canceller{option: option, cancel: cancel}
	}
	return c.cancels[run]
}

type cancelMade struct {
	Handle      string `json:"handle"`
	Contributed bool   `json:"contributed"`
}

// cancelRun makes a request to cancel and returns how to answer for it. Where eino gives sub-agents a moment to end, it
// keeps its caller waiting, and the reader must not wait: then it is made by the one who answers.
func cancelRun(in *caseInHand, params json.RawMessage) (func() cancelMade, error) {
	var said struct {
		Run       string   `json:"run"`
		Modes     []string `json:"modes"`
		Timeout   *float64 `json:"timeout"`
		Recursive bool     `json:"recursive"`
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	mode := adk.CancelImmediate
	for _, one := range modes {
		if has(said.Modes, one.name) {
			mode |= one.mode
		}
	}
	options := []adk.AgentCancelOption{adk.WithAgentCancelMode(mode)}
	if said.Timeout != nil {
		options = append(options, adk.WithAgentCancelTimeout(time.Duration(*said.Timeout*float64(time.Second))))
	}
	if said.Recursive {
		options = append(options, adk.WithRecursive())
	}
	one := in.cancellerOf(said.Run)
	one.recursive = one.recursive || said.Recursive
	if one.recursive && mode == adk.CancelImmediate {
		return func() cancelMade { return in.cancelled(one, options) }, nil
	}
	made := in.cancelled(one, options)
	return func() cancelMade { return made }, nil
}

func (c *caseInHand) cancelled(one *canceller, options []adk.AgentCancelOption) cancelMade {
	handle, contributed := one.cancel(options...)
	return cancelMade{c.keep(handle), contributed}
}

func waitForCancel(in *caseInHand, params json.RawMessage) (any, error) {
	var said struct {
		Handle string `json:"handle"`
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	handle, ok := in.kept(said.Handle).(*adk.CancelHandle)
	if !ok {
		return nil, unknownHandle(said.Handle)
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
