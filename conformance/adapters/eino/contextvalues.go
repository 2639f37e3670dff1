package main

import (
	"context"
	"encoding/json"
	"os"
	"sync/atomic"
)

// contextValues are the harness's context values, which the adapter carries and does not read.
type contextValues map[string]json.RawMessage

func (b contextValues) with(more contextValues) contextValues {
	both := make(contextValues, len(b)+len(more))
	for key, value := range b {
		both[key] = value
	}
	for key, value := range more {
		both[key] = value
	}
	return both
}

// place is the origin of a message: its case, its run and its context values. eino's own context carries it.
type place struct {
	in   *activeCase
	run  *activeRun
	held contextValues
}

type placeKey struct{}

func withPlace(ctx context.Context, at *place) context.Context {
	return context.WithValue(ctx, placeKey{}, at)
}

// placeOf finds the place of a context. Where eino has not passed the context on, the place is lost.
func placeOf(ctx context.Context) *place {
	if at, ok := ctx.Value(placeKey{}).(*place); ok {
		return at
	}
	return lost
}

// lost is in no case: before the first one, or where the case is unknown.
var lost = &place{in: &activeCase{number: -1, peer: newPeer(os.Stdout), over: closed()}}

func closed() chan struct{} {
	over := make(chan struct{})
	close(over)
	return over
}

// from fills in the origin of a message, and remembers the context of the run, which holds its session.
func from(ctx context.Context) adapterMessage {
	at := placeOf(ctx)
	sent := adapterMessage{Case: at.in.number, Ctx: at.held}
	if at.run != nil {
		sent.Run = at.run.id
		at.run.seen.CompareAndSwap(nil, &ctx)
	}
	return sent
}

// carrying adds context values.
func carrying(ctx context.Context, more contextValues) context.Context {
	if len(more) == 0 {
		return ctx
	}
	at := placeOf(ctx)
	return withPlace(ctx, &place{in: at.in, run: at.run, held: at.held.with(more)})
}

// activeRun is one run. `seen` is the first context that eino has called anything in.
type activeRun struct {
	id   string
	seen atomic.Pointer[context.Context]
}
