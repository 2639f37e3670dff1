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

// Ticket is a value that eino has been told of; Stranger is one that it has not.
type Ticket struct{ Number int }

// Stranger is of a type that nobody has registered.
type Stranger struct{ Name string }

func init() { schema.RegisterName[Ticket]("loopspec_ticket") }

type withinParams struct {
	Key     string          `json:"key"`
	Value   something       `json:"value"`
	Payload json.RawMessage `json:"payload"`
}

type outcome struct {
	Error *wireError `json:"error,omitempty"`
}

type found struct {
	Error *wireError `json:"error,omitempty"`
	Found bool       `json:"found,omitempty"`
	Value something  `json:"value"`
}

// inside is a run of eino's, as it is seen from within.
type inside[M adk.MessageType] struct{}

func (inside[M]) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	var said withinParams
	if err := json.Unmarshal(params, &said); err != nil {
		return nil, err
	}
	switch method {
	case "local/set":
		return outcome{told(adk.SetRunLocalValue(ctx, said.Key, said.Value.native()))}, nil
	case "local/get":
		value, there, err := adk.GetRunLocalValue(ctx, said.Key)
		return found{told(err), there, nativeTold(value)}, nil
	case "local/delete":
		return outcome{told(adk.DeleteRunLocalValue(ctx, said.Key))}, nil
	case "session/set":
		adk.AddSessionValue(ctx, said.Key, said.Value.native())
		return outcome{}, nil
	case "session/get":
		value, there := adk.GetSessionValue(ctx, said.Key)
		return found{nil, there, nativeTold(value)}, nil
	case "event/send":
		event := &adk.TypedAgentEvent[M]{Output: &adk.TypedAgentOutput[M]{CustomizedOutput: native(said.Payload)}}
		return outcome{told(adk.TypedSendEvent(ctx, event))}, nil
	}
	return nil, errUnknownMethod
}

func (s something) native() any {
	switch {
	case s.Ticket != nil:
		return Ticket{*s.Ticket}
	case s.Stranger:
		return Stranger{"nobody knows it"}
	}
	return native(s.Value)
}

func nativeTold(value any) something {
	switch one := value.(type) {
	case Ticket:
		return something{Ticket: &one.Number}
	case Stranger:
		return something{Stranger: true}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return something{}
	}
	return something{Value: text}
}

// native is a value of JSON as a Go program would write it: a number without a fraction is an int.
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
