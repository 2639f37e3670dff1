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
	fromAdapter
	Handler string `json:"handler"`
	Start   start  `json:"start"`
}

type startReply struct {
	reply
	Start *start `json:"start"`
}

type onState struct {
	fromAdapter
	Handler      string        `json:"handler"`
	State        state         `json:"state"`
	ModelContext *modelContext `json:"modelContext,omitempty"`
}

type editReply struct {
	reply
	Edited *edited `json:"edited"`
}

// handler is a handler of the harness. Hooks that it does not want to be called in stay eino's own, which do nothing.
type handler[M adk.MessageType] struct {
	*adk.TypedBaseChatModelAgentMiddleware[M]
	name   string
	hooks  []string
	spares spares[M]
}

// spares are what a handler may give an agent, or let answer, besides what it has.
type spares[M adk.MessageType] struct {
	tools  map[string]tool.BaseTool
	models map[string]model.BaseModel[M]
}

// BeforeAgent is asked about what a run starts with.
func (h *handler[M]) BeforeAgent(ctx context.Context, given *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	if !has(h.hooks, "before agent") {
		return h.TypedBaseChatModelAgentMiddleware.BeforeAgent(ctx, given)
	}
	said, tools, err := starting(ctx, given)
	if err != nil {
		return ctx, given, err
	}
	var got startReply
	if err := ask(ctx, "handler/beforeAgent", beforeAgent{from(ctx), h.name, said}, &got, inside[M]{}); err != nil {
		return ctx, given, err
	}
	ctx = carrying(ctx, got.Ctx)
	if got.Start == nil {
		return ctx, nil, nil
	}
	wanted := *given
	wanted.Instruction = got.Start.Instruction
	if !same(got.Start.Tools, said.Tools) {
		wanted.Tools = make([]tool.BaseTool, 0, len(got.Start.Tools))
		for _, name := range got.Start.Tools {
			if tools[name] == nil {
				tools[name] = h.spares.tools[name]
			}
			if tools[name] == nil {
				placeOf(ctx).in.peer.fault("there is no tool %s to be had", name)
				continue
			}
			wanted.Tools = append(wanted.Tools, tools[name])
		}
	}
	if !same(got.Start.ReturnDirectly, said.ReturnDirectly) {
		wanted.ReturnDirectly = map[string]bool{}
		for _, name := range got.Start.ReturnDirectly {
			wanted.ReturnDirectly[name] = true
		}
	}
	if got.Start.ToolSearch == nil {
		wanted.ToolSearchTool = nil
	} else if *got.Start.ToolSearch != value(said.ToolSearch) {
		wanted.ToolSearchTool = &schema.ToolInfo{Name: *got.Start.ToolSearch}
	}
	return ctx, &wanted, nil
}

func starting(ctx context.Context, given *adk.ChatModelAgentContext) (start, map[string]tool.BaseTool, error) {
	said := start{Instruction: given.Instruction}
	tools := map[string]tool.BaseTool{}
	for _, one := range given.Tools {
		info, err := one.Info(ctx)
		if err != nil {
			return said, tools, err
		}
		said.Tools = append(said.Tools, info.Name)
		tools[info.Name] = one
	}
	for name, directly := range given.ReturnDirectly {
		if directly {
			said.ReturnDirectly = append(said.ReturnDirectly, name)
		}
	}
	sort.Strings(said.ReturnDirectly)
	if given.ToolSearchTool != nil {
		said.ToolSearch = &given.ToolSearchTool.Name
	}
	return said, tools, nil
}

// BeforeModelRewriteState is asked for the state.
func (h *handler[M]) BeforeModelRewriteState(ctx context.Context, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	if !has(h.hooks, "before model") {
		return h.TypedBaseChatModelAgentMiddleware.BeforeModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, "handler/beforeModel", h.name, given, mc)
}

// AfterModelRewriteState is asked for it after the call.
func (h *handler[M]) AfterModelRewriteState(ctx context.Context, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	if !has(h.hooks, "after model") {
		return h.TypedBaseChatModelAgentMiddleware.AfterModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, "handler/afterModel", h.name, given, mc)
}

// AfterAgent is told that a run has succeeded. What it wants is written into the state: eino takes nothing back.
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

// rewritten asks for the state that a hook wants. What it keeps of it stays the same object.
func rewritten[M adk.MessageType](ctx context.Context, method, name string, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	said := state{wires(given.Messages), names(given.ToolInfos), names(given.DeferredToolInfos)}
	var got editReply
	if err := ask(ctx, method, onState{from(ctx), name, said, contextOf(mc)}, &got, inside[M]{}); err != nil {
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
	var said message
	err = json.Unmarshal(one, &said)
	return eino[M](said), err
}

func contextOf[M adk.MessageType](mc *adk.TypedModelContext[M]) *modelContext {
	if mc == nil {
		return nil
	}
	return &modelContext{names(mc.Tools), mc.ModelRetryConfig != nil, mc.ModelFailoverConfig != nil}
}
