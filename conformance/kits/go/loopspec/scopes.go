package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// errUnknownMethod says that the adapter does not serve a request.
var errUnknownMethod = errors.New("unknown method")

// ErrCaseOver ends everything that is under way in a case that the harness has ended.
var ErrCaseOver = errors.New("the case is over")

// call is an unanswered request to the harness, and so a scope: the goroutine that waits for the answer serves the
// requests within it, in the context that the implementation passed to the double.
type call struct {
	peer  *peer
	id    string
	inbox chan envelope
}

// reply holds the fields of every answer of the harness.
type reply struct {
	Error     *Error        `json:"error"`
	Nothing   bool          `json:"nothing"`
	Cancelled bool          `json:"cancelled"`
	Ctx       contextValues `json:"ctx"`
}

func (r *reply) base() *reply { return r }

type isReply interface{ base() *reply }

// serves serves the requests within a call: the inside of the run, and in an around-hook the inner endpoint.
type serves interface {
	serve(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// ask sends a request, serves the requests within it, and returns when the answer has arrived. A scripted error of the
// double is returned as an error; a scripted crash panics.
func ask(ctx context.Context, method string, params any, into isReply, within serves) error {
	where := placeOf(ctx)
	p := where.in.peer
	if where == lost {
		p.fault("%s is called in a context that belongs to no case: pass the context on", method)
	}
	if where.in.isOver() {
		return ErrCaseOver
	}
	asked := p.open()
	defer p.forget(asked)
	p.ask(asked.id, method, params)
	cancelled := ctx.Done()
	for {
		select {
		case <-where.in.over:
			return ErrCaseOver
		case <-cancelled:
			cancelled = nil // wait on: the double decides
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
		return fmt.Errorf("%w: %s", ErrCaseOver, message.Error.Message)
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

// nested serves a request within the call. A mistake of the adapter must not pass for behavior of the implementation.
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
