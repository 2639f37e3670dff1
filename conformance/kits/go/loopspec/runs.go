package loopspec

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync"
)

// runParams is the request to run an agent, or to resume a run.
type runParams struct {
	Handle      string                     `json:"handle"`
	Run         string                     `json:"run"`
	Messages    []Message                  `json:"messages"`
	SharedList  int                        `json:"sharedList"`
	Session     map[string]json.RawMessage `json:"session"`
	Streaming   bool                       `json:"streaming"`
	Cancellable bool                       `json:"cancellable"`
	Checkpoint  *[]byte                    `json:"checkpoint"`
	Answers     map[string]json.RawMessage `json:"answers"`
	Saves       bool                       `json:"saves"`
}

// An InterruptedCall is an interrupt of a run: the id that the answer needs, and the tool's information.
type InterruptedCall struct {
	ID   string `json:"id"`
	Info any    `json:"info,omitempty"`
}

// Cancelled says how a run was cancelled.
type Cancelled struct {
	Checkpoint []byte   `json:"checkpoint,omitempty"`
	Modes      []string `json:"modes,omitempty"`
	Escalated  bool     `json:"escalated,omitempty"`
	TimedOut   bool     `json:"timedOut,omitempty"`
}

type runInterrupted struct {
	Checkpoint []byte            `json:"checkpoint,omitempty"`
	Interrupts []InterruptedCall `json:"interrupts,omitempty"`
}

type runEnded struct {
	Error       *Error                     `json:"error,omitempty"`
	Session     map[string]json.RawMessage `json:"session,omitempty"`
	Interrupted *runInterrupted            `json:"interrupted,omitempty"`
	Cancelled   *Cancelled                 `json:"cancelled,omitempty"`
}

// runner is an agent, of either message type.
type runner interface {
	run(in *Case, sent runParams) runEnded
}

type typedRunner[M, A any] struct {
	adapter AgentAdapter[M, A]
	agent   A
	spec    *AgentSpec
}

func runAgent(in *Case, params json.RawMessage) (any, error) {
	var sent runParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	one, ok := in.Kept(sent.Handle).(runner)
	if !ok {
		return nil, unknownHandle(sent.Handle)
	}
	return one.run(in, sent), nil
}

// A Run is a run of an agent, and the receiver of what happens in the run.
type Run[M any] struct {
	ID          string
	Messages    []M
	Session     map[string]any
	Streaming   bool
	Cancellable bool
	Checkpoint  []byte         // not nil: the run resumes from this checkpoint
	Answers     map[string]any // of a resumed run: the caller's answers by the ids of the interrupts
	Saves       bool           // the run reports what it saves: see Saved

	ctx     context.Context
	active  *activeRun
	in      *Case
	agent   string
	convert Messages[M]

	mu      sync.Mutex
	streams sync.WaitGroup
	begun   int
	ended   runEnded
}

func (r typedRunner[M, A]) run(in *Case, sent runParams) runEnded {
	defer in.Running(sent.Run)()
	run := &Run[M]{
		ID: sent.Run, Session: natives(sent.Session), Streaming: sent.Streaming, Cancellable: sent.Cancellable,
		Saves:   sent.Saves,
		Answers: natives(sent.Answers), active: &activeRun{id: sent.Run}, in: in, agent: r.spec.Name, convert: r.adapter,
	}
	run.ctx = withPlace(context.Background(), &place{in: in, run: run.active})
	run.ended.Session = sent.Session
	if sent.Checkpoint != nil {
		run.Checkpoint = append([]byte{}, *sent.Checkpoint...)
	}
	run.Messages = allFromWire[M](r.adapter, sent.Messages)
	if sent.SharedList != 0 { // runs with the same number of a shared list have the same one
		name := "shared list " + strconv.Itoa(sent.SharedList)
		run.Messages, _ = Shared(in, name, func() ([]M, error) { return run.Messages, nil })
	}
	run.follow(func() error { return r.adapter.Run(run.ctx, r.agent, run) })
	run.streams.Wait()
	return run.ended
}

// follow runs an agent until the run ends. A panic that reaches the caller of the implementation ends the run, too.
func (r *Run[M]) follow(work func() error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			r.Outside(fmt.Errorf("panic in the caller: %v\n%s", panicked, debug.Stack()))
		}
	}()
	if err := work(); err != nil && r.ended.Error == nil {
		r.Report(Event[M]{Err: err})
	}
}

// An Event is an event of a run. Agent is empty for an event of the agent itself.
type Event[M any] struct {
	Agent   string
	Path    []string // of a sub-agent's event: the names of the agents from the outer agent to the sub-agent
	Message *M
	Custom  any
	Err     error
	Exits   bool // the event ends the run by an exit tool
}

