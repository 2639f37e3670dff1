package main

import (
	"io"

	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// pulled is a chunk, or the failure instead of one.
type pulled[T any] struct {
	chunk    T
	err      error
	panicked any
}

// stream is a stream of the harness as eino reads one, at most one chunk ahead. A crash of the harness's double panics in
// the reader of the stream. A stream without chunks has the chunks of empty.
func stream[T, C any](chunks *loopspec.Stream[C], read func(C) T, failed func(error) error, empty ...C) *schema.StreamReader[T] {
	pieces, source := schema.Pipe[pulled[C]](0)
	go func() {
		defer source.Close()
		for sent := 0; ; sent++ {
			next := pull(chunks)
			if next.err == io.EOF && sent < len(empty) {
				next = pulled[C]{chunk: empty[sent]}
			}
			if next.err == io.EOF {
				return
			}
			if source.Send(next, nil) {
				chunks.Close()
				return
			}
			if next.err != nil || next.panicked != nil {
				return
			}
		}
	}()
	return schema.StreamReaderWithConvert(pieces, func(one pulled[C]) (none T, err error) {
		if one.panicked != nil {
			panic(one.panicked)
		}
		if one.err != nil {
			return none, failed(one.err)
		}
		return read(one.chunk), nil
	})
}

func pull[C any](chunks *loopspec.Stream[C]) (next pulled[C]) {
	defer func() { next.panicked = recover() }()
	next.chunk, next.err = chunks.Recv()
	return next
}

func same[T any](one T) T { return one }

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

// copied reads a copy of a stream to its end.
func copied[T any](pieces **schema.StreamReader[T]) ([]T, error) {
	copies := (*pieces).Copy(2)
	*pieces = copies[0]
	return all(copies[1])
}
