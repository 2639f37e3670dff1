package main

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"loopspec/kits/go/loopspec"
)

// built is an agent of eino, and its spec.
type built[M adk.MessageType] struct {
	agent adk.TypedAgent[M]
	spec  *loopspec.AgentSpec
}

// Build builds an agent of eino.
func (adapter[M]) Build(ctx context.Context, parts *loopspec.Parts[M]) (*built[M], error) {
	agent, err := build(ctx, parts)
	return &built[M]{agent, parts.Spec}, err
}

// build makes an agent and its sub-agents, without what the spec leaves out.
func build[M adk.MessageType](ctx context.Context, parts *loopspec.Parts[M]) (adk.TypedAgent[M], error) {
	spec := parts.Spec
	tools, err := toolsOf[M](ctx, parts.Tools)
	if err != nil {
		return nil, err
	}
	handlers, err := handlersOf(ctx, parts)
	if err != nil {
		return nil, err
	}
	approval, err := gateOf[M](parts.Tools)
	if err != nil {
		return nil, err
	}
	legacy, err := legacyOf[M](ctx, spec.Legacy)
	if err != nil {
		return nil, err
	}
	config := &adk.TypedChatModelAgentConfig[M]{
		Name: spec.Name, Description: spec.Description, Instruction: spec.Instruction,
		Handlers: append(approval, handlers...), Middlewares: legacy, OutputKey: value(spec.OutputKey),
		ModelRetryConfig: retryOf(parts.Retry), ModelFailoverConfig: failoverOf(parts.Failover),
		ToolsConfig: adk.ToolsConfig{
			ToolsNodeConfig:    compose.ToolsNodeConfig{Tools: tools, ExecuteSequentially: spec.Sequential},
			ReturnDirectly:     spec.ReturnDirectly,
			EmitInternalEvents: spec.InternalEvents,
		},
	}
	if parts.Model != nil {
		config.Model = modelOf(parts.Model)
	}
	for _, one := range parts.ToolMiddlewares {
		config.ToolsConfig.ToolCallMiddlewares = append(config.ToolsConfig.ToolCallMiddlewares, toolMiddleware(one))
	}
	if spec.MaxIterations != nil {
		config.MaxIterations = *spec.MaxIterations
	}
	if spec.ExitTool {
		config.Exit = adk.ExitTool{}
	}
	if spec.MakeInput != nil {
		config.GenModelInput = func(ctx context.Context, instruction string, input *adk.TypedAgentInput[M]) ([]M, error) {
			return parts.MakeInput(ctx, instruction, input.Messages)
		}
	}
	agent, err := adk.NewTypedChatModelAgent(ctx, config)
	if err != nil {
		return nil, err
	}
	return agent, nil
}

func toolsOf[M adk.MessageType](ctx context.Context, doubles []*loopspec.ToolDouble) ([]tool.BaseTool, error) {
	var tools []tool.BaseTool
	for _, double := range doubles {
		spec := double.Spec
		if spec.Agent == nil {
			tools = append(tools, toolOf[M](double))
			continue
		}
		agent, err := build(ctx, loopspec.PartsOf[M](adapter[M]{}, spec.Agent))
		if err != nil {
			return nil, err
		}
		var options []adk.AgentToolOption
		if spec.FullHistory {
			options = append(options, adk.WithFullChatHistoryAsInput())
		}
		if spec.Schema != nil {
			options = append(options, adk.WithAgentInputSchema(parametersOf(spec.Schema)))
		}
		tools = append(tools, adk.NewTypedAgentTool(ctx, agent, options...))
	}
	return tools, nil
}

// handlersOf makes the handlers of an agent. Agents that name the same handler share it.
func handlersOf[M adk.MessageType](ctx context.Context, parts *loopspec.Parts[M]) ([]adk.TypedChatModelAgentMiddleware[M], error) {
	extra, err := additionalOf(ctx, parts)
	if err != nil {
		return nil, err
	}
	var handlers []adk.TypedChatModelAgentMiddleware[M]
	for _, spec := range parts.Spec.Handlers {
		one, err := loopspec.Shared(loopspec.CaseOf(ctx), "handler "+spec.ID(), func() (adk.TypedChatModelAgentMiddleware[M], error) {
			return handlerOf(ctx, spec, extra)
		})
		if err != nil {
			return nil, err
		}
		handlers = append(handlers, one)
	}
	return handlers, nil
}

func handlerOf[M adk.MessageType](ctx context.Context, spec loopspec.HandlerSpec, extra additional[M]) (adk.TypedChatModelAgentMiddleware[M], error) {
	switch {
	case spec.Handler == "agentsmd":
		config, err := spec.Instructions()
		if err != nil {
			return nil, err
		}
		return agentsmd.NewTyped[M](ctx, configOf(loopspec.CaseOf(ctx), config))
	case spec.Handler != "scripted":
		return nil, fmt.Errorf("this adapter has no handler %s", spec.Handler)
	case len(spec.Hooks) == 0:
		return &adk.TypedBaseChatModelAgentMiddleware[M]{}, nil
	}
	double := loopspec.NewHooks[M](adapter[M]{}, spec.ID(), spec.Hooks)
	return &handler[M]{&adk.TypedBaseChatModelAgentMiddleware[M]{}, double, extra}, nil
}

func additionalOf[M adk.MessageType](ctx context.Context, parts *loopspec.Parts[M]) (additional[M], error) {
	extra := additional[M]{map[string]tool.BaseTool{}, map[string]model.BaseModel[M]{}}
	tools, err := toolsOf[M](ctx, loopspec.NewTools[M](adapter[M]{}, parts.Spec.AdditionalTools))
	for at, one := range tools {
		extra.tools[parts.Spec.AdditionalTools[at].Name] = one
	}
	for _, spec := range parts.Spec.AdditionalModels {
		extra.models[spec.Name] = modelOf(loopspec.NewModel[M](adapter[M]{}, spec))
	}
	return extra, err
}

// legacyOf makes middlewares of the older kind. Their functions take plain messages, whatever the agent's type is.
func legacyOf[M adk.MessageType](ctx context.Context, specs []loopspec.LegacySpec) ([]adk.AgentMiddleware, error) {
	var made []adk.AgentMiddleware
	for _, spec := range specs {
		tools, err := toolsOf[M](ctx, loopspec.NewTools[M](adapter[M]{}, spec.Tools))
		if err != nil {
			return nil, err
		}
		one := adk.AgentMiddleware{AdditionalInstruction: spec.Instruction, AdditionalTools: tools}
		// The state is of plain messages: its hooks belong to eino's agent with plain messages.
		plain := loopspec.NewHooks[adk.Message](adapter[adk.Message]{}, spec.Name, spec.Hooks)
		if plain.Has(loopspec.BeforeModel) {
			one.BeforeChatModel = inPlace(plain.BeforeModel)
		}
		if plain.Has(loopspec.AfterModel) {
			one.AfterChatModel = inPlace(plain.AfterModel)
		}
		if plain.Has(loopspec.AroundTool) {
			one.WrapToolCall = toolMiddleware(loopspec.NewHooks[M](adapter[M]{}, spec.Name, spec.Hooks))
		}
		made = append(made, one)
	}
	return made, nil
}

func inPlace(call stateHook[adk.Message]) func(context.Context, *adk.ChatModelAgentState) error {
	return func(ctx context.Context, given *adk.ChatModelAgentState) error {
		_, wanted, err := rewritten(ctx, call, given, nil)
		if err == nil && wanted != nil {
			*given = *wanted
		}
		return err
	}
}
