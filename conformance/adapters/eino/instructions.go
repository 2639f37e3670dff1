package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/compose"
)

// nobody is where no run can be looked into.
type nobody struct{}

func (nobody) serve(context.Context, string, json.RawMessage) (any, error) {
	return nil, errUnknownMethod
}

type loaded struct {
	Text  *string    `json:"text,omitempty"`
	Error *wireError `json:"error,omitempty"`
}

// load lets the middleware put the instructions into an empty conversation: eino's loader has no other door.
func load(in *caseInHand, params json.RawMessage) (any, error) {
	var said struct {
		Files    []string `json:"files"`
		MaxBytes int      `json:"maxBytes"`
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	ctx := withPlace(context.Background(), &place{in: in})
	config := (&instructionsConfig{Files: &said.Files, MaxBytes: &said.MaxBytes}).eino(in)
	middleware, err := agentsmd.New(ctx, config)
	if err != nil {
		return loaded{Error: refusal(err)}, nil
	}
	_, after, err := middleware.BeforeModelRewriteState(ctx, &adk.ChatModelAgentState{}, nil)
	if err != nil {
		return loaded{Error: told(err)}, nil
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

type hooked struct {
	Messages []message  `json:"messages,omitempty"`
	Error    *wireError `json:"error,omitempty"`
}

// hook is a middleware, of either message type, whose hook the harness calls.
type hook interface {
	beforeModel(ctx context.Context, messages []message) hooked
	in(run string) *graph
}

func createMiddleware(in *caseInHand, params json.RawMessage) (any, error) {
	var said struct {
		MessageType string              `json:"messageType"`
		Config      *instructionsConfig `json:"config"`
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	if said.MessageType == "agentic" {
		return newHook[adk.AgenticMessage](in, said.Config)
	}
	return newHook[adk.Message](in, said.Config)
}

func newHook[M adk.MessageType](in *caseInHand, config *instructionsConfig) (any, error) {
	made, err := agentsmd.NewTyped[M](context.Background(), config.eino(in))
	if err != nil {
		return created{Error: refusal(err)}, nil
	}
	return created{Handle: in.keep(hook(&typedHook[M]{middleware: made, at: in, runs: map[string]*graph{}}))}, nil
}

type typedHook[M adk.MessageType] struct {
	middleware adk.TypedChatModelAgentMiddleware[M]
	at         *caseInHand
	runs       map[string]*graph
}

func (h *typedHook[M]) beforeModel(ctx context.Context, messages []message) hooked {
	before := &adk.TypedChatModelAgentState[M]{Messages: einos[M](messages)}
	_, after, err := h.middleware.BeforeModelRewriteState(ctx, before, nil)
	if err != nil {
		return hooked{Error: told(err)}
	}
	return hooked{Messages: wires(after.Messages)}
}

func (h *typedHook[M]) in(run string) *graph {
	h.at.mu.Lock()
	defer h.at.mu.Unlock()
	if h.runs[run] == nil {
		h.runs[run] = newGraph(withPlace(context.Background(), &place{in: h.at, run: &runInHand{id: run}}))
	}
	return h.runs[run]
}

func beforeModel(in *caseInHand, params json.RawMessage) (any, error) {
	var said struct {
		Handle   string    `json:"handle"`
		Messages []message `json:"messages"`
		Run      *string   `json:"run"`
		Ctx      bag       `json:"ctx"`
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	one, ok := in.kept(said.Handle).(hook)
	if !ok {
		return nil, unknownHandle(said.Handle)
	}
	if said.Run == nil {
		return one.beforeModel(withPlace(context.Background(), &place{in: in, held: said.Ctx}), said.Messages), nil
	}
	defer in.running(*said.Run)()
	var result hooked
	err := one.in(*said.Run).do(in, func(ctx context.Context) { result = one.beforeModel(carrying(ctx, said.Ctx), said.Messages) })
	return result, err
}

// graph is a run of eino's smallest kind, which has what the middleware needs of one: the state that run-local values
// are kept in. It lasts until the case ends.
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

func (g *graph) do(in *caseInHand, work func(ctx context.Context)) error {
	done := make(chan struct{})
	select {
	case g.work <- func(ctx context.Context) { defer close(done); work(ctx) }:
		<-done
		return nil
	case <-in.over:
		return fmt.Errorf("%w", errCaseOver)
	}
}
