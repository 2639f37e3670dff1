package main

import (
	"context"
	"sort"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// handler is a handler of the harness. The hooks that it does not have stay eino's own, which do nothing.
type handler[M adk.MessageType] struct {
	*adk.TypedBaseChatModelAgentMiddleware[M]
	double     *loopspec.HookDouble[M]
	additional additional[M]
}

// additional are the tools that a handler may add to a run, and the models that a wrapper may call.
type additional[M adk.MessageType] struct {
	tools  map[string]tool.BaseTool
	models map[string]model.BaseModel[M]
}

// BeforeAgent calls the harness with the start of a run.
func (h *handler[M]) BeforeAgent(ctx context.Context, given *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	if !h.double.Has(loopspec.BeforeAgent) {
		return h.TypedBaseChatModelAgentMiddleware.BeforeAgent(ctx, given)
	}
	sent, tools, err := starting(ctx, given)
	if err != nil {
		return ctx, given, err
	}
	ctx, start, err := h.double.BeforeAgent(ctx, sent)
	if err != nil {
		return ctx, given, err
	}
	if start == nil {
		return ctx, nil, nil
	}
	wanted := *given
	if start.Instruction != nil {
		wanted.Instruction = *start.Instruction
	}
	if !equal(start.Tools, sent.Tools) {
		wanted.Tools = make([]tool.BaseTool, 0, len(start.Tools))
		for _, name := range start.Tools {
			if tools[name] == nil {
				tools[name] = h.additional.tools[name]
			}
			if tools[name] == nil {
				loopspec.CaseOf(ctx).Fault("there is no tool %s", name)
				continue
			}
			wanted.Tools = append(wanted.Tools, tools[name])
		}
	}
	if !equal(start.ReturnDirectly, sent.ReturnDirectly) {
		wanted.ReturnDirectly = map[string]bool{}
		for _, name := range start.ReturnDirectly {
			wanted.ReturnDirectly[name] = true
		}
	}
	if start.ToolSearch == nil {
		wanted.ToolSearchTool = nil
	} else if *start.ToolSearch != value(sent.ToolSearch) {
		wanted.ToolSearchTool = &schema.ToolInfo{Name: *start.ToolSearch}
	}
	return ctx, &wanted, nil
}

func starting(ctx context.Context, given *adk.ChatModelAgentContext) (loopspec.AgentStart, map[string]tool.BaseTool, error) {
	sent := loopspec.AgentStart{Instruction: &given.Instruction, Tools: []string{}, ReturnDirectly: []string{}}
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
	if !h.double.Has(loopspec.BeforeModel) {
		return h.TypedBaseChatModelAgentMiddleware.BeforeModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, h.double.BeforeModel, given, mc)
}

// AfterModelRewriteState calls the harness with the state after the model call.
func (h *handler[M]) AfterModelRewriteState(ctx context.Context, given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	if !h.double.Has(loopspec.AfterModel) {
		return h.TypedBaseChatModelAgentMiddleware.AfterModelRewriteState(ctx, given, mc)
	}
	return rewritten(ctx, h.double.AfterModel, given, mc)
}

// AfterAgent calls the harness after a run that succeeded. The result is written into the state: eino takes no other.
func (h *handler[M]) AfterAgent(ctx context.Context, given *adk.TypedChatModelAgentState[M]) (context.Context, error) {
	if !h.double.Has(loopspec.AfterAgent) {
		return h.TypedBaseChatModelAgentMiddleware.AfterAgent(ctx, given)
	}
	ctx, wanted, err := rewritten(ctx, h.double.AfterAgent, given, nil)
	if err == nil && wanted != nil {
		*given = *wanted
	}
	return ctx, err
}

// stateHook is a hook that receives the state: the method of a HookDouble.
type stateHook[M adk.MessageType] func(context.Context, loopspec.State[M]) (context.Context, *loopspec.State[M], error)

// rewritten is the state that a hook returns. A message that the hook does not change is the same object.
func rewritten[M adk.MessageType](ctx context.Context, call stateHook[M], given *adk.TypedChatModelAgentState[M], mc *adk.TypedModelContext[M]) (context.Context, *adk.TypedChatModelAgentState[M], error) {
	ctx, got, err := call(ctx, loopspec.State[M]{
		Messages: given.Messages, Tools: names(given.ToolInfos), DeferredTools: names(given.DeferredToolInfos), Context: contextOf(mc),
	})
	if err != nil {
		return ctx, given, err
	}
	if got == nil {
		return ctx, nil, nil
	}
	wanted := *given
	wanted.Messages = got.Messages
	wanted.ToolInfos = pickInfos(got.Tools, given.ToolInfos, given.DeferredToolInfos...)
	wanted.DeferredToolInfos = pickInfos(got.DeferredTools, given.DeferredToolInfos, given.ToolInfos...)
	return ctx, &wanted, nil
}

func contextOf[M adk.MessageType](mc *adk.TypedModelContext[M]) *loopspec.ModelContext {
	if mc == nil {
		return nil
	}
	retry, failover := mc.ModelRetryConfig != nil, mc.ModelFailoverConfig != nil
	return &loopspec.ModelContext{Tools: names(mc.Tools), Retry: &retry, Failover: &failover}
}
