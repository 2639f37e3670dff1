package loopspec

import (
	"bytes"
	"context"
	"encoding/json"
)

// RunValues is implemented by an AgentAdapter with the capability run-values. A hook, a wrapper or a tool calls it in
// the context that the implementation passed to the hook, the wrapper or the tool.
type RunValues interface {
	SetLocal(ctx context.Context, key string, value any) error
	GetLocal(ctx context.Context, key string) (value any, found bool, err error)
	DeleteLocal(ctx context.Context, key string) error
}

// SessionValues is implemented by an AgentAdapter with the capability session-values.
type SessionValues interface {
	SetSession(ctx context.Context, key string, value any) error
	GetSession(ctx context.Context, key string) (value any, found bool, err error)
}

// CustomEvents is implemented by an AgentAdapter with the capability send-event.
type CustomEvents interface {
	SendEvent(ctx context.Context, payload any) error
}

// SentMessages is implemented by an AgentAdapter with the capability messages-during-runs.
type SentMessages interface {
	SendMessage(ctx context.Context, text string) error
}

// RegisteredValue is a run-local value of a type that an adapter registers with its implementation.
type RegisteredValue struct{ Number int }

// UnregisteredValue is a run-local value of a type that no adapter registers.
type UnregisteredValue struct{ Name string }

// runValue is a run-local or session value: JSON, or of a type of the adapter's own.
type runValue struct {
	Value        json.RawMessage `json:"value,omitempty"`
	Registered   *int            `json:"registered,omitempty"`
	Unregistered bool            `json:"unregistered,omitempty"`
}

type withinParams struct {
	Key     string          `json:"key"`
	Value   runValue        `json:"value"`
	Payload json.RawMessage `json:"payload"`
	Text    string          `json:"text"`
}

type result struct {
	Error *Error `json:"error,omitempty"`
}

type found struct {
	Error *Error   `json:"error,omitempty"`
	Found bool     `json:"found,omitempty"`
	Value runValue `json:"value"`
}

// inside is the inside of a run: what a hook, a wrapper or a tool can do there.
type inside struct{ of any }

func (i inside) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	var sent withinParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	in := CaseOf(ctx)
	local, hasLocal := i.of.(RunValues)
	session, hasSession := i.of.(SessionValues)
	events, hasEvents := i.of.(CustomEvents)
	messages, hasMessages := i.of.(SentMessages)
	switch {
	case method == "local/set" && hasLocal:
		return result{in.Describe(local.SetLocal(ctx, sent.Key, sent.Value.native()))}, nil
	case method == "local/get" && hasLocal:
		value, there, err := local.GetLocal(ctx, sent.Key)
		return found{in.Describe(err), there, wireValue(value)}, nil
	case method == "local/delete" && hasLocal:
		return result{in.Describe(local.DeleteLocal(ctx, sent.Key))}, nil
	case method == "session/set" && hasSession:
		return result{in.Describe(session.SetSession(ctx, sent.Key, sent.Value.native()))}, nil
	case method == "session/get" && hasSession:
		value, there, err := session.GetSession(ctx, sent.Key)
		return found{in.Describe(err), there, wireValue(value)}, nil
	case method == "event/send" && hasEvents:
		return result{in.Describe(events.SendEvent(ctx, Native(sent.Payload)))}, nil
	case method == "message/send" && hasMessages:
		return result{in.Describe(messages.SendMessage(ctx, sent.Text))}, nil
	}
	return nil, errUnknownMethod
}

// noInside serves no requests within a call.
type noInside struct{}

func (noInside) serve(context.Context, string, json.RawMessage) (any, error) {
	return nil, errUnknownMethod
}

func (s runValue) native() any {
	switch {
	case s.Registered != nil:
		return RegisteredValue{*s.Registered}
	case s.Unregistered:
		return UnregisteredValue{"unregistered"}
	}
	return Native(s.Value)
}

func wireValue(value any) runValue {
	switch one := value.(type) {
	case RegisteredValue:
		return runValue{Registered: &one.Number}
	case UnregisteredValue:
		return runValue{Unregistered: true}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return runValue{}
	}
	return runValue{Value: text}
}

// Native returns a JSON value as a Go program would write it: a number without a fraction is an int.
func Native(text json.RawMessage) any {
	if len(text) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return counted(value)
}

func counted(value any) any {
	switch one := value.(type) {
	case json.Number:
		if whole, err := one.Int64(); err == nil {
			return int(whole)
		}
		broken, _ := one.Float64()
		return broken
	case []any:
		for at := range one {
			one[at] = counted(one[at])
		}
	case map[string]any:
		for key := range one {
			one[key] = counted(one[key])
		}
	}
	return value
}

func natives(values map[string]json.RawMessage) map[string]any {
	read := make(map[string]any, len(values))
	for key, value := range values {
		read[key] = Native(value)
	}
	return read
}
