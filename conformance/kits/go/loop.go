package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A small agent loop, to show the adapter at work. Replace the loop by your own.

var (
	errTooManyCalls = errors.New("there is no answer after the last model call")
	errUnknownTool  = errors.New("the model calls an unknown tool")
)

// Call is the call of a tool.
type Call struct{ ID, Name, Args string }

// Message is a message of a conversation.
type Message struct {
	Role, Text   string
	Calls        []Call
	CallID, Tool string // of a tool's result
}

// Start is what a run starts with.
type Start struct {
	Instruction string
	Tools       []Tool
	Directly    map[string]bool // the tools whose results end the run
}

// State is the conversation, and the tools that the model receives.
type State struct {
	Messages []*Message
	Tools    []Tool
}

// Model answers a conversation.
type Model func(ctx context.Context, request State) (*Message, error)

// CallTool calls a tool.
type CallTool func(ctx context.Context, call Call) (string, error)

// Tool is a tool of an agent.
type Tool struct {
	Name, Description string
	Parameters        map[string]any
	Call              CallTool
}

// Hooks observe and change a run.
type Hooks interface {
	BeforeAgent(ctx context.Context, start Start) (context.Context, Start, error)
	BeforeModel(ctx context.Context, state State) (context.Context, State, error)
	AfterModel(ctx context.Context, state State) (context.Context, State, error)
	AfterAgent(ctx context.Context, state State) (context.Context, State, error)
	AroundModel(inner Model) Model
	AroundTool(inner CallTool) CallTool
}

// Agent calls a model and tools until the model calls no tool.
type Agent struct {
	Start
	Model Model
	Hooks []Hooks
	Limit int // of model calls
}

// Run runs the agent, emits each answer and each result, and returns the final answer.
func (a *Agent) Run(ctx context.Context, messages []*Message, emit func(*Message)) (final *Message, err error) {
	defer recovered(&err)
	start, model := a.Start, a.Model
	for _, hooks := range a.Hooks {
		if ctx, start, err = hooks.BeforeAgent(ctx, start); err != nil {
			return nil, err
		}
	}
	for at := len(a.Hooks) - 1; at >= 0; at-- {
		model = a.Hooks[at].AroundModel(model)
	}
	state := State{Tools: start.Tools}
	if start.Instruction != "" {
		state.Messages = []*Message{{Role: "system", Text: start.Instruction}}
	}
	state.Messages = append(state.Messages, messages...)
	for calls := 0; final == nil; calls++ {
		if calls >= a.Limit {
			return nil, errTooManyCalls
		}
		if state, final, err = a.turn(ctx, start, state, model, emit); err != nil {
			return nil, err
		}
	}
	_, _, err = a.each(ctx, state, Hooks.AfterAgent)
	return final, err
}

// turn calls the model once, and the tools that the model calls. The final answer is nil if the run continues.
func (a *Agent) turn(
	ctx context.Context, start Start, state State, model Model, emit func(*Message),
) (after State, final *Message, err error) {
	calling, state, err := a.each(ctx, state, Hooks.BeforeModel)
	if err != nil {
		return state, nil, err
	}
	answer, err := model(calling, state)
	if err != nil {
		return state, nil, err
	}
	emit(answer)
	state.Messages = append(state.Messages[:len(state.Messages):len(state.Messages)], answer)
	if _, state, err = a.each(calling, state, Hooks.AfterModel); err != nil {
		return state, nil, err
	}
	answer = state.Messages[len(state.Messages)-1]
	if len(answer.Calls) == 0 || len(start.Tools) == 0 {
		return state, answer, nil
	}
	results, err := a.callTools(ctx, answer.Calls, start.Tools, emit)
	if err != nil {
		return state, nil, err
	}
	state.Messages = append(state.Messages, results...)
	for _, result := range results {
		if start.Directly[result.Tool] {
			return state, result, nil
		}
	}
	return state, nil, nil
}

type stateHooks func(Hooks, context.Context, State) (context.Context, State, error)

func (a *Agent) each(ctx context.Context, state State, hook stateHooks) (context.Context, State, error) {
	for _, hooks := range a.Hooks {
		var err error
		if ctx, state, err = hook(hooks, ctx, state); err != nil {
			return ctx, state, err
		}
	}
	return ctx, state, nil
}

// callTools calls tools concurrently and returns the results in the order of the calls.
func (a *Agent) callTools(ctx context.Context, calls []Call, tools []Tool, emit func(*Message)) ([]*Message, error) {
	found := make([]CallTool, len(calls))
	for at, call := range calls {
		for _, tool := range tools {
			if tool.Name == call.Name {
				found[at] = tool.Call
			}
		}
		if found[at] == nil {
			return nil, fmt.Errorf("%w: %s", errUnknownTool, call.Name)
		}
	}
	var group sync.WaitGroup
	results, failures := make([]*Message, len(calls)), make([]error, len(calls))
	for at, call := range calls {
		group.Add(1)
		go func(at int, call Call) {
			defer group.Done()
			defer recovered(&failures[at])
			tool := found[at]
			for one := len(a.Hooks) - 1; one >= 0; one-- {
				tool = a.Hooks[one].AroundTool(tool)
			}
			text, err := tool(ctx, call)
			if failures[at] = err; err == nil {
				results[at] = &Message{Role: "tool", Text: text, CallID: call.ID, Tool: call.Name}
				emit(results[at])
			}
		}(at, call)
	}
	group.Wait()
	return results, errors.Join(failures...)
}

// recovered turns a crash into an error.
func recovered(err *error) {
	if panicked := recover(); panicked != nil {
		*err = fmt.Errorf("crashed: %v", panicked)
	}
}
