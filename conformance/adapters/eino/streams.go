package main

import (
	"context"
	"io"

	"github.com/cloudwego/eino/schema"
)

// streamItem is the next chunk of a stream of the harness.
type streamItem struct {
	reply
	Stream    string      `json:"stream"`
	Message   *message    `json:"message"`
	Answer    *toolAnswer `json:"answer"`
	Interrupt *interrupt  `json:"interrupt"`
	End       bool        `json:"end"`
}

type streamRequest struct {
	adapterMessage
	Stream string `json:"stream"`
}

// pulled is a chunk, or the failure instead of one.
type pulled struct {
	item     streamItem
	err      error
	panicked any
}

// stream is a stream of the harness as eino reads one. It pulls one chunk after another, at most one ahead; the first
// has arrived already. A crash of the harness's double panics in the reader of the stream.
func stream[T any](ctx context.Context, first streamItem, within serves, read func(ctx context.Context, item streamItem) (T, error)) *schema.StreamReader[T] {
	pieces, source := schema.Pipe[pulled](0)
	go func() {
		defer source.Close()
		for next := (pulled{item: first}); !next.item.End; next = pull(ctx, first.Stream, within) {
			if source.Send(next, nil) {
				placeOf(ctx).in.peer.notify("stream/close", streamRequest{from(ctx), first.Stream})
				return
			}
			if next.err != nil || next.panicked != nil {
				return
			}
		}
	}()
	return schema.StreamReaderWithConvert(pieces, func(one pulled) (T, error) {
		if one.panicked != nil {
			panic(one.panicked)
		}
		if one.err != nil {
			var none T
			return none, one.err
		}
		return read(ctx, one.item)
	})
}

func pull(ctx context.Context, name string, within serves) (next pulled) {
	defer func() { next.panicked = recover() }()
	next.err = ask(ctx, "stream/next", streamRequest{from(ctx), name}, &next.item, within)
	return next
}

// all reads a stream to its end.
func all[T any](pieces *schema.StreamReader[T]) ([]T, error) {
	defer pieces.Close()
	var read []T
	for {
		piece, err := pieces.Recv()
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
		read = append(read, piece)
	}
}

// readAll reads a stream to its end, or to the failure that broke it.
func readAll[T any](pieces *schema.StreamReader[T]) (read []T, came failure) {
	defer func() {
		if panicked := recover(); panicked != nil {
			came.panicked = panicked
		}
	}()
	read, came.err = all(pieces)
	return read, came
}
