package loopspec

import (
	"context"
	"encoding/json"
)

// The hooks and wrappers that a handler can have.
const (
	BeforeAgent = "before agent"
	BeforeModel = "before model"
	AfterModel  = "after model"
	AfterAgent  = "after agent"
	AroundModel = "around model"
	AroundTool  = "around tool"
)

// A HookDouble is a handler of the harness: its hooks and wrappers. A hook or wrapper that the handler does not have
// calls nothing and changes nothing.
type HookDouble[M any] struct {
	Name    string
	Hooks   []string
	convert Messages[M]
}

// NewHooks returns the handler with a name and hooks.
func NewHooks[M any](convert Messages[M], name string, hooks []string) *HookDouble[M] {
	return &HookDouble[M]{name, hooks, convert}
}

// Has reports whether the handler has a hook or a wrapper.
func (h *HookDouble[M]) Has(hook string) bool { return Has(h.Hooks, hook) }

// BeforeAgent calls the before-agent hook with the start of a run. The result is nil if the hook returns nothing. The
// returned context has the context values that the hook sets: pass it on.
func (h *HookDouble[M]) BeforeAgent(ctx context.Context, start AgentStart) (context.Context, *AgentStart, error) {
	if !h.Has(BeforeAgent) {
		return ctx, &start, nil
	}
	asked := struct {
		origin
		Handler string     `json:"handler"`
		Start   AgentStart `json:"start"`
	}{from(ctx), h.Name, start}
	var got struct {
		reply
		Value *AgentStart `json:"value"`
	}
	if err := ask(ctx, "hook/beforeAgent", asked, &got, inside{h.convert}); err != nil {
		return ctx, nil, err
	}
	return Carry(ctx, got.Ctx), got.Value, nil
}

// A State is what the other hooks receive and return: the conversation, and the names of the tools. Nil tools mean that
// the hook does not receive the tools, and in a returned state, that the hook does not change the tools.
type State[M any] struct {
	Messages      []M
	Tools         []string
	DeferredTools []string
	Context       *ModelContext // what the hook receives about the model call; nil means that it receives nothing
}

// BeforeModel calls the before-model hook. The result is nil if the hook returns nothing; a message that the hook does
// not change is the same object.
func (h *HookDouble[M]) BeforeModel(ctx context.Context, given State[M]) (context.Context, *State[M], error) {
	return h.rewritten(ctx, BeforeModel, given)
}

// AfterModel calls the after-model hook; see BeforeModel.
func (h *HookDouble[M]) AfterModel(ctx context.Context, given State[M]) (context.Context, *State[M], error) {
	return h.rewritten(ctx, AfterModel, given)
}

// AfterAgent calls the after-agent hook; see BeforeModel.
func (h *HookDouble[M]) AfterAgent(ctx context.Context, given State[M]) (context.Context, *State[M], error) {
	return h.rewritten(ctx, AfterAgent, given)
}

type wireState struct {
	Messages      []Message `json:"messages,omitempty"`
	Tools         []string  `json:"tools"`
	DeferredTools []string  `json:"deferredTools,omitempty"`
}

func (h *HookDouble[M]) rewritten(
	ctx context.Context, hook string, given State[M],
) (context.Context, *State[M], error) {
	if !h.Has(hook) {
		return ctx, &given, nil
	}
	before := conversationOf(h.convert, given.Messages)
	asked := struct {
		origin
		Hook         string        `json:"hook"`
		Handler      string        `json:"handler"`
		State        wireState     `json:"state"`
		ModelContext *ModelContext `json:"modelContext,omitempty"`
	}{from(ctx), hook, h.Name, wireState{before.sent, given.Tools, given.DeferredTools}, given.Context}
	var got struct {
		reply
		Value *struct {
			Messages      []json.RawMessage `json:"messages"`
			Tools         []string          `json:"tools"`
			DeferredTools []string          `json:"deferredTools"`
		} `json:"value"`
	}
	if err := ask(ctx, "hook/edit", asked, &got, inside{h.convert}); err != nil {
		return ctx, nil, err
	}
	ctx = Carry(ctx, got.Ctx)
	if got.Value == nil {
		return ctx, nil, nil
	}
	list, err := before.read(got.Value.Messages)
	if err != nil {
		CaseOf(ctx).Fault("%s: %v", hook, err)
	}
	return ctx, &State[M]{before.restored(list), got.Value.Tools, got.Value.DeferredTools, given.Context}, nil
}
