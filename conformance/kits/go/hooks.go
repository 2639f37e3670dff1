package main

import (
	"context"
	"errors"

	"loopspec/kits/go/loopspec"
)

// hooks is a handler of the harness, as the loop has one. A double receives what the loop passes, and nothing else.
type hooks struct {
	double *loopspec.HookDouble[*Message]
	parts  *loopspec.Parts[*Message]
}

var errNothing = errors.New("a hook returned nothing")

func (h hooks) BeforeAgent(ctx context.Context, start Start) (context.Context, Start, error) {
	given := loopspec.AgentStart{
		Instruction: &start.Instruction, Tools: names(start.Tools), ReturnDirectly: []string{},
	}
	for name := range start.Directly {
		given.ReturnDirectly = append(given.ReturnDirectly, name)
	}
	ctx, wanted, err := h.double.BeforeAgent(ctx, given)
	if err != nil {
		return ctx, start, err
	}
	if wanted == nil {
		return ctx, start, errNothing
	}
	if wanted.Instruction == nil {
		wanted.Instruction = &start.Instruction
	}
	after := Start{*wanted.Instruction, h.pick(wanted.Tools, start.Tools), map[string]bool{}}
	for _, name := range wanted.ReturnDirectly {
		after.Directly[name] = true
	}
	return ctx, after, nil
}

func (h hooks) BeforeModel(ctx context.Context, state State) (context.Context, State, error) {
	return h.edited(ctx, state, h.double.BeforeModel)
}

func (h hooks) AfterModel(ctx context.Context, state State) (context.Context, State, error) {
	return h.edited(ctx, state, h.double.AfterModel)
}

func (h hooks) AfterAgent(ctx context.Context, state State) (context.Context, State, error) {
	return h.edited(ctx, state, h.double.AfterAgent)
}

type (
	modelCall = loopspec.ModelCall[*Message]
	hookState = loopspec.State[*Message]
	stateHook func(context.Context, hookState) (context.Context, *hookState, error)
)

func (h hooks) edited(ctx context.Context, state State, hook stateHook) (context.Context, State, error) {
	given := names(state.Tools)
	ctx, after, err := hook(ctx, hookState{
		Messages: state.Messages, Tools: given, Context: &loopspec.ModelContext{Tools: given},
	})
	if err != nil {
		return ctx, state, err
	}
	if after == nil {
		return ctx, state, errNothing
	}
	return ctx, State{after.Messages, h.pick(after.Tools, state.Tools)}, nil
}

func (h hooks) AroundModel(inner Model) Model {
	return func(ctx context.Context, request State) (*Message, error) {
		given := modelCall{
			Messages: request.Messages, Tools: infos(request.Tools),
			Context: &loopspec.ModelContext{Tools: names(request.Tools)},
		}
		return h.double.AroundModel(ctx, given, func(ctx context.Context, call modelCall) (*Message, error) {
			var wanted []string
			for _, info := range call.Tools {
				wanted = append(wanted, info.Name)
			}
			return inner(ctx, State{call.Messages, h.pick(wanted, request.Tools)})
		})
	}
}

func (h hooks) AroundTool(inner CallTool) CallTool {
	return func(ctx context.Context, call Call) (string, error) {
		given := loopspec.ToolRequest{Tool: call.Name, CallID: call.ID, Args: call.Args}
		return h.double.AroundTool(ctx, given, func(ctx context.Context, request loopspec.ToolRequest) (string, error) {
			return inner(ctx, Call{call.ID, call.Name, request.Args})
		})
	}
}

// pick returns the tools with these names: tools that the hook received, and additional tools.
func (h hooks) pick(wanted []string, there []Tool) (tools []Tool) {
	known := map[string]Tool{}
	for _, tool := range there {
		known[tool.Name] = tool
	}
	for _, name := range wanted {
		tool, ok := known[name]
		if !ok {
			tool = Tool{Name: name}
			if double, err := h.parts.Named(name); err == nil {
				tool, _ = toolOf(double)
			}
		}
		tools = append(tools, tool)
	}
	return tools
}
