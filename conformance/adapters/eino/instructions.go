package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/compose"
	"loopspec/kits/go/loopspec"
)

type loaded struct {
	Value *text           `json:"value,omitempty"`
	Error *loopspec.Error `json:"error,omitempty"`
}

type text struct {
	Text string `json:"text"`
}

// load runs the middleware on an empty conversation: eino's loader has no other entry.
func load(in *loopspec.Case, params json.RawMessage) (any, error) {
	var sent struct {
		Files    []string `json:"files"`
		MaxBytes int      `json:"maxBytes"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	ctx := loopspec.InCase(context.Background(), in)
	config := configOf(in, &loopspec.InstructionsConfig{Files: &sent.Files, MaxBytes: &sent.MaxBytes})
	middleware, err := agentsmd.New(ctx, config)
	if err != nil {
		return loaded{Error: in.Refusal(err)}, nil
	}
	_, after, err := middleware.BeforeModelRewriteState(ctx, &adk.ChatModelAgentState{}, nil)
	if err != nil {
		return loaded{Error: in.Describe(err)}, nil
	}
	all := ""
	for _, one := range after.Messages {
		all += one.Content
	}
	return loaded{Value: &text{all}}, nil
}

type hookReply struct {
	Messages []loopspec.Message `json:"value,omitempty"`
	Error    *loopspec.Error    `json:"error,omitempty"`
}

// hook is a middleware, of either message type, whose hook the harness calls.
type hook interface {
	beforeModel(ctx context.Context, messages []loopspec.Message) hookReply
	in(run string) *graph
}

func createMiddleware(in *loopspec.Case, params json.RawMessage) (any, error) {
	var sent struct {
		MessageType string                       `json:"messageType"`
		Config      *loopspec.InstructionsConfig `json:"config"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	if sent.MessageType == "agentic" {
		return newHook[adk.AgenticMessage](in, sent.Config)
	}
	return newHook[adk.Message](in, sent.Config)
}

func newHook[M adk.MessageType](in *loopspec.Case, config *loopspec.InstructionsConfig) (any, error) {
	made, err := agentsmd.NewTyped[M](context.Background(), configOf(in, config))
	if err != nil {
		return loopspec.Created{Error: in.Refusal(err)}, nil
	}
	return loopspec.Created{Handle: in.Keep(hook(&typedHook[M]{middleware: made, at: in, runs: map[string]*graph{}}))}, nil
}

type typedHook[M adk.MessageType] struct {
	middleware adk.TypedChatModelAgentMiddleware[M]
	at         *loopspec.Case
	mu         sync.Mutex
	runs       map[string]*graph
}

func (h *typedHook[M]) beforeModel(ctx context.Context, messages []loopspec.Message) hookReply {
	before := &adk.TypedChatModelAgentState[M]{Messages: einos[M](messages)}
	_, after, err := h.middleware.BeforeModelRewriteState(ctx, before, nil)
	if err != nil {
		return hookReply{Error: h.at.Describe(err)}
	}
	return hookReply{Messages: wires(after.Messages)}
}

func (h *typedHook[M]) in(run string) *graph {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.runs[run] == nil {
		h.runs[run] = newGraph(loopspec.InRun(context.Background(), h.at, run))
	}
	return h.runs[run]
}

func beforeModel(in *loopspec.Case, params json.RawMessage) (any, error) {
	var sent struct {
		Handle   string                     `json:"handle"`
		Messages []loopspec.Message         `json:"messages"`
		Run      *string                    `json:"run"`
		Ctx      map[string]json.RawMessage `json:"ctx"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	one, ok := in.Kept(sent.Handle).(hook)
	if !ok {
		return nil, fmt.Errorf("there is no %q", sent.Handle)
	}
	if sent.Run == nil {
		return one.beforeModel(loopspec.Carry(loopspec.InCase(context.Background(), in), sent.Ctx), sent.Messages), nil
	}
	defer in.Running(*sent.Run)()
	var result hookReply
	err := one.in(*sent.Run).do(in, func(ctx context.Context) { result = one.beforeModel(loopspec.Carry(ctx, sent.Ctx), sent.Messages) })
	return result, err
}

// graph is the smallest run of eino that the middleware works in: it has the state that holds run-local values. It lasts
// until the case ends.
type graph struct {
	work chan func(ctx context.Context)
}

func newGraph(ctx context.Context) *graph {
	made, in := &graph{make(chan func(context.Context))}, loopspec.CaseOf(ctx)
	chain := compose.NewChain[bool, bool](compose.WithGenLocalState(func(context.Context) *adk.State { return &adk.State{} }))
	chain.AppendLambda(compose.InvokableLambda(func(ctx context.Context, done bool) (bool, error) {
		for {
			select {
			case work := <-made.work:
				work(ctx)
			case <-in.Over():
				return done, nil
			}
		}
	}))
	runnable, err := chain.Compile(ctx)
	if err != nil {
		in.Fault("a graph: %v", err)
		return made
	}
	in.Go(func() {
		if _, err := runnable.Invoke(ctx, true); err != nil {
			in.Fault("a graph: %v", err)
		}
	})
	return made
}

func (g *graph) do(in *loopspec.Case, work func(ctx context.Context)) error {
	done := make(chan struct{})
	select {
	case g.work <- func(ctx context.Context) { defer close(done); work(ctx) }:
		<-done
		return nil
	case <-in.Over():
		return loopspec.ErrCaseOver
	}
}
