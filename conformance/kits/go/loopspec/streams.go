package loopspec

import (
	"context"
	"encoding/json"
	"io"
)

// streamItem is the next chunk of a stream of the harness.
type streamItem struct {
	reply
	Stream    string      `json:"stream"`
	Message   *Message    `json:"message"`
	Answer    *ToolAnswer `json:"answer"`
	Interrupt *Interrupt  `json:"interrupt"`
	End       bool        `json:"end"`
}

type streamRequest struct {
	origin
	Stream string `json:"stream"`
}

// A Stream is a stream of the harness. The reader pulls one chunk after another.
type Stream[T any] struct {
	ctx    context.Context
	next   *streamItem // the first chunk, which arrives with the stream
	name   string
	ended  bool
	within serves
	read   func(item streamItem) (T, error)
}

func streamOf[T any](
	ctx context.Context, first streamItem, within serves, read func(item streamItem) (T, error),
) *Stream[T] {
	return &Stream[T]{ctx: ctx, next: &first, name: first.Stream, within: within, read: read}
}

// Recv returns the next chunk, and io.EOF at the end. A scripted error or an interrupt ends the stream. A scripted
// crash panics.
func (s *Stream[T]) Recv() (chunk T, err error) {
	if s.ended {
		return chunk, io.EOF
	}
	item := s.next
	s.next = nil
	if item == nil {
		item = &streamItem{}
		s.ended = true // unless a chunk arrives: a failure and a crash end the stream
		if err := ask(s.ctx, "stream/next", streamRequest{from(s.ctx), s.name}, item, s.within); err != nil {
			return chunk, err
		}
	}
	if s.ended = item.End || item.Interrupt != nil; item.End {
		return chunk, io.EOF
	}
	return s.read(*item)
}

// Close closes a stream before its end.
func (s *Stream[T]) Close() {
	if !s.ended {
		s.ended = true
		placeOf(s.ctx).in.peer.notify("stream/close", streamRequest{from(s.ctx), s.name})
	}
}

// An Interrupt is the interrupt of a tool, as an error. An adapter raises the interrupt of its implementation instead.
type Interrupt struct {
	Info  json.RawMessage `json:"info"`
	State json.RawMessage `json:"state"`
}

// Error returns a text without details.
func (*Interrupt) Error() string { return "the tool interrupts the run" }
