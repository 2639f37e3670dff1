// Command loopspec-adapter connects the loop in loop.go with loopspec. Print to standard error only: standard output is
// for messages of the protocol.
package main

import (
	"context"
	"errors"
	"fmt"

	"loopspec/kits/go/loopspec"
)

// What the loop has; `loopspec capabilities` lists all capabilities.
var capabilities = []string{
	"after-agent-hooks", "after-model-edits", "after-model-hooks", "before-agent-edits", "before-agent-hooks",
	"before-model-edits", "before-model-hooks", "concurrent-runs", "context-values", "model-wrappers", "raw-arguments",
	"repeated-inner-calls", "reports-instruction", "reports-return-directly", "reports-tools",
	"return-directly", "several-handlers", "tool-wrappers", "tools-from-hooks",
}

func main() {
	loopspec.Main(loopspec.Adapter{
		Name: "my agent", Version: "0.1.0", Capabilities: capabilities, ErrorOf: errorOf,
		Agents: loopspec.NewAgents[*Message, *Agent](adapter{}),
	})
}

func errorOf(err error) *loopspec.Error {
	switch err {
	case errTooManyCalls:
		return &loopspec.Error{Kind: "max_iterations"}
	case errUnknownTool:
		return &loopspec.Error{Kind: "unknown_tool"}
	}
	return nil
}

type adapter struct{}

// ToWire returns a message as the protocol has it.
func (adapter) ToWire(m *Message) []loopspec.Message {
	sent := loopspec.Message{Role: m.Role, Content: m.Text, ToolCallID: m.CallID, ToolName: m.Tool}
	for _, call := range m.Calls {
		sent.ToolCalls = append(sent.ToolCalls, loopspec.ToolCall(call))
	}
	return []loopspec.Message{sent}
}

// FromWire returns a message of the protocol as the loop has it.
func (adapter) FromWire(sent loopspec.Message) *Message {
	m := &Message{Role: sent.Role, Text: sent.Content, CallID: sent.ToolCallID, Tool: sent.ToolName}
	for _, call := range sent.ToolCalls {
		m.Calls = append(m.Calls, Call(call))
	}
	return m
}

// Build builds an agent from doubles.
func (adapter) Build(_ context.Context, parts *loopspec.Parts[*Message]) (*Agent, error) {
	if parts.Model == nil {
		return nil, errors.New("an agent needs a model")
	}
	agent := &Agent{Start: Start{Instruction: parts.Spec.Instruction, Directly: parts.Spec.ReturnDirectly}, Limit: 20}
	agent.Model = func(ctx context.Context, request State) (*Message, error) {
		return parts.Model.Generate(ctx, modelCall{Messages: request.Messages, Tools: infos(request.Tools)})
	}
	known := map[string]bool{}
	for _, double := range parts.Tools {
		tool, err := toolOf(double)
		if err != nil {
			return nil, err
		}
		if known[tool.Name] {
			return nil, fmt.Errorf("two tools have the name %q", tool.Name)
		}
		known[tool.Name] = true
		agent.Tools = append(agent.Tools, tool)
	}
	for _, double := range parts.Hooks {
		agent.Hooks = append(agent.Hooks, hooks{double, parts})
	}
	if limit := parts.Spec.MaxIterations; limit != nil && *limit > 0 {
		agent.Limit = *limit
	}
	return agent, nil
}

// Run runs an agent and reports the events of the run.
func (adapter) Run(ctx context.Context, agent *Agent, run *loopspec.Run[*Message]) error {
	final, err := agent.Run(ctx, run.Messages, run.Message)
	if err == nil {
		run.Final(final.Text)
	}
	return err
}

func toolOf(double *loopspec.ToolDouble) (Tool, error) {
	info, err := double.Info()
	return Tool{info.Name, info.Description, info.Parameters, func(ctx context.Context, call Call) (string, error) {
		return double.Call(ctx, call.ID, call.Args)
	}}, err
}

func infos(tools []Tool) (list []loopspec.ToolInfo) {
	for _, tool := range tools {
		info := loopspec.ToolInfo{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
		list = append(list, info)
	}
	return list
}

func names(tools []Tool) []string {
	list := make([]string, 0, len(tools)) // not nil: the hooks receive the tools
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	return list
}
