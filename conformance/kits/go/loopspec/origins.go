package loopspec

import (
	"context"
	"encoding/json"
	"os"
	"sync/atomic"
)

// contextValues are the context values of the harness, which an adapter carries and does not read.
type contextValues map[string]json.RawMessage

func (v contextValues) with(more contextValues) contextValues {
	both := make(contextValues, len(v)+len(more))
	for key, value := range v {
		both[key] = value
	}
	for key, value := range more {
		both[key] = value
	}
	return both
}

// origin holds the fields of every message about a case.
type origin struct {
	Case int           `json:"case"`
	Run  string        `json:"run,omitempty"`
	Ctx  contextValues `json:"ctx,omitempty"`
}

// place is where a message comes from: its case, its run and its context values. The context of the implementation
// carries the place.
type place struct {
	in   *Case
	run  *activeRun
	held contextValues
}

// activeRun is one run. `seen` is the first context that the implementation has called a double in.
type activeRun struct {
	id   string
	seen atomic.Pointer[context.Context]
}

type placeKey struct{}

func withPlace(ctx context.Context, at *place) context.Context {
	return context.WithValue(ctx, placeKey{}, at)
}

// InCase returns a context that belongs to a case and to no run. Doubles find their case in their context.
func InCase(ctx context.Context, in *Case) context.Context { return withPlace(ctx, &place{in: in}) }

// InRun returns a context that belongs to a run of a case.
func InRun(ctx context.Context, in *Case, run string) context.Context {
	return withPlace(ctx, &place{in: in, run: &activeRun{id: run}})
}

// CaseOf returns the case of a context.
func CaseOf(ctx context.Context) *Case { return placeOf(ctx).in }

// placeOf finds the place of a context. Where the implementation has not passed the context on, the place is lost.
func placeOf(ctx context.Context) *place {
	if at, ok := ctx.Value(placeKey{}).(*place); ok {
		return at
	}
	return lost
}

// lost is in no case: before the first case, or where the case is unknown. The peer is that of the server.
var lost = &place{in: &Case{number: -1, peer: newPeer(os.Stdout), adapter: &Adapter{}, over: closed()}}

func closed() chan struct{} {
	over := make(chan struct{})
	close(over)
	return over
}

// from fills in the origin of a message, and remembers the first context of the run.
func from(ctx context.Context) origin {
	at := placeOf(ctx)
	sent := origin{Case: at.in.number, Ctx: at.held}
	if at.run != nil {
		sent.Run = at.run.id
		at.run.seen.CompareAndSwap(nil, &ctx)
	}
	return sent
}

// Carry adds context values, a JSON object, to a context.
func Carry(ctx context.Context, values map[string]json.RawMessage) context.Context {
	if len(values) == 0 {
		return ctx
	}
	at := placeOf(ctx)
	return withPlace(ctx, &place{in: at.in, run: at.run, held: at.held.with(values)})
}
