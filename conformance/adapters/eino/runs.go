package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/cloudwego/eino/adk"
)

type runAgentParams struct {
	Handle      string                     `json:"handle"`
	Run         string                     `json:"run"`
	Messages    []message                  `json:"messages"`
	SharedList  int                        `json:"sharedList"`
	Session     map[string]json.RawMessage `json:"session"`
	Streaming   bool                       `json:"streaming"`
	Cancellable bool                       `json:"cancellable"`
	Checkpoint  *[]byte                    `json:"checkpoint"`
	Answers     map[string]json.RawMessage `json:"answers"`
}

type interruptedCall struct {
	ID   string `json:"id"`
	Info any    `json:"info,omitempty"`
}

type runInterrupted struct {
	Checkpoint []byte            `json:"checkpoint,omitempty"`
	Interrupts []interruptedCall `json:"interrupts,omitempty"`
}

type runCancelled struct {
	Checkpoint []byte   `json:"checkpoint,omitempty"`
	Modes      []string `json:"modes,omitempty"`
	Escalated  bool     `json:"escalated,omitempty"`
	TimedOut   bool     `json:"timedOut,omitempty"`
}

type runEnded struct {
	Error       *wireError                 `json:"error,omitempty"`
	Session     map[string]json.RawMessage `json:"session,omitempty"`
	Interrupted *runInterrupted            `json:"interrupted,omitempty"`
	Cancelled   *runCancelled              `json:"cancelled,omitempty"`
}

type runEvent struct {
	adapterMessage
	Agent   string     `json:"agent"`
	Path    []string   `json:"path,omitempty"`
	Message *message   `json:"message,omitempty"`
	Custom  any        `json:"custom,omitempty"`
	Error   *wireError `json:"error,omitempty"`
	Exits   bool       `json:"exits,omitempty"`
	Stream  *int       `json:"stream,omitempty"`
}

type runChunk struct {
	adapterMessage
	Stream  int        `json:"stream"`
	Message *message   `json:"message,omitempty"`
	Error   *wireError `json:"error,omitempty"`
	End     bool       `json:"end,omitempty"`
}

// runner is an agent, of either message type.
type runner interface {
	run(in *activeCase, sent runAgentParams) runEnded
}

type typedRunner[M adk.MessageType] struct {
	agent adk.TypedAgent[M]
	spec  *agentSpec
}

func runAgent(in *activeCase, params json.RawMessage) (any, error) {
	var sent runAgentParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	one, ok := in.kept(sent.Handle).(runner)
	if !ok {
		return nil, unknownHandle(sent.Handle)
	}
	return one.run(in, sent), nil
}

// runUnderWay is a run under way, and its end as far as it is known.
type runUnderWay[M adk.MessageType] struct {
	ctx     context.Context
	store   *store
	streams sync.WaitGroup
	begun   int
	ended   runEnded
}

const checkpointID = "checkpoint"

func (r *typedRunner[M]) run(in *activeCase, sent runAgentParams) runEnded {
	defer in.running(sent.Run)()
	run := &activeRun{id: sent.Run}
	held := &store{}
	if sent.Checkpoint != nil {
		held.data = *sent.Checkpoint
	}
	c := &runUnderWay[M]{ctx: withPlace(context.Background(), &place{in: in, run: run}), store: held}
	c.follow(func() (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error) { return r.begin(c, in, sent) })
	c.streams.Wait()
	c.ended.Session = sessionOf(run, sent.Session)
	return c.ended
}

func (r *typedRunner[M]) begin(c *runUnderWay[M], in *activeCase, sent runAgentParams) (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error) {
	made := adk.NewTypedRunner(adk.TypedRunnerConfig[M]{Agent: r.agent, EnableStreaming: sent.Streaming, CheckPointStore: c.store})
	options := []adk.AgentRunOption{adk.WithCheckPointID(checkpointID)}
	if len(sent.Session) > 0 {
		options = append(options, adk.WithSessionValues(natives(sent.Session)))
	}
	if sent.Cancellable {
		options = append(options, in.cancellerOf(sent.Run).option)
	}
	if r.spec.Callbacks {
		options = append(options, adk.WithCallbacks(callbackHandler(r.spec)))
	}
	if sent.Checkpoint != nil {
		return made.ResumeWithParams(c.ctx, checkpointID, &adk.ResumeParams{Targets: natives(sent.Answers)}, options...)
	}
	return made.Run(c.ctx, conversation[M](in, sent), options...), nil
}

