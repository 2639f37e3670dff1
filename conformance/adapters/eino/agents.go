package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
)

type makeInput struct {
	adapterMessage
	Agent       string    `json:"agent"`
	Instruction string    `json:"instruction"`
	Messages    []message `json:"messages,omitempty"`
}

type messagesReply struct {
	reply
	Messages []message `json:"messages"`
}

func createAgent(in *activeCase, params json.RawMessage) (any, error) {
	var sent struct {
		Role        string    `json:"role"`
		MessageType string    `json:"messageType"`
		Agent       agentSpec `json:"agent"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	if sent.Role != "agent" {
		return nil, fmt.Errorf("this adapter has no role %s", sent.Role)
	}
	ctx := withPlace(context.Background(), &place{in: in})
	if sent.MessageType == "agentic" {
		return keptAgent[adk.AgenticMessage](ctx, &sent.Agent)
	}
	return keptAgent[adk.Message](ctx, &sent.Agent)
}

func keptAgent[M adk.MessageType](ctx context.Context, spec *agentSpec) (any, error) {
	agent, err := build[M](ctx, spec)
	if err != nil {
		return created{Error: refusal(err)}, nil
	}
	return created{Handle: placeOf(ctx).in.keep(runner(&typedRunner[M]{agent: agent, spec: spec}))}, nil
}

// build makes an agent and its sub-agents. It leaves out what the spec leaves out.
func build[M adk.MessageType](ctx context.Context, spec *agentSpec) (adk.TypedAgent[M], error) {
	tools, err := toolsOf[M](ctx, spec.Tools)
	if err != nil {
		return nil, err
	}
	handlers, err := handlersOf[M](ctx, spec)
	if err != nil {
		return nil, err
	}
	legacy, err := legacyOf[M](ctx, spec.Legacy)
	if err != nil {
		return nil, err
	}
	config := &adk.TypedChatModelAgentConfig[M]{
		Name: spec.Name, Description: spec.Description, Instruction: spec.Instruction,
		Handlers: handlers, Middlewares: legacy, OutputKey: value(spec.OutputKey),
		ModelRetryConfig: retryOf[M](spec), ModelFailoverConfig: failoverOf[M](spec),
		ToolsConfig: adk.ToolsConfig{
			ToolsNodeConfig:    compose.ToolsNodeConfig{Tools: tools, ExecuteSequentially: spec.Sequential},
			ReturnDirectly:     spec.ReturnDirectly,
			EmitInternalEvents: spec.InternalEvents,
		},
	}
	if spec.Model != nil {
		config.Model = modelOf[M](spec.Model)
	}
	for _, one := range spec.ToolMiddlewares {
		config.ToolsConfig.ToolCallMiddlewares = append(config.ToolsConfig.ToolCallMiddlewares, toolMiddleware[M](one.Name))
	}
	if spec.MaxIterations != nil {
		config.MaxIterations = *spec.MaxIterations
	}
	if spec.ExitTool {
		config.Exit = adk.ExitTool{}
	}
	if spec.MakesInput {
		config.GenModelInput = inputOf[M](spec.Name)
	}
	agent, err := adk.NewTypedChatModelAgent(ctx, config)
	if err != nil {
		return nil, err
	}
	return agent, nil
}

func inputOf[M adk.MessageType](name string) adk.TypedGenModelInput[M] {
	return func(ctx context.Context, instruction string, input *adk.TypedAgentInput[M]) ([]M, error) {
		var got messagesReply
		asked := makeInput{from(ctx), name, instruction, wires(input.Messages)}
		if err := ask(ctx, "agent/makeInput", asked, &got, inside[M]{}); err != nil {
			return nil, err
		}
		return einos[M](got.Messages), nil
	}
}

func toolsOf[M adk.MessageType](ctx context.Context, specs []toolSpec) ([]tool.BaseTool, error) {
	var tools []tool.BaseTool
	for _, spec := range specs {
		if spec.Agent == nil {
			tools = append(tools, toolOf[M](spec))
			continue
		}
		agent, err := build[M](ctx, spec.Agent)
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
func handlersOf[M adk.MessageType](ctx context.Context, spec *agentSpec) ([]adk.TypedChatModelAgentMiddleware[M], error) {
	extra, err := additionalOf[M](ctx, spec)
	if err != nil {
		return nil, err
	}
	made := placeOf(ctx).in.byName
	var handlers []adk.TypedChatModelAgentMiddleware[M]
	for _, one := range spec.Handlers {
		if made[one.name()] == nil {
			if made[one.name()], err = handlerOf(ctx, one, extra); err != nil {
				return nil, err
			}
		}
		handlers = append(handlers, made[one.name()].(adk.TypedChatModelAgentMiddleware[M]))
	}
	return handlers, nil
}

func handlerOf[M adk.MessageType](ctx context.Context, spec handlerSpec, extra additional[M]) (adk.TypedChatModelAgentMiddleware[M], error) {
	switch {
	case spec.Handler == "agentsmd":
		config, err := spec.config()
		if err != nil {
			return nil, err
		}
		return agentsmd.NewTyped[M](ctx, config.eino(placeOf(ctx).in))
	case spec.Handler != "scripted":
		return nil, fmt.Errorf("this adapter has no handler %s", spec.Handler)
	case len(spec.Hooks) == 0:
		return &adk.TypedBaseChatModelAgentMiddleware[M]{}, nil
	}
	return &handler[M]{&adk.TypedBaseChatModelAgentMiddleware[M]{}, spec.name(), spec.Hooks, extra}, nil
}

func additionalOf[M adk.MessageType](ctx context.Context, spec *agentSpec) (additional[M], error) {
	extra := additional[M]{map[string]tool.BaseTool{}, map[string]model.BaseModel[M]{}}
	tools, err := toolsOf[M](ctx, spec.AdditionalTools)
	for at, one := range tools {
		extra.tools[spec.AdditionalTools[at].Name] = one
	}
	for at := range spec.AdditionalModels {
		extra.models[spec.AdditionalModels[at].Name] = modelOf[M](&spec.AdditionalModels[at])
	}
	return extra, err
}

// legacyOf makes middlewares of the older kind. Their functions take plain messages, whatever the agent's type is.
func legacyOf[M adk.MessageType](ctx context.Context, specs []legacySpec) ([]adk.AgentMiddleware, error) {
	var made []adk.AgentMiddleware
	for _, spec := range specs {
		tools, err := toolsOf[M](ctx, spec.Tools)
		if err != nil {
			return nil, err
		}
		one := adk.AgentMiddleware{AdditionalInstruction: spec.Instruction, AdditionalTools: tools}
		if has(spec.Hooks, "before model") {
			one.BeforeChatModel = inPlace("handler/beforeModel", spec.Name)
		}
		if has(spec.Hooks, "after model") {
			one.AfterChatModel = inPlace("handler/afterModel", spec.Name)
		}
		if has(spec.Hooks, "around tool") {
			one.WrapToolCall = toolMiddleware[M](spec.Name)
		}
		made = append(made, one)
	}
	return made, nil
}

func inPlace(method, name string) func(context.Context, *adk.ChatModelAgentState) error {
	return func(ctx context.Context, given *adk.ChatModelAgentState) error {
		_, wanted, err := rewritten[adk.Message](ctx, method, name, given, nil)
		if err == nil && wanted != nil {
			*given = *wanted
		}
		return err
	}
}
