package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A ModelEndpoint is the inner endpoint of a model wrapper. T is what the endpoint returns: a message, or a stream of
// the implementation.
type ModelEndpoint[M, T any] struct {
	// Call calls the next wrapper, or the model.
	Call func(ctx context.Context, call ModelCall[M]) (T, error)

	// Read reads an outcome to its end. A stream is copied first, so that the wrapper can still return it.
	Read func(outcome *T) (M, error)

	// Make makes an outcome of the wrapper's own answer.
	Make func(answer M) T
}

// A ToolEndpoint is the inner endpoint of a tool wrapper; see ModelEndpoint.
type ToolEndpoint[T any] struct {
	Call func(ctx context.Context, request ToolRequest) (T, error)
	Read func(outcome *T) (ToolAnswer, error)
	Make func(answer ToolAnswer) T
}

// WrapModel calls the wrapper of a handler around a model call and returns the outcome of the wrapper. The outcome is
// the zero value if the wrapper returns nothing.
func WrapModel[M, T any](
	ctx context.Context, h *HookDouble[M], given ModelCall[M], streaming bool, inner ModelEndpoint[M, T],
) (T, error) {
	if !h.Has(AroundModel) {
		return inner.Call(ctx, given)
	}
	before := conversationOf(h.convert, given.Messages)
	calls := &innerCalls[T, Message]{inside: inside{h.convert}}
	calls.next = func(ctx context.Context, sent nextParams) (outcome T, err error) {
		if sent.Model == nil {
			return outcome, faulty(ctx, "next without a request to the model")
		}
		call := given
		call.Messages = before.restored(before.recognized(sent.Model.Messages))
		call.Tools, call.DeferredTools = sent.Model.Tools, sent.Model.DeferredTools
		call.Options, call.ToolSearch = sent.Model.Options, sent.Model.ToolSearch
		if sent.Model.Model != nil {
			call.Model = *sent.Model.Model
		}
		return inner.Call(ctx, call)
	}
	calls.read = func(outcome *T) (sent outcomeReply, err error) {
		message, err := inner.Read(outcome)
		if err == nil {
			sent.Message = joined(toWire(h.convert, message))
		}
		return sent, err
	}
	asked := struct {
		origin
		Handler      string        `json:"handler"`
		Request      modelRequest  `json:"request"`
		ModelContext *ModelContext `json:"modelContext,omitempty"`
	}{from(ctx), h.Name, given.request(before.sent, streaming), given.Context}
	got, outcome, err := calls.ask(ctx, "hook/aroundModel", asked)
	if err == nil && got.Value != nil {
		return inner.Make(fromWire(h.convert, *got.Value)), nil
	}
	return outcome, err
}

// CallModel is an inner endpoint that returns a whole message.
type CallModel[M any] func(ctx context.Context, call ModelCall[M]) (M, error)

// AroundModel calls the wrapper around a model call that returns a whole message.
func (h *HookDouble[M]) AroundModel(ctx context.Context, given ModelCall[M], next CallModel[M]) (M, error) {
	return WrapModel(ctx, h, given, false, ModelEndpoint[M, M]{
		Call: next,
		Read: func(outcome *M) (M, error) { return *outcome, nil },
		Make: func(answer M) M { return answer },
	})
}

// WrapTool calls the wrapper of a handler around a tool call and returns the outcome of the wrapper; see WrapModel.
func WrapTool[M, T any](ctx context.Context, h *HookDouble[M], given ToolRequest, inner ToolEndpoint[T]) (T, error) {
	if !h.Has(AroundTool) {
		return inner.Call(ctx, given)
	}
	calls := &innerCalls[T, ToolAnswer]{inside: inside{h.convert}}
	calls.next = func(ctx context.Context, sent nextParams) (outcome T, err error) {
		if sent.Tool == nil {
			return outcome, faulty(ctx, "next without a request to the tool")
		}
		return inner.Call(ctx, *sent.Tool)
	}
	calls.read = func(outcome *T) (outcomeReply, error) {
		answer, err := inner.Read(outcome)
		return outcomeReply{Answer: &answer}, err
	}
	asked := struct {
		origin
		Handler string      `json:"handler"`
		Request ToolRequest `json:"request"`
	}{from(ctx), h.Name, given}
	got, outcome, err := calls.ask(ctx, "hook/aroundTool", asked)
	if err == nil && got.Value != nil {
		return inner.Make(*got.Value), nil
	}
	return outcome, err
}

