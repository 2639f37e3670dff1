package loopspec

import "context"

// A ToolDouble is a tool of the harness. A tool whose Spec has an Agent is a sub-agent, which the adapter builds.
type ToolDouble struct {
	Spec   ToolSpec
	within inside
}

// Name returns the name of the tool.
func (t *ToolDouble) Name() string { return t.Spec.Name }

// Info returns the information that models receive. An implementation asks for it when an agent is built or run.
func (t *ToolDouble) Info() (ToolInfo, error) {
	if t.Spec.Nameless {
		return ToolInfo{}, &ScriptedError{"no information"}
	}
	takes := map[string]any{"type": "object", "properties": map[string]any{}}
	info := ToolInfo{Name: t.Spec.Name, Description: t.Spec.Description, Parameters: takes}
	if t.Spec.KnownAs != nil {
		info.Name = *t.Spec.KnownAs
	}
	return info, nil
}

type callTool struct {
	origin
	Request ToolRequest `json:"request"`
}

// Invoke calls the tool and returns its result: nil if the tool returns nothing. The error is an *Interrupt if the tool
// interrupts the run.
func (t *ToolDouble) Invoke(ctx context.Context, request ToolRequest) (*ToolAnswer, error) {
	request.Tool = t.Spec.Name
	var got struct {
		reply
		Value     *ToolAnswer `json:"value"`
		Interrupt *Interrupt  `json:"interrupt"`
	}
	if err := ask(ctx, "tool/invoke", callTool{from(ctx), request}, &got, t.within); err != nil {
		return nil, err
	}
	if got.Interrupt != nil {
		return nil, got.Interrupt
	}
	return got.Value, nil
}

// Call calls an invokable tool and returns the text of its result.
func (t *ToolDouble) Call(ctx context.Context, callID, args string) (string, error) {
	answer, err := t.Invoke(ctx, ToolRequest{CallID: callID, Args: args, Kind: Invokable})
	if err != nil || answer == nil {
		return "", err
	}
	return answer.Text, nil
}

// Stream calls a streamable tool and returns its result in chunks. A chunk is nil if the tool returns nothing.
func (t *ToolDouble) Stream(ctx context.Context, request ToolRequest) (*Stream[*ToolAnswer], error) {
	request.Tool = t.Spec.Name
	var first streamItem
	if err := ask(ctx, "tool/stream", callTool{from(ctx), request}, &first, t.within); err != nil {
		return nil, err
	}
	if first.Interrupt != nil {
		return nil, first.Interrupt
	}
	return streamOf(ctx, first, t.within, func(item streamItem) (*ToolAnswer, error) {
		if item.Interrupt != nil {
			return nil, item.Interrupt
		}
		return item.Answer, nil
	}), nil
}
