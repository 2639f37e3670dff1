package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

type aroundModel struct {
	adapterMessage
	Handler      string        `json:"handler"`
	Request      modelRequest  `json:"request"`
	ModelContext *modelContext `json:"modelContext,omitempty"`
}

// aroundReply is the result of an around-hook: with `return`, the outcome with this number, unchanged; with `raise`, the
// error that the outcome failed with, at once or while it was read.
type aroundReply struct {
	reply
	Return  *int        `json:"return"`
	Raise   *int        `json:"raise"`
	Message *message    `json:"message"`
	Answer  *toolAnswer `json:"answer"`
}

type nextParams struct {
	Model   *modelRequest `json:"model"`
	Tool    *toolRequest  `json:"tool"`
	Ctx     contextValues `json:"ctx"`
	Outcome int           `json:"outcome"`
}

type outcomeReply struct {
	Error   *wireError  `json:"error,omitempty"`
	Message *message    `json:"message,omitempty"`
	Answer  *toolAnswer `json:"answer,omitempty"`
}

// WrapModel wraps the handler around a model call.
func (h *handler[M]) WrapModel(ctx context.Context, inner model.BaseModel[M], mc *adk.TypedModelContext[M]) (model.BaseModel[M], error) {
	if !has(h.hooks, "around model") {
		return h.TypedBaseChatModelAgentMiddleware.WrapModel(ctx, inner, mc)
	}
	return &wrappedModel[M]{h, inner, mc}, nil
}

type wrappedModel[M adk.MessageType] struct {
	by    *handler[M]
	inner model.BaseModel[M]
	mc    *adk.TypedModelContext[M]
}

// Generate returns the handler's answer.
func (w *wrappedModel[M]) Generate(ctx context.Context, input []M, opts ...model.Option) (none M, err error) {
	got, calls, err := w.ask(ctx, input, false, opts)
	switch {
	case err != nil:
		return none, err
	case got.Raise != nil:
		return none, calls.outcomes[*got.Raise].raised()
	case got.Return != nil:
		outcome := calls.outcomes[*got.Return]
		return outcome.whole, outcome.raised()
	case got.Message != nil:
		return eino[M](*got.Message), nil
	}
	return none, nil
}

// Stream returns the handler's answer as a stream.
func (w *wrappedModel[M]) Stream(ctx context.Context, input []M, opts ...model.Option) (*schema.StreamReader[M], error) {
	got, calls, err := w.ask(ctx, input, true, opts)
	switch {
	case err != nil:
		return nil, err
	case got.Raise != nil:
		return nil, calls.outcomes[*got.Raise].raised()
	case got.Return != nil:
		return calls.outcomes[*got.Return].pieces, calls.outcomes[*got.Return].failure.raised()
	case got.Message != nil:
		return schema.StreamReaderFromArray([]M{eino[M](*got.Message)}), nil
	}
	return nil, nil
}

func (w *wrappedModel[M]) ask(ctx context.Context, input []M, streaming bool, opts []model.Option) (aroundReply, *modelCalls[M], error) {
	sent := requestOf(wires(input), streaming, opts)
	calls := &modelCalls[M]{around: w, input: input, sent: sent.Messages, streaming: streaming, opts: opts}
	var got aroundReply
	asked := aroundModel{from(ctx), w.by.name, sent, contextOf(w.mc)}
	if err := ask(ctx, "handler/aroundModel", asked, &got, calls); err != nil {
		return got, calls, err
	}
	return got, calls, got.within(ctx, len(calls.outcomes))
}

// within checks that the outcome exists.
func (r aroundReply) within(ctx context.Context, outcomes int) error {
	for _, number := range []*int{r.Return, r.Raise} {
		if number != nil && (*number < 0 || *number >= outcomes) {
			err := fmt.Errorf("there is no outcome %d", *number)
			placeOf(ctx).in.peer.fault("%v", err)
			return err
		}
	}
	return nil
}