type runEvent struct {
	origin
	Agent   string   `json:"agent"`
	Path    []string `json:"path,omitempty"`
	Message *Message `json:"message,omitempty"`
	Custom  any      `json:"custom,omitempty"`
	Error   *Error   `json:"error,omitempty"`
	Exits   bool     `json:"exits,omitempty"`
	Stream  *int     `json:"stream,omitempty"`
}

type runChunk struct {
	origin
	Stream  int      `json:"stream"`
	Message *Message `json:"message,omitempty"`
	Error   *Error   `json:"error,omitempty"`
	End     bool     `json:"end,omitempty"`
}

func (r *Run[M]) event(event Event[M]) runEvent {
	sent := runEvent{origin: origin{Case: r.in.number, Run: r.ID}, Agent: event.Agent, Path: event.Path}
	sent.Custom, sent.Exits, sent.Error = event.Custom, event.Exits, r.in.Describe(event.Err)
	if event.Agent == "" {
		sent.Agent = r.agent
	}
	if sent.Error != nil {
		r.ended.Error = sent.Error
	}
	return sent
}

// Report reports an event. An event with an error ends the run.
func (r *Run[M]) Report(event Event[M]) {
	sent := r.event(event)
	if event.Message == nil {
		r.in.peer.notify("run/event", sent)
		return
	}
	for _, one := range toWire(r.convert, *event.Message) {
		whole := one
		sent.Message = &whole
		r.in.peer.notify("run/event", sent)
	}
}

// Message reports a message of the agent itself: an answer of the model, or the result of a tool.
func (r *Run[M]) Message(message M) { r.Report(Event[M]{Message: &message}) }

// Custom reports a custom event.
func (r *Run[M]) Custom(payload any) { r.Report(Event[M]{Custom: payload}) }

// Final reports the final answer of the run, as the implementation returns the answer to its caller. Without a report,
// the last message of the events is judged as the final answer.
func (r *Run[M]) Final(text string) {
	r.in.peer.notify("run/final", struct {
		origin
		Text string `json:"text"`
	}{origin{Case: r.in.number, Run: r.ID}, text})
}

// Saved reports what the run has saved, before the run continues.
func (r *Run[M]) Saved(checkpoint []byte) {
	r.in.peer.notify("run/saved", struct {
		origin
		Checkpoint []byte `json:"checkpoint"`
	}{origin{Case: r.in.number, Run: r.ID}, checkpoint})
}

// Outside reports an error that ends the run outside its events, such as that of an unusable checkpoint.
func (r *Run[M]) Outside(err error) { r.ended.Error = r.in.Describe(err) }

// Interrupted reports that the run is interrupted and can resume from a checkpoint.
func (r *Run[M]) Interrupted(checkpoint []byte, interrupts ...InterruptedCall) {
	r.ended.Interrupted = &runInterrupted{checkpoint, interrupts}
}

// Cancelled reports that the run is cancelled.
func (r *Run[M]) Cancelled(how Cancelled) { r.ended.Cancelled = &how }

// SetSession reports the session after the run. Without a report, the session is the one that the run began with.
func (r *Run[M]) SetSession(session map[string]any) {
	r.ended.Session = map[string]json.RawMessage{}
	for key, one := range session {
		if text, err := json.Marshal(one); err == nil {
			r.ended.Session[key] = text
		}
	}
}

// FirstContext returns the first context in which the implementation has called a double during the run, or nil.
func (r *Run[M]) FirstContext() context.Context {
	if seen := r.active.seen.Load(); seen != nil {
		return *seen
	}
	return nil
}

// An EventStream is an event that is a stream.
type EventStream[M any] struct {
	run    *Run[M]
	number int
}

// Stream reports an event that is a stream. The run ends only after Close. Several streams can be open.
func (r *Run[M]) Stream(event Event[M]) *EventStream[M] {
	r.mu.Lock()
	r.begun++
	number := r.begun
	r.mu.Unlock()
	sent := r.event(event)
	sent.Stream = &number
	r.streams.Add(1)
	r.in.peer.notify("run/event", sent)
	return &EventStream[M]{r, number}
}

func (s *EventStream[M]) chunk() runChunk {
	return runChunk{origin: origin{Case: s.run.in.number, Run: s.run.ID}, Stream: s.number}
}

// Send reports a chunk.
func (s *EventStream[M]) Send(chunk M) {
	for _, one := range toWire(s.run.convert, chunk) {
		sent, part := s.chunk(), one
		sent.Message = &part
		s.run.in.peer.notify("run/chunk", sent)
	}
}

// Close reports the end of the stream, or the error that breaks the stream.
func (s *EventStream[M]) Close(err error) {
	last := s.chunk()
	last.Error = s.run.in.Describe(err)
	last.End = err == nil
	s.run.in.peer.notify("run/chunk", last)
	s.run.streams.Done()
}
