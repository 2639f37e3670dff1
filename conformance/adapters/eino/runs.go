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
	Shared      int                        `json:"shared"`
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

type stopped struct {
	Checkpoint []byte            `json:"checkpoint,omitempty"`
	Interrupts []interruptedCall `json:"interrupts,omitempty"`
}

type runCancelled struct {
	Checkpoint []byte   `json:"checkpoint,omitempty"`
	Modes      []string `json:"modes,omitempty"`
	Escalated  bool     `json:"escalated,omitempty"`
	TimedOut   bool     `json:"timedOut,omitempty"`
}

type runOver struct {
	Error     *wireError                 `json:"error,omitempty"`
	Session   map[string]json.RawMessage `json:"session,omitempty"`
	Stopped   *stopped                   `json:"stopped,omitempty"`
	Cancelled *runCancelled              `json:"cancelled,omitempty"`
}

type runEvent struct {
	fromAdapter
	Agent   string     `json:"agent"`
	Path    []string   `json:"path,omitempty"`
	Message *message   `json:"message,omitempty"`
	Custom  any        `json:"custom,omitempty"`
	Error   *wireError `json:"error,omitempty"`
	Exits   bool       `json:"exits,omitempty"`
	Stream  *int       `json:"stream,omitempty"`
}

type runChunk struct {
	fromAdapter
	Stream  int        `json:"stream"`
	Message *message   `json:"message,omitempty"`
	Error   *wireError `json:"error,omitempty"`
	End     bool       `json:"end,omitempty"`
}

// runner is an agent, of either message type.
type runner interface {
	run(in *caseInHand, said runAgentParams) runOver
}

type typedRunner[M adk.MessageType] struct {
	agent adk.TypedAgent[M]
	spec  *agentSpec
}

func runAgent(in *caseInHand, params json.RawMessage) (any, error) {
	var said runAgentParams
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	one, ok := in.kept(said.Handle).(runner)
	if !ok {
		return nil, unknownHandle(said.Handle)
	}
	return one.run(in, said), nil
}

// course is a run under way, and what is known of its end so far.
type course[M adk.MessageType] struct {
	ctx     context.Context
	store   *store
	streams sync.WaitGroup
	begun   int
	over    runOver
}

const checkpointID = "checkpoint"

func (r *typedRunner[M]) run(in *caseInHand, said runAgentParams) runOver {
	defer in.running(said.Run)()
	run := &runInHand{id: said.Run}
	held := &store{}
	if said.Checkpoint != nil {
		held.data = *said.Checkpoint
	}
	c := &course[M]{ctx: withPlace(context.Background(), &place{in: in, run: run}), store: held}
	c.follow(func() (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error) { return r.begin(c, in, said) })
	c.streams.Wait()
	c.over.Session = sessionOf(run, said.Session)
	return c.over
}

func (r *typedRunner[M]) begin(c *course[M], in *caseInHand, said runAgentParams) (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error) {
	made := adk.NewTypedRunner(adk.TypedRunnerConfig[M]{Agent: r.agent, EnableStreaming: said.Streaming, CheckPointStore: c.store})
	options := []adk.AgentRunOption{adk.WithCheckPointID(checkpointID)}
	if len(said.Session) > 0 {
		options = append(options, adk.WithSessionValues(natives(said.Session)))
	}
	if said.Cancellable {
		options = append(options, in.cancellerOf(said.Run).option)
	}
	if r.spec.Callbacks {
		options = append(options, adk.WithCallbacks(callbackHandler(r.spec)))
	}
	if said.Checkpoint != nil {
		return made.ResumeWithParams(c.ctx, checkpointID, &adk.ResumeParams{Targets: natives(said.Answers)}, options...)
	}
	return made.Run(c.ctx, conversation[M](in, said), options...), nil
}

// conversation is the caller's list; where the harness says that it is the same one, so is this.
func conversation[M adk.MessageType](in *caseInHand, said runAgentParams) []M {
	if said.Shared == 0 {
		return einos[M](said.Messages)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if there, ok := in.sameLists[said.Shared].([]M); ok {
		return there
	}
	made := einos[M](said.Messages)
	in.sameLists[said.Shared] = made
	return made
}

// follow tells of a run until it ends. A panic that eino lets through to its caller ends it, too.
func (c *course[M]) follow(begin func() (*adk.AsyncIterator[*adk.TypedAgentEvent[M]], error)) {
	defer func() {
		if panicked := recover(); panicked != nil {
			c.over.Error = told(fmt.Errorf("panic in the caller's hands: %v\n%s", panicked, debug.Stack()))
		}
	}()
	events, err := begin()
	if err != nil {
		c.over.Error = told(err)
		return
	}
	for {
		event, more := events.Next()
		if !more {
			return
		}
		c.tell(event)
	}
}

func (c *course[M]) tell(event *adk.TypedAgentEvent[M]) {
	said := runEvent{fromAdapter: from(c.ctx), Agent: event.AgentName}
	for _, step := range event.RunPath {
		said.Path = append(said.Path, step.String())
	}
	if action := event.Action; action != nil {
		said.Exits = action.Exit
		if action.Interrupted != nil {
			c.over.Stopped = &stopped{c.store.data, callsOf(action.Interrupted)}
			return
		}
	}
	if event.Err != nil {
		c.failed(event.Err)
		said.Error = c.over.Error
	}
	if output := event.Output; output != nil {
		said.Custom = output.CustomizedOutput
		if variant := output.MessageOutput; variant != nil && variant.IsStreaming {
			c.stream(said, variant)
			return
		} else if variant != nil {
			told := wire(variant.Message)
			said.Message = &told
		}
	}
	c.notify("run/event", said)
}

func (c *course[M]) notify(method string, said any) { placeOf(c.ctx).in.peer.notify(method, said) }

// stream tells of an event that is a stream, while others go on.
func (c *course[M]) stream(said runEvent, variant *adk.TypedMessageVariant[M]) {
	c.begun++
	number := c.begun
	said.Stream = &number
	c.notify("run/event", said)
	c.streams.Add(1)
	go func() {
		defer c.streams.Done()
		last := runChunk{fromAdapter: said.fromAdapter, Stream: number, End: true}
		defer func() {
			if panicked := recover(); panicked != nil {
				last.End, last.Error = false, told(fmt.Errorf("panic: %v", panicked))
			}
			c.notify("run/chunk", last)
		}()
		defer variant.MessageStream.Close()
		for {
			piece, err := variant.MessageStream.Recv()
			if err == io.EOF {
				return
			}
			if err != nil {
				last.End, last.Error = false, told(err)
				return
			}
			told := wire(piece)
			c.notify("run/chunk", runChunk{fromAdapter: said.fromAdapter, Stream: number, Message: &told})
		}
	}()
}

func (c *course[M]) failed(err error) {
	c.over.Error = told(err)
	var cancel *adk.CancelError
	if errors.As(err, &cancel) {
		c.over.Cancelled = &runCancelled{
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

// sessionOf is the session as the run has left it. eino tells of it in the contexts that it calls others in only.
func sessionOf(run *runInHand, given map[string]json.RawMessage) map[string]json.RawMessage {
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

// Get gives it back.
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
