package main

import (
	"context"
	"encoding/json"
	"sort"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

type beforeAgent struct {
	adapterMessage
	Handler string `json:"handler"`
	Start   start  `json:"start"`
}

type startReply struct {
	reply
	Start *start `json:"start"`
}

type handlerStateHook struct {
	adapterMessage
	Handler      string        `json:"handler"`
	State        state         `json:"state"`
	ModelContext *modelContext `json:"modelContext,omitempty"`
}

type editReply struct {
	reply
	Edited *edited `json:"edited"`
}

// handler is a handler of the harness. The hooks that it does not have stay eino's own, which do nothing.
type handler[M adk.MessageType] struct {
	*adk.TypedBaseChatModelAgentMiddleware[M]
	name       string
	hooks      []string
	additional additional[M]
}

// additional are the tools that a handler may add to a run, and the models that a wrapper may call.
type additional[M adk.MessageType] struct {
	tools  map[string]tool.BaseTool
	models map[string]model.BaseModel[M]
}

// BeforeAgent calls the harness with the start of a run.
func (h *handler[M]) BeforeAgent(ctx context.Context, given *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	if !has(h.hooks, "before agent") {
		return h.TypedBaseChatModelAgentMiddleware.BeforeAgent(ctx, given)
	}
	sent, tools, err := starting(ctx, given)
	if err != nil {
		return ctx, given, err
	}
	var got startReply
	if err := ask(ctx, "handler/beforeAgent", beforeAgent{from(ctx), h.name, sent}, &got, inside[M]{}); err != nil {
		return ctx, given, err
	}
	ctx = carrying(ctx, got.Ctx)
	if got.Start == nil {
		return ctx, nil, nil
	}
	wanted := *given
	wanted.Instruction = got.Start.Instruction
	if !same(got.Start.Tools, sent.Tools) {
		wanted.Tools = make([]tool.BaseTool, 0, len(got.Start.Tools))
		for _, name := range got.Start.Tools {
			if tools[name] == nil {
				tools[name] = h.additional.tools[name]
			}
			if tools[name] == nil {
				placeOf(ctx).in.peer.fault("there is no tool %s", name)
				continue
			}
			wanted.Tools = append(wanted.Tools, tools[name])
		}
	}
	if !same(got.Start.ReturnDirectly, sent.ReturnDirectly) {
		wanted.ReturnDirectly = map[string]bool{}
		for _, name := range got.Start.ReturnDirectly {
			wanted.ReturnDirectly[name] = true
		}
	}
	if got.Start.ToolSearch == nil {
		wanted.ToolSearchTool = nil
	} else if *got.Start.ToolSearch != value(sent.ToolSearch) {
		wanted.ToolSearchTool = &schema.ToolInfo{Name: *got.Start.ToolSearch}
	}
	return ctx, &wanted, nil
}

func starting(ctx context.Context, given *adk.ChatModelAgentContext) (start, map[string]tool.BaseTool, error) {
	sent := start{Instruction: given.Instruction, Tools: []string{}, ReturnDirectly: []string{}}
	tools := map[string]tool.BaseTool{}
	for _, one := range given.Tools {
		info, err := one.Info(ctx)
		if err != nil {
			return sent, tools, err
		}
		sent.Tools = append(sent.Tools, info.Name)
		tools[info.Name] = one
	}
	for name, directly := range given.ReturnDirectly {
		if directly {
			sent.ReturnDirectly = append(sent.ReturnDirectly, name)
		}
	}
	sort.Strings(sent.ReturnDirectly)
	if given.ToolSearchTool != nil {
		sent.ToolSearch = &given.ToolSearchTool.Name
	}
	return sent, tools, nil
}

// BeforeModelRewriteState calls the harness with the state.
func (h *handler[M]) BeforeModelRewriteState(ctx context.Context, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	if !has(h.hooks, "before model") {
		return h.TypedBaseChatModelAgentMiddleware.BeforeModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, "handler/beforeModel", h.name, given, mc)
}

// AfterModelRewriteState calls the harness with the state after the model call.
func (h *handler[M]) AfterModelRewriteState(ctx context.Context, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	if !has(h.hooks, "after model") {
		return h.TypedBaseChatModelAgentMiddleware.AfterModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, "handler/afterModel", h.name, given, mc)
}

// AfterAgent calls the harness after a run that succeeded. The result is written into the state: eino takes no other.
func (h *handler[M]) AfterAgent(ctx context.Context, given *adk.TypedChatModelAgentState[M]) (context.Context, error) {
	if !has(h.hooks, "after agent") {
		return h.TypedBaseChatModelAgentMiddleware.AfterAgent(ctx, given)
	}
	ctx, wanted, err := rewritten(ctx, "handler/afterAgent", h.name, given, nil)
	if err == nil && wanted != nil {
		*given = *wanted
	}
	return ctx, err
}

// rewritten is the state that a hook returns. A message that stays is the same object.
func rewritten[M adk.MessageType](ctx context.Context, method, name string, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	sent := state{wires(given.Messages), names(given.ToolInfos), names(given.DeferredToolInfos)}
	var got editReply
	if err := ask(ctx, method, handlerStateHook{from(ctx), name, sent, contextOf(mc)}, &got, inside[M]{}); err != nil {
		return ctx, given, err
	}
	ctx = carrying(ctx, got.Ctx)
	if got.Edited == nil {
		return ctx, nil, nil
	}
	wanted := *given
	wanted.Messages = make([]M, 0, len(got.Edited.Messages))
	for _, one := range got.Edited.Messages {
		kept, err := keptOrNew(one, given.Messages)
		if err != nil {
			placeOf(ctx).in.peer.fault("%s: %v", method, err)
		}
		wanted.Messages = append(wanted.Messages, kept)
	}
	wanted.ToolInfos = pickInfos(got.Edited.Tools, given.ToolInfos, given.DeferredToolInfos...)
	wanted.DeferredToolInfos = pickInfos(got.Edited.DeferredTools, given.DeferredToolInfos, given.ToolInfos...)
	return ctx, &wanted, nil
}

func keptOrNew[M adk.MessageType](one json.RawMessage, there []M) (kept M, err error) {
	var at int
	if json.Unmarshal(one, &at) == nil && at < len(there) {
		return there[at], nil
	}
	var sent message
	err = json.Unmarshal(one, &sent)
	return eino[M](sent), err
}

func contextOf[M adk.MessageType](mc *adk.TypedModelContext[M]) *modelContext {
	if mc == nil {
		return nil
	}
	return &modelContext{names(mc.Tools), mc.ModelRetryConfig != nil, mc.ModelFailoverConfig != nil}
}