// CallTool is an inner endpoint that returns the text of a result.
type CallTool func(ctx context.Context, request ToolRequest) (string, error)

// AroundTool calls the wrapper around the call of an invokable tool.
func (h *HookDouble[M]) AroundTool(ctx context.Context, given ToolRequest, next CallTool) (string, error) {
	return WrapTool(ctx, h, given, ToolEndpoint[string]{
		Call: next,
		Read: func(outcome *string) (ToolAnswer, error) { return ToolAnswer{Text: *outcome}, nil },
		Make: func(answer ToolAnswer) string { return answer.Text },
	})
}

// aroundReply is the result of a wrapper: with `return`, the outcome with this number, unchanged; with `raise`, the
// error that the outcome failed with, immediately or while it was read. Otherwise the value is an answer of its own.
type aroundReply[V any] struct {
	reply
	Return *int `json:"return"`
	Raise  *int `json:"raise"`
	Value  *V   `json:"value"`
}

type nextParams struct {
	Model   *modelRequest `json:"model"`
	Tool    *ToolRequest  `json:"tool"`
	Ctx     contextValues `json:"ctx"`
	Outcome int           `json:"outcome"`
}

type outcomeReply struct {
	Error   *Error      `json:"error,omitempty"`
	Message *Message    `json:"message,omitempty"`
	Answer  *ToolAnswer `json:"answer,omitempty"`
}

// outcome is the outcome of one call of the inner endpoint.
type outcome[T any] struct {
	failure
	value   T
	reading failure
}

// innerCalls are the calls of the inner endpoint that one wrapper has made. V is an answer of the wrapper's own.
type innerCalls[T, V any] struct {
	inside
	next     func(ctx context.Context, sent nextParams) (T, error)
	read     func(outcome *T) (outcomeReply, error)
	outcomes []*outcome[T]
}

// ask calls the wrapper. The value is that of an outcome, which the wrapper returns unchanged; a failure likewise.
func (c *innerCalls[T, V]) ask(ctx context.Context, method string, asked any) (got aroundReply[V], value T, err error) {
	if err = ask(ctx, method, asked, &got, c); err != nil {
		return got, value, err
	}
	for _, number := range []*int{got.Return, got.Raise} {
		if number != nil && (*number < 0 || *number >= len(c.outcomes)) {
			return got, value, faulty(ctx, fmt.Sprintf("%s: there is no outcome %d", method, *number))
		}
	}
	switch {
	case got.Raise != nil:
		raised := c.outcomes[*got.Raise]
		if raised.failed() {
			return got, raised.value, raised.failure.raised()
		}
		return got, value, raised.reading.raised()
	case got.Return != nil:
		returned := c.outcomes[*got.Return]
		return got, returned.value, returned.failure.raised()
	}
	return got, value, nil
}

func (c *innerCalls[T, V]) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	if method != "next" && method != "outcome/read" {
		return c.inside.serve(ctx, method, params)
	}
	var sent nextParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	in := CaseOf(ctx)
	if method == "next" {
		reached := &outcome[T]{}
		reached.failure = guarded(func() (err error) {
			reached.value, err = c.next(Carry(ctx, sent.Ctx), sent)
			return err
		})
		c.outcomes = append(c.outcomes, reached)
		return result{in.Describe(reached.asError())}, nil
	}
	if sent.Outcome < 0 || sent.Outcome >= len(c.outcomes) {
		return nil, fmt.Errorf("there is no outcome %d", sent.Outcome)
	}
	read := c.outcomes[sent.Outcome]
	if read.failed() {
		return outcomeReply{Error: in.Describe(read.asError())}, nil
	}
	var reply outcomeReply
	read.reading = guarded(func() (err error) {
		reply, err = c.read(&read.value)
		return err
	})
	if read.reading.failed() {
		return outcomeReply{Error: in.Describe(read.reading.asError())}, nil
	}
	return reply, nil
}

// faulty reports an impossible message, and returns an error that ends the call.
func faulty(ctx context.Context, why string) error {
	CaseOf(ctx).Fault("%s", why)
	return errors.New(why)
}
