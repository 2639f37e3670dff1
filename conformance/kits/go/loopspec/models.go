package loopspec

import (
	"context"
	"time"
)

// A ModelCall is a call of a model. A system instruction is the first of the messages.
type ModelCall[M any] struct {
	Messages      []M
	Tools         []ToolInfo
	DeferredTools []ToolInfo
	ToolSearch    *ToolInfo
	Options       map[string]any
	Model         string        // in a wrapper's call: the name of the additional model; empty means the agent's model
	Context       *ModelContext // what a wrapper receives; nil means that a wrapper receives nothing
}

type modelRequest struct {
	Messages      []Message      `json:"messages,omitempty"`
	Tools         []ToolInfo     `json:"tools,omitempty"`
	DeferredTools []ToolInfo     `json:"deferredTools,omitempty"`
	ToolSearch    *ToolInfo      `json:"toolSearch,omitempty"`
	Options       map[string]any `json:"options,omitempty"`
	Streaming     bool           `json:"streaming,omitempty"`
	Model         *string        `json:"model,omitempty"`
}

func (c ModelCall[M]) request(messages []Message, streaming bool) modelRequest {
	return modelRequest{
		Messages: messages, Tools: c.Tools, DeferredTools: c.DeferredTools, ToolSearch: c.ToolSearch,
		Options: c.Options, Streaming: streaming,
	}
}

// A ModelDouble is a model of the harness.
type ModelDouble[M any] struct {
	Spec    ModelSpec
	convert Messages[M]
}

// NewModel returns the model of a spec.
func NewModel[M any](convert Messages[M], spec ModelSpec) *ModelDouble[M] {
	return &ModelDouble[M]{spec, convert}
}

type callModel struct {
	origin
	Model   string       `json:"model"`
	Request modelRequest `json:"request"`
}

type modelReply struct {
	reply
	Value *Message `json:"value"`
}

func (m *ModelDouble[M]) asked(ctx context.Context, call ModelCall[M], streaming bool) callModel {
	sent := conversationOf(m.convert, call.Messages).sent
	return callModel{from(ctx), m.Spec.Name, call.request(sent, streaming)}
}

// Generate returns the model's answer. The answer is the zero value if the model returns nothing.
func (m *ModelDouble[M]) Generate(ctx context.Context, call ModelCall[M]) (answer M, err error) {
	var got modelReply
	err = ask(ctx, "model/generate", m.asked(ctx, call, false), &got, inside{m.convert})
	if err != nil || got.Value == nil {
		return answer, err
	}
	return fromWire(m.convert, *got.Value), nil
}

// Stream returns the model's answer in chunks.
func (m *ModelDouble[M]) Stream(ctx context.Context, call ModelCall[M]) (*Stream[M], error) {
	var first streamItem
	if err := ask(ctx, "model/stream", m.asked(ctx, call, true), &first, inside{m.convert}); err != nil {
		return nil, err
	}
	return streamOf(ctx, first, inside{m.convert}, func(item streamItem) (chunk M, err error) {
		if item.Message == nil {
			return chunk, nil
		}
		return chunkFrom(m.convert, *item.Message), nil
	}), nil
}

// A RetryDouble holds the retry callbacks of the harness for an agent.
type RetryDouble[M any] struct {
	Spec    RetrySpec
	agent   string
	convert Messages[M]
}

// An Attempt is an attempt to call a model. Answer is nil if the model returned nothing.
type Attempt[M any] struct {
	Number   int
	Messages []M
	Answer   *M
	Err      error
}

type failedCall struct {
	origin
	Agent string `json:"agent"`
	Error *Error `json:"error"`
}

type decisionReply struct {
	reply
	Yes *bool `json:"value"`
}

// IsRetryable is the retry predicate: whether a failed call is retried.
func (r *RetryDouble[M]) IsRetryable(ctx context.Context, failed error) bool {
	return yes(ctx, "retry/isRetryable", failedCall{from(ctx), r.agent, CaseOf(ctx).Describe(failed)})
}

// IsAccepted is the answer check: it judges an attempt, and returns nil without an opinion.
func (r *RetryDouble[M]) IsAccepted(ctx context.Context, made Attempt[M]) *bool {
	asked := struct {
		origin
		Agent    string    `json:"agent"`
		Attempt  int       `json:"attempt"`
		Messages []Message `json:"messages,omitempty"`
		Answer   *Message  `json:"answer,omitempty"`
		Error    *Error    `json:"error,omitempty"`
	}{origin: from(ctx), Agent: r.agent, Attempt: made.Number, Error: CaseOf(ctx).Describe(made.Err)}
	asked.Messages = conversationOf(r.convert, made.Messages).sent
	if made.Answer != nil {
		asked.Answer = joined(toWire(r.convert, *made.Answer))
	}
	var got decisionReply
	if err := ask(ctx, "retry/isAccepted", asked, &got, noInside{}); err != nil {
		return nil
	}
	return got.Yes
}

// Delay is the back-off callback: the delay before a retry.
func (r *RetryDouble[M]) Delay(ctx context.Context, retry int) time.Duration {
	asked := struct {
		origin
		Agent string `json:"agent"`
		Retry int    `json:"retry"`
	}{from(ctx), r.agent, retry}
	var got struct {
		reply
		Seconds float64 `json:"value"`
	}
	_ = ask(ctx, "retry/delay", asked, &got, noInside{}) // the callback has no error to return
	return time.Duration(got.Seconds * float64(time.Second))
}

func yes(ctx context.Context, method string, asked any) bool {
	var got decisionReply
	err := ask(ctx, method, asked, &got, noInside{})
	return err == nil && got.Yes != nil && *got.Yes
}

// A FailoverDouble holds the failover callbacks of the harness for an agent.
type FailoverDouble[M any] struct {
	Spec    FailoverSpec
	agent   string
	convert Messages[M]
}

// A Choice is a backup model and its messages. An empty Model means no model. Nil messages mean the original ones.
type Choice[M any] struct {
	Model    string
	Messages []M
}

// ShouldFailover is the failover predicate: whether a failed call fails over.
func (f *FailoverDouble[M]) ShouldFailover(ctx context.Context, failed error) bool {
	return yes(ctx, "failover/shouldFailover", failedCall{from(ctx), f.agent, CaseOf(ctx).Describe(failed)})
}

// NextModel is the backup selector. The choice is nil if the selector returns nothing.
func (f *FailoverDouble[M]) NextModel(
	ctx context.Context, attempt int, messages []M, failed error,
) (*Choice[M], error) {
	sent := conversationOf(f.convert, messages).sent
	asked := struct {
		origin
		Agent    string     `json:"agent"`
		Error    *Error     `json:"error"`
		Attempt  *int       `json:"attempt,omitempty"`
		Messages *[]Message `json:"messages,omitempty"`
	}{from(ctx), f.agent, CaseOf(ctx).Describe(failed), &attempt, &sent}
	var got struct {
		reply
		Chosen *struct {
			Model    *string    `json:"model"`
			Messages *[]Message `json:"messages"`
		} `json:"value"`
	}
	if err := ask(ctx, "failover/nextModel", asked, &got, noInside{}); err != nil || got.Chosen == nil {
		return nil, err
	}
	choice := &Choice[M]{}
	if got.Chosen.Messages != nil {
		choice.Messages = allFromWire(f.convert, *got.Chosen.Messages)
	}
	if got.Chosen.Model != nil {
		choice.Model = *got.Chosen.Model
	}
	return choice, nil
}
