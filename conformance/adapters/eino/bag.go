package main

import (
	"context"
	"encoding/json"
	"os"
	"sync/atomic"
)

// bag holds the context values of the harness, which are carried and not read.
type bag map[string]json.RawMessage

func (b bag) with(more bag) bag {
	both := make(bag, len(b)+len(more))
	for key, value := range b {
		both[key] = value
	}
	for key, value := range more {
		both[key] = value
	}
	return both
}

// place is what is known of where a message comes from. It travels in eino's own context, with the bag.
type place struct {
	in   *caseInHand
	run  *runInHand
	held bag
}

type placeKey struct{}

func withPlace(ctx context.Context, at *place) context.Context {
	return context.WithValue(ctx, placeKey{}, at)
}

// placeOf finds the place again. Where eino has not handed the context on, it is lost.
func placeOf(ctx context.Context) *place {
	if at, ok := ctx.Value(placeKey{}).(*place); ok {
		return at
	}
	return lost
}

// lost is in no case: before the first one, or where nobody can say in which.
var lost = &place{in: &caseInHand{number: -1, peer: newPeer(os.Stdout), over: closed()}}

func closed() chan struct{} {
	over := make(chan struct{})
	close(over)
	return over
}

// from says where a message comes from, and remembers the context of the run, which has its session.
func from(ctx context.Context) fromAdapter {
	at := placeOf(ctx)
	said := fromAdapter{Case: at.in.number, Ctx: at.held}
	if at.run != nil {
		said.Run = at.run.id
		at.run.seen.CompareAndSwap(nil, &ctx)
	}
	return said
}

// carrying adds values to the bag.
func carrying(ctx context.Context, more bag) context.Context {
	if len(more) == 0 {
		return ctx
	}
	at := placeOf(ctx)
	return withPlace(ctx, &place{in: at.in, run: at.run, held: at.held.with(more)})
}

// runInHand is one run. `seen` is the first context that eino has called anything in.
type runInHand struct {
	id   string
	seen atomic.Pointer[context.Context]
}
