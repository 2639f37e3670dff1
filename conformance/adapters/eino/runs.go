package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cloudwego/eino/adk"
	"loopspec/kits/go/loopspec"
)

const checkpointID = "checkpoint"

// Run runs an agent of eino, or resumes a run, and reports the events of eino.
func (adapter[M]) Run(ctx context.Context, agent *built[M], run *loopspec.Run[M]) error {
	r := &reporter[M]{run: run, store: &store{data: run.Checkpoint}}
	defer r.session()
	events, err := begin(ctx, agent, run, r)
	if err != nil {
		run.Outside(err)
		return nil
	}
	for {
		event, more := events.Next()
		if !more {
			return nil
		}
		r.report(event)
	}
}

func begin[M adk.MessageType](ctx context.Context, agent *built[M], run *loopspec.Run[M], r *reporter[M]) (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error) {
	made := adk.NewTypedRunner(adk.TypedRunnerConfig[M]{Agent: agent.agent, EnableStreaming: run.Streaming, CheckPointStore: r.store})
	options := []adk.AgentRunOption{adk.WithCheckPointID(checkpointID)}
	if len(run.Session) > 0 {
		options = append(options, adk.WithSessionValues(run.Session))
	}
	if run.Cancellable {
		options = append(options, cancellationOf(loopspec.CaseOf(ctx), run.ID).option)
	}
	options = append(options, callbacksOf(agent.spec, &r.streams)...)
	if run.Checkpoint != nil {
		return made.ResumeWithParams(ctx, checkpointID, &adk.ResumeParams{Targets: run.Answers}, options...)
	}
	return made.Run(ctx, run.Messages, options...), nil
}

// callbacksOf passes the callbacks of an agent and those of its sub-agents, which eino takes by the name of the agent.
func callbacksOf(agent *loopspec.AgentSpec, reading *sync.WaitGroup) (options []adk.AgentRunOption) {
	if agent.Callbacks {
		options = append(options, adk.WithCallbacks(callbackHandler(agent.Model.Name, reading)))
	}
	inner := map[string][]adk.AgentRunOption{}
	for _, tool := range agent.Tools {
		if tool.Agent == nil {
			continue
		}
		if found := callbacksOf(tool.Agent, reading); len(found) > 0 {
			inner[tool.Agent.Name] = found
		}
	}
	if len(inner) > 0 {
		options = append(options, adk.WithAgentToolRunOptions(inner))
	}
	return options
}

// reporter reports the events of a run.
type reporter[M adk.MessageType] struct {
	run     *loopspec.Run[M]
	store   *store
	streams sync.WaitGroup
}

// session reports the session after the run. Only the contexts that eino calls doubles with hold the session.
func (r *reporter[M]) session() {
	r.streams.Wait()
	if seen := r.run.FirstContext(); seen != nil {
		r.run.SetSession(adk.GetSessionValues(seen))
	}
}

func (r *reporter[M]) report(event *adk.TypedAgentEvent[M]) {
	sent := loopspec.Event[M]{Agent: event.AgentName, Err: event.Err}
	for _, step := range event.RunPath {
		sent.Path = append(sent.Path, step.String())
	}
	if action := event.Action; action != nil {
		sent.Exits = action.Exit
		if action.Interrupted != nil {
			r.run.Interrupted(r.store.data, callsOf(action.Interrupted)...)
			return
		}
	}
	var cancel *adk.CancelError
	if errors.As(event.Err, &cancel) {
		r.run.Cancelled(loopspec.Cancelled{
			Checkpoint: r.store.data, Modes: modesOf(cancel.Info.Mode), Escalated: cancel.Info.Escalated, TimedOut: cancel.Info.Timeout,
		})
	}
	if output := event.Output; output != nil {
		sent.Custom = output.CustomizedOutput
		if variant := output.MessageOutput; variant != nil && variant.IsStreaming {
			r.forward(variant, r.run.Stream(sent))
			return
		} else if variant != nil {
			sent.Message = &variant.Message
		}
	}
	r.run.Report(sent)
}

// forward reports the chunks of an event, next to other events. A panic in eino's stream breaks the stream.
func (r *reporter[M]) forward(variant *adk.TypedMessageVariant[M], to *loopspec.EventStream[M]) {
	r.streams.Add(1)
	go func() {
		defer r.streams.Done()
		var broken error
		defer func() {
			if panicked := recover(); panicked != nil {
				broken = fmt.Errorf("panic: %v", panicked)
			}
			to.Close(broken)
		}()
		defer variant.MessageStream.Close()
		for {
			chunk, err := variant.MessageStream.Recv()
			if err == io.EOF {
				return
			}
			if err != nil {
				broken = err
				return
			}
			to.Send(chunk)
		}
	}()
}

func callsOf(info *adk.InterruptInfo) []loopspec.InterruptedCall {
	var calls []loopspec.InterruptedCall
	for _, one := range info.InterruptContexts {
		if one.IsRootCause {
			calls = append(calls, loopspec.InterruptedCall{ID: one.ID, Info: one.Info})
		}
	}
	return calls
}

// store holds the one checkpoint of a run.
type store struct {
	mu   sync.Mutex
	data []byte
}

// Get returns it.
func (s *store) Get(context.Context, string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data, s.data != nil, nil
}

// Set keeps it.
func (s *store) Set(_ context.Context, _ string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = data
	return nil
}