// conversation is the caller's list. Runs with the same number of a shared list have the same one.
func conversation[M adk.MessageType](in *activeCase, sent runAgentParams) []M {
	if sent.SharedList == 0 {
		return einos[M](sent.Messages)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if there, ok := in.sharedLists[sent.SharedList].([]M); ok {
		return there
	}
	made := einos[M](sent.Messages)
	in.sharedLists[sent.SharedList] = made
	return made
}

// follow reports a run until it ends. A panic that eino passes to its caller ends it, too.
func (c *runUnderWay[M]) follow(begin func() (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error)) {
	defer func() {
		if panicked := recover(); panicked != nil {
			c.ended.Error = describe(fmt.Errorf("panic in the caller: %v\n%s", panicked, debug.Stack()))
		}
	}()
	events, err := begin()
	if err != nil {
		c.ended.Error = describe(err)
		return
	}
	for {
		event, more := events.Next()
		if !more {
			return
		}
		c.report(event)
	}
}

func (c *runUnderWay[M]) report(event *adk.TypedAgentEvent[M]) {
	sent := runEvent{adapterMessage: from(c.ctx), Agent: event.AgentName}
	for _, step := range event.RunPath {
		sent.Path = append(sent.Path, step.String())
	}
	if action := event.Action; action != nil {
		sent.Exits = action.Exit
		if action.Interrupted != nil {
			c.ended.Interrupted = &runInterrupted{c.store.data, callsOf(action.Interrupted)}
			return
		}
	}
	if event.Err != nil {
		c.failed(event.Err)
		sent.Error = c.ended.Error
	}
	if output := event.Output; output != nil {
		sent.Custom = output.CustomizedOutput
		if variant := output.MessageOutput; variant != nil && variant.IsStreaming {
			c.stream(sent, variant)
			return
		} else if variant != nil {
			whole := wire(variant.Message)
			sent.Message = &whole
		}
	}
	c.notify("run/event", sent)
}

func (c *runUnderWay[M]) notify(method string, sent any) { placeOf(c.ctx).in.peer.notify(method, sent) }

// stream reports an event that is a stream, next to other events.
func (c *runUnderWay[M]) stream(sent runEvent, variant *adk.TypedMessageVariant[M]) {
	c.begun++
	number := c.begun
	sent.Stream = &number
	c.notify("run/event", sent)
	c.streams.Add(1)
	go func() {
		defer c.streams.Done()
		last := runChunk{adapterMessage: sent.adapterMessage, Stream: number, End: true}
		defer func() {
			if panicked := recover(); panicked != nil {
				last.End, last.Error = false, describe(fmt.Errorf("panic: %v", panicked))
			}
			c.notify("run/chunk", last)
		}()
		defer variant.MessageStream.Close()
		for {
			chunk, err := variant.MessageStream.Recv()
			if err == io.EOF {
				return
			}
			if err != nil {
				last.End, last.Error = false, describe(err)
				return
			}
			part := wire(chunk)
			c.notify("run/chunk", runChunk{adapterMessage: sent.adapterMessage, Stream: number, Message: &part})
		}
	}()
}

func (c *runUnderWay[M]) failed(err error) {
	c.ended.Error = describe(err)
	var cancel *adk.CancelError
	if errors.As(err, &cancel) {
		c.ended.Cancelled = &runCancelled{
			Checkpoint: c.store.data, Modes: modesOf(cancel.Info.Mode), Escalated: cancel.Info.Escalated, TimedOut: cancel.Info.Timeout,
		}
	}
}

func callsOf(info *adk.InterruptInfo) []interruptedCall {
	var calls []interruptedCall
	for _, one := range info.InterruptContexts {
		if one.IsRootCause {
			calls = append(calls, interruptedCall{one.ID, one.Info})
		}
	}
	return calls
}

// sessionOf is the session at the end of the run. Only the contexts that eino calls others with hold it.
func sessionOf(run *activeRun, given map[string]json.RawMessage) map[string]json.RawMessage {
	seen := run.seen.Load()
	if seen == nil {
		return given
	}
	left := map[string]json.RawMessage{}
	for key, one := range adk.GetSessionValues(*seen) {
		if text, err := json.Marshal(one); err == nil {
			left[key] = text
		}
	}
	return left
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