// modelCalls are the calls of the inner endpoint that one around-hook has made.
type modelCalls[M adk.MessageType] struct {
	inside[M]
	around    *wrappedModel[M]
	input     []M
	sent      []message
	streaming bool
	opts      []model.Option
	outcomes  []*modelOutcome[M]
}

// modelOutcome is the outcome of a call of the inner endpoint.
type modelOutcome[M adk.MessageType] struct {
	failure
	whole  M
	pieces *schema.StreamReader[M]
	read   failure // the outcome of reading it
}

func (o *modelOutcome[M]) raised() error {
	if o.failed() {
		return o.failure.raised()
	}
	return o.read.raised()
}

// failure is an error or a panic, which passes a hook unchanged.
type failure struct {
	err      error
	panicked any
}

func (f failure) failed() bool { return f.err != nil || f.panicked != nil }

func (f failure) raised() error {
	if f.panicked != nil {
		panic(f.panicked)
	}
	return f.err
}

func (f failure) described() *wireError {
	if f.panicked != nil {
		return describe(fmt.Errorf("panic: %v", f.panicked))
	}
	return describe(f.err)
}

func (c *modelCalls[M]) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	if method != "next" && method != "outcome/read" {
		return c.inside.serve(ctx, method, params)
	}
	var sent nextParams
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	if method == "outcome/read" {
		if sent.Outcome >= len(c.outcomes) {
			return nil, fmt.Errorf("there is no outcome %d", sent.Outcome)
		}
		return c.outcomes[sent.Outcome].all(), nil
	}
	if sent.Model == nil {
		return nil, fmt.Errorf("next without a request to the model")
	}
	reached := c.next(carrying(ctx, sent.Ctx), *sent.Model)
	c.outcomes = append(c.outcomes, reached)
	return outcome{reached.described()}, nil
}

func (c *modelCalls[M]) next(ctx context.Context, wanted modelRequest) (reached *modelOutcome[M]) {
	reached = &modelOutcome[M]{}
	defer func() {
		if panicked := recover(); panicked != nil {
			reached.panicked = panicked
		}
	}()
	inner, opts := c.around.inner, optionsOf(wanted, c.opts)
	if wanted.Model != nil {
		if inner = c.around.by.additional.models[*wanted.Model]; inner == nil {
			placeOf(ctx).in.peer.fault("there is no model %s", *wanted.Model)
		}
	}
	if c.streaming {
		reached.pieces, reached.err = inner.Stream(ctx, c.messages(wanted.Messages), opts...)
	} else {
		reached.whole, reached.err = inner.Generate(ctx, c.messages(wanted.Messages), opts...)
	}
	return reached
}

// messages are the messages that the hook passes on; a message that it did not change stays the same object.
func (c *modelCalls[M]) messages(wanted []message) []M {
	passed := make([]M, len(wanted))
	for at, one := range wanted {
		passed[at] = eino[M](one)
		for index, original := range c.sent {
			if reflect.DeepEqual(wire(passed[at]), original) {
				passed[at] = c.input[index]
				break
			}
		}
	}
	return passed
}

// all is the whole outcome. A stream is copied first, so that the hook can still return it.
func (o *modelOutcome[M]) all() outcomeReply {
	if o.failed() {
		return outcomeReply{Error: o.described()}
	}
	read := o.whole
	if o.pieces != nil {
		copies := o.pieces.Copy(2)
		o.pieces = copies[0]
		var chunks []M
		chunks, o.read = readAll(copies[1])
		if o.read.failed() {
			return outcomeReply{Error: o.read.described()}
		}
		if read, o.read.err = joined(chunks); o.read.failed() {
			return outcomeReply{Error: o.read.described()}
		}
	}
	sent := wire(read)
	return outcomeReply{Message: &sent}
}

func joined[M adk.MessageType](chunks []M) (one M, err error) {
	if len(chunks) == 0 {
		return one, nil
	}
	switch read := any(chunks).(type) {
	case []*schema.Message:
		both, err := schema.ConcatMessages(read)
		return any(both).(M), err
	case []*schema.AgenticMessage:
		both, err := schema.ConcatAgenticMessages(read)
		return any(both).(M), err
	}
	return one, nil
}
