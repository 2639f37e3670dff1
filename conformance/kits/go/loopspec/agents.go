package loopspec

import (
	"context"
	"encoding/json"
	"fmt"
)

// An AgentAdapter is what an author fills in. M is the message of the implementation, and A is the agent. An adapter
// with further capabilities also implements RunValues, SessionValues, CustomEvents or Chunks.
type AgentAdapter[M, A any] interface {
	Messages[M]

	// Build builds an agent from doubles. An error means that the implementation rejects the configuration.
	Build(ctx context.Context, parts *Parts[M]) (A, error)

	// Run runs an agent, or resumes a run, and reports the events of the run in their order. An error ends the run.
	Run(ctx context.Context, agent A, run *Run[M]) error
}

// Agents builds and runs agents of one message type; see NewAgents.
type Agents interface {
	create(ctx context.Context, spec *AgentSpec) (runner, error)
	inside() inside
}

// NewAgents returns what a Server needs of an AgentAdapter.
func NewAgents[M, A any](adapter AgentAdapter[M, A]) Agents { return agents[M, A]{adapter} }

type agents[M, A any] struct{ adapter AgentAdapter[M, A] }

func (a agents[M, A]) inside() inside { return inside{a.adapter} }

func (a agents[M, A]) create(ctx context.Context, spec *AgentSpec) (runner, error) {
	agent, err := a.adapter.Build(ctx, PartsOf[M](a.adapter, spec))
	if err != nil {
		return nil, err
	}
	return typedRunner[M, A]{a.adapter, agent, spec}, nil
}

// Parts is what an agent is built of. What the scene leaves out is absent here, and the adapter leaves it out as well.
type Parts[M any] struct {
	Spec            *AgentSpec
	Model           *ModelDouble[M] // nil: no model
	Tools           []*ToolDouble
	Hooks           []*HookDouble[M] // the scripted handlers
	Retry           *RetryDouble[M]
	Failover        *FailoverDouble[M]
	ToolMiddlewares []*HookDouble[M]

	convert Messages[M]
}

// PartsOf returns the parts of an agent, such as a sub-agent: the Agent in the Spec of a ToolDouble.
func PartsOf[M any](convert Messages[M], spec *AgentSpec) *Parts[M] {
	p := &Parts[M]{Spec: spec, convert: convert, Tools: NewTools(convert, spec.Tools)}
	if spec.Model != nil {
		p.Model = NewModel(convert, *spec.Model)
	}
	for _, one := range spec.Handlers {
		if one.Handler == "scripted" {
			p.Hooks = append(p.Hooks, NewHooks(convert, one.ID(), one.Hooks))
		}
	}
	for _, one := range spec.ToolMiddlewares {
		p.ToolMiddlewares = append(p.ToolMiddlewares, NewHooks(convert, one.Name, []string{AroundTool}))
	}
	if spec.Retry != nil {
		p.Retry = &RetryDouble[M]{*spec.Retry, spec.Name, convert}
	}
	if spec.Failover != nil {
		p.Failover = &FailoverDouble[M]{*spec.Failover, spec.Name, convert}
	}
	return p
}

// NewTools returns the tools of specs.
func NewTools[M any](convert Messages[M], specs []ToolSpec) []*ToolDouble {
	var tools []*ToolDouble
	for _, spec := range specs {
		tools = append(tools, &ToolDouble{spec, inside{convert}})
	}
	return tools
}

// Named returns the tool with a name: a tool of the agent, or an additional tool that a hook names. A name without a
// tool is an error.
func (p *Parts[M]) Named(tool string) (*ToolDouble, error) {
	for _, one := range append(p.Tools[:len(p.Tools):len(p.Tools)], NewTools(p.convert, p.Spec.AdditionalTools)...) {
		if one.Name() == tool {
			return one, nil
		}
	}
	return nil, fmt.Errorf("there is no tool %q", tool)
}

// AdditionalModel returns the additional model that a wrapper names. A name without a model is an error.
func (p *Parts[M]) AdditionalModel(name string) (*ModelDouble[M], error) {
	for _, spec := range p.Spec.AdditionalModels {
		if spec.Name == name {
			return NewModel(p.convert, spec), nil
		}
	}
	return nil, fmt.Errorf("there is no model %q", name)
}

// MakeInput is the custom input function: it makes the first conversation of a run.
func (p *Parts[M]) MakeInput(ctx context.Context, instruction string, messages []M) ([]M, error) {
	asked := struct {
		origin
		Agent       string    `json:"agent"`
		Instruction string    `json:"instruction"`
		Messages    []Message `json:"messages,omitempty"`
	}{from(ctx), p.Spec.Name, instruction, conversationOf(p.convert, messages).sent}
	var got struct {
		reply
		Value []Message `json:"value"`
	}
	if err := ask(ctx, "agent/makeInput", asked, &got, inside{p.convert}); err != nil {
		return nil, err
	}
	return allFromWire(p.convert, got.Value), nil
}

// Callback reports a model call or a tool call, as the implementation reports the call to its callbacks. What is "model
// start", "model end", "tool start" or "tool end".
func Callback(ctx context.Context, what, name, callID string) {
	sent := struct {
		origin
		What   string  `json:"what"`
		Name   string  `json:"name"`
		CallID *string `json:"callId,omitempty"`
	}{from(ctx), what, name, nil}
	if what == "tool start" || what == "tool end" {
		sent.CallID = &callID
	}
	placeOf(ctx).in.peer.notify("callback", sent)
}

// Created is the answer to a request that builds something: a handle, or the error of the constructor.
type Created struct {
	Handle string `json:"value,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

func (s *Server) createAgent(in *Case, params json.RawMessage) (any, error) {
	var sent struct {
		Role        string    `json:"role"`
		MessageType string    `json:"messageType"`
		Agent       AgentSpec `json:"agent"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	agents := s.adapter.Agents
	if sent.MessageType == "agentic" {
		agents = s.adapter.Agentic
	}
	if sent.Role != "agent" || agents == nil {
		return nil, fmt.Errorf("this adapter has no role %s with %s messages", sent.Role, sent.MessageType)
	}
	built, err := agents.create(InCase(context.Background(), in), &sent.Agent)
	if err != nil {
		return Created{Error: in.Refusal(err)}, nil
	}
	return Created{Handle: in.Keep(built)}, nil
}

func unknownHandle(handle string) error { return fmt.Errorf("there is no %q", handle) }
