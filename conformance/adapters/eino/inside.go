package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

var errUnknownMethod = errors.New("unknown method")

// RegisteredValue is of a type that this adapter registers with eino.
type RegisteredValue struct{ Number int }

// UnregisteredValue is of a type that it does not register.
type UnregisteredValue struct{ Name string }

func init() { schema.RegisterName[RegisteredValue]("loopspec_ticket") }

type withinParams struct {
	Key     string          `json:"key"`
	Value   runValue        `json:"value"`
	Payload json.RawMessage `json:"payload"`
}

type outcome struct {
	Error *wireError `json:"error,omitempty"`
}

type found struct {
	Error *wireError `json:"error,omitempty"`
	Found bool       `json:"found,omitempty"`
	Value runValue   `json:"value"`
}

// inside is the inside of a run of eino.
type inside[M adk.MessageType] struct{}

func (inside[M]) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	var sent withinParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	switch method {
	case "local/set":
		return outcome{describe(adk.SetRunLocalValue(ctx, sent.Key, sent.Value.native()))}, nil
	case "local/get":
		value, there, err := adk.GetRunLocalValue(ctx, sent.Key)
		return found{describe(err), there, wireValue(value)}, nil
	case "local/delete":
		return outcome{describe(adk.DeleteRunLocalValue(ctx, sent.Key))}, nil
	case "session/set":
		adk.AddSessionValue(ctx, sent.Key, sent.Value.native())
		return outcome{}, nil
	case "session/get":
		value, there := adk.GetSessionValue(ctx, sent.Key)
		return found{nil, there, wireValue(value)}, nil
	case "event/send":
		event := &adk.TypedAgentEvent[M]{Output: &adk.TypedAgentOutput[M]{CustomizedOutput: native(sent.Payload)}}
		return outcome{describe(adk.TypedSendEvent(ctx, event))}, nil
	}
	return nil, errUnknownMethod
}

func (s runValue) native() any {
	switch {
	case s.Registered != nil:
		return RegisteredValue{*s.Registered}
	case s.Unregistered:
		return UnregisteredValue{"unregistered"}
	}
	return native(s.Value)
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

// native is a JSON value as a Go program would write it: a number without a fraction is an int.
func native(text json.RawMessage) any {
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
		read[key] = native(value)
	}
	return read
}
