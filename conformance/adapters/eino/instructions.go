package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/compose"
)

// noInside serves no requests within a call.
type noInside struct{}

func (noInside) serve(context.Context, string, json.RawMessage) (any, error) {
	return nil, errUnknownMethod
}

type loaded struct {
	Text  *string    `json:"text,omitempty"`
	Error *wireError `json:"error,omitempty"`
}

// load runs the middleware on an empty conversation: eino's loader has no other entry.
func load(in *activeCase, params json.RawMessage) (any, error) {
	var sent struct {
		Files    []string `json:"files"`
		MaxBytes int      `json:"maxBytes"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	ctx := withPlace(context.Background(), &place{in: in})
	config := (&instructionsConfig{Files: &sent.Files, MaxBytes: &sent.MaxBytes}).eino(in)
	middleware, err := agentsmd.New(ctx, config)
	if err != nil {
		return loaded{Error: refusal(err)}, nil
	}
	_, after, err := middleware.BeforeModelRewriteState(ctx, &adk.ChatModelAgentState{}, nil)
	if err != nil {
		return loaded{Error: describe(err)}, nil
	}
	text := ""
	for _, one := range after.Messages {
		text += one.Content
	}
	return loaded{Text: &text}, nil
}

type created struct {
	Handle string     `json:"handle,omitempty"`
	Error  *wireError `json:"error,omitempty"`
}

type hookReply struct {
	Messages []message  `json:"messages,omitempty"`
	Error    *wireError `json:"error,omitempty"`
}

// hook is a middleware, of either message type, whose hook the harness calls.
type hook interface {
	beforeModel(ctx context.Context, messages []message) hookReply
	in(run string) *graph
}

func createMiddleware(in *activeCase, params json.RawMessage) (any, error) {
	var sent struct {
		MessageType string              `json:"messageType"`
		Config      *instructionsConfig `json:"config"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	if sent.MessageType == "agentic" {
		return newHook[adk.AgenticMessage](in, sent.Config)
	}
	return newHook[adk.Message](in, sent.Config)
}

func newHook[M adk.MessageType](in *activeCase, config *instructionsConfig) (any, error) {
	made, err := agentsmd.NewTyped[M](context.Background(), config.eino(in))
	if err != nil {
		return created{Error: refusal(err)}, nil
	}
	return created{Handle: in.keep(hook(&typedHook[M]{middleware: made, at: in, runs: map[string]*graph{}}))}, nil
}

type typedHook[M adk.MessageType] struct {
	middleware adk.TypedChatModelAgentMiddleware[M]
	at         *activeCase
	runs       map[string]*graph
}

func (h *typedHook[M]) beforeModel(ctx context.Context, messages []message) hookReply {
	before := &adk.TypedChatModelAgentState[M]{Messages: einos[M](messages)}
	_, after, err := h.middleware.BeforeModelRewriteState(ctx, before, nil)
	if err != nil {
		return hookReply{Error: describe(err)}
	}
	return hookReply{Messages: wires(after.Messages)}
}

func (h *typedHook[M]) in(run string) *graph {
	h.at.mu.Lock()
	defer h.at.mu.Unlock()
	if h.runs[run] == nil {
		h.runs[run] = newGraph(withPlace(context.Background(), &place{in: h.at, run: &activeRun{id: run}}))
	}
	return h.runs[run]
}

func beforeModel(in *activeCase, params json.RawMessage) (any, error) {
	var sent struct {
		Handle   string        `json:"handle"`
		Messages []message     `json:"messages"`
		Run      *string       `json:"run"`
		Ctx      contextValues `json:"ctx"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	one, ok := in.kept(sent.Handle).(hook)
	if !ok {
		return nil, unknownHandle(sent.Handle)
	}
	if sent.Run == nil {
		return one.beforeModel(withPlace(context.Background(), &place{in: in, held: sent.Ctx}), sent.Messages), nil
	}
	defer in.running(*sent.Run)()
	var result hookReply
	err := one.in(*sent.Run).do(in, func(ctx context.Context) { result = one.beforeModel(carrying(ctx, sent.Ctx), sent.Messages) })
	return result, err
}

// graph is the smallest run of eino that the middleware works in: it has the state that holds run-local values. It lasts
// until the case ends.
type graph struct {
	work chan func(ctx context.Context)
}

func newGraph(ctx context.Context) *graph {
	made, in := &graph{make(chan func(context.Context))}, placeOf(ctx).in
	chain := compose.NewChain[bool, bool](compose.WithGenLocalState(func(context.Context) *adk.State { return &adk.State{} }))
	chain.AppendLambda(compose.InvokableLambda(func(ctx context.Context, done bool) (bool, error) {
		for {
			select {
			case work := <-made.work:
				work(ctx)
			case <-in.over:
				return done, nil
			}
		}
	}))
	runnable, err := chain.Compile(ctx)
	if err != nil {
		in.peer.fault("a graph: %v", err)
		return made
	}
	in.background.Add(1)
	go func() {
		defer in.background.Done()
		if _, err := runnable.Invoke(ctx, true); err != nil {
			in.peer.fault("a graph: %v", err)
		}
	}()
	return made
}

func (g *graph) do(in *activeCase, work func(ctx context.Context)) error {
	done := make(chan struct{})
	select {
	case g.work <- func(ctx context.Context) { defer close(done); work(ctx) }:
		<-done
		return nil
	case <-in.over:
		return fmt.Errorf("%w", errCaseOver)
	}
}
