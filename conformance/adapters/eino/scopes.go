package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// errCaseOver ends what is still under way in a case that the harness has ended.
var errCaseOver = errors.New("the case is over")

// call is a request to the harness that is not answered yet, and so a scope: requests in it are served by the
// goroutine that waits for the answer, in the context that eino gave to it.
type call struct {
	peer  *peer
	id    string
	inbox chan envelope
}

// fromAdapter is what every message out of a case says.
type fromAdapter struct {
	Case int    `json:"case"`
	Run  string `json:"run,omitempty"`
	Ctx  bag    `json:"ctx,omitempty"`
}

// reply is what every answer of the harness may be.
type reply struct {
	Error     *wireError `json:"error"`
	Nothing   bool       `json:"nothing"`
	Cancelled bool       `json:"cancelled"`
	Ctx       bag        `json:"ctx"`
}

func (r *reply) base() *reply { return r }

type isReply interface{ base() *reply }

// serves is what can be done during a call: the run from inside, and in an around-hook the call further in.
type serves interface {
	serve(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// ask sends a request out of a run, and serves what the harness asks within it until the answer is there. What the
// harness's double fails with is returned as an error, or panics where it is unforeseen.
func ask(ctx context.Context, method string, params any, into isReply, within serves) error {
	where := placeOf(ctx)
	p := where.in.peer
	if where == lost {
		p.fault("eino has called for %s in a context that is not of any run", method)
	}
	if where.in.isOver() {
		return errCaseOver
	}
	asked := p.open()
	defer p.forget(asked)
	p.ask(asked.id, method, params)
	cancelled := ctx.Done()
	for {
		select {
		case <-where.in.over:
			return errCaseOver
		case <-cancelled:
			cancelled = nil // it is waited for all the same: the double decides
			p.notify("$/cancel", map[string]string{"id": asked.id})
		case message := <-asked.inbox:
			if message.Method != "" {
				asked.nested(ctx, message, within)
				continue
			}
			return answer(p, method, message, into)
		}
	}
}

func answer(p *peer, method string, message envelope, into isReply) error {
	if message.Error != nil {
		return fmt.Errorf("%w: %s", errCaseOver, message.Error.Message)
	}
	if err := json.Unmarshal(message.Result, into); err != nil {
		p.fault("the answer to %s: %v", method, err)
		return err
	}
	got := into.base()
	if got.Cancelled {
		return context.Canceled
	}
	return raised(got.Error, false)
}

// nested serves a request that came within the call. An adapter's own mistake must not pass for eino's behaviour.
func (c *call) nested(ctx context.Context, message envelope, within serves) {
	result, err := within.serve(ctx, message.Method, message.Params)
	if errors.Is(err, errUnknownMethod) {
		c.peer.refuse(message.ID, unknownMethod, message.Method)
		return
	}
	if err != nil {
		c.peer.fault("%s: %v", message.Method, err)
	}
	c.peer.reply(message.ID, result)
}
