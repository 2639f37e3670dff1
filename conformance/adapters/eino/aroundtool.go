package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

type aroundTool struct {
	adapterMessage
	Handler string      `json:"handler"`
	Request toolRequest `json:"request"`
}

// toolOutcome is the outcome of a tool call, of any kind of tool.
type toolOutcome struct {
	failure
	text    string
	result  *schema.ToolResult
	texts   *schema.StreamReader[string]
	results *schema.StreamReader[*schema.ToolResult]
	read    failure // the outcome of reading it
}

// endpoint is the inner endpoint around a tool call.
type endpoint func(ctx context.Context, args string, opts []tool.Option) toolOutcome

// toolCalls are the calls of the inner endpoint that one around-hook has made.
type toolCalls[M adk.MessageType] struct {
	inside[M]
	inner    endpoint
	opts     []tool.Option
	sent     map[string]any
	outcomes []*toolOutcome
}

// around returns a handler's answer around a tool call.
func around[M adk.MessageType](ctx context.Context, name string, request toolRequest, opts []tool.Option, inner endpoint) toolOutcome {
	request.Options, request.Resumed = settings(opts), resumption(ctx)
	calls := &toolCalls[M]{inner: inner, opts: opts, sent: request.Options}
	var got aroundReply
	err := ask(ctx, "handler/aroundTool", aroundTool{from(ctx), name, request}, &got, calls)
	if err == nil {
		err = got.within(ctx, len(calls.outcomes))
	}
	switch {
	case err != nil:
		return toolOutcome{failure: failure{err: err}}
	case got.Raise != nil && calls.outcomes[*got.Raise].failed():
		return *calls.outcomes[*got.Raise]
	case got.Raise != nil:
		return toolOutcome{failure: calls.outcomes[*got.Raise].read}
	case got.Return != nil:
		return *calls.outcomes[*got.Return]
	}
	return answered(request.Kind, got.Answer)
}

// answered is the handler's own answer, in the form of the tool's kind; nil: no answer.
func answered(kind string, answer *toolAnswer) (made toolOutcome) {
	if answer == nil {
		return made
	}
	switch kind {
	case streamable:
		made.texts = schema.StreamReaderFromArray([]string{answer.Text})
	case enhancedInvokable:
		made.result = resultOf(answer.Parts)
	case enhancedStreamable:
		made.results = schema.StreamReaderFromArray([]*schema.ToolResult{resultOf(answer.Parts)})
	default:
		made.text = answer.Text
	}
	return made
}

func (c *toolCalls[M]) serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
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
	if sent.Tool == nil {
		return nil, fmt.Errorf("next without a request to the tool")
	}
	reached := c.next(carrying(ctx, sent.Ctx), *sent.Tool)
	c.outcomes = append(c.outcomes, &reached)
	return outcome{reached.described()}, nil
}

func (c *toolCalls[M]) next(ctx context.Context, wanted toolRequest) (reached toolOutcome) {
	defer func() {
		if panicked := recover(); panicked != nil {
			reached.panicked = panicked
		}
	}()
	opts := c.opts
	if fmt.Sprint(wanted.Options) != fmt.Sprint(c.sent) {
		opts = append(opts[:len(opts):len(opts)], withSettings(wanted.Options))
	}
	return c.inner(ctx, wanted.Args, opts)
}

// all is the whole outcome. A stream is copied first, so that the hook can still return it.
func (o *toolOutcome) all() outcomeReply {
	if o.failed() {
		return outcomeReply{Error: o.described()}
	}
	answer := &toolAnswer{Text: o.text, Parts: partsOf(o.result)}
	if o.texts != nil {
		copies := o.texts.Copy(2)
		o.texts = copies[0]
		var read []string
		read, o.read = readAll(copies[1])
		answer.Text = strings.Join(read, "")
	}
	if o.results != nil {
		copies := o.results.Copy(2)
		o.results = copies[0]
		var read []*schema.ToolResult
		read, o.read = readAll(copies[1])
		for _, one := range read {
			answer.Parts = append(answer.Parts, partsOf(one)...)
		}
	}
	if o.read.failed() {
		return outcomeReply{Error: o.read.described()}
	}
	return outcomeReply{Answer: answer}
}
