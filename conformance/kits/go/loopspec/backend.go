package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

// content is the content of a file on the wire: text, or bytes as base64. An absent field is the empty content.
type content struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

func contentOf(data []byte) content {
	if !utf8.Valid(data) {
		return content{Base64: data}
	}
	text := string(data)
	return content{Text: &text}
}

func (c content) bytes() []byte {
	if c.Text != nil {
		return []byte(*c.Text)
	}
	return c.Base64
}

// storeRequest has the params of every request about a store.
type storeRequest struct {
	Files   map[string]content `json:"files"`
	Handle  string             `json:"handle"`
	Path    string             `json:"path"`
	Target  string             `json:"target"`
	Kind    string             `json:"kind"`
	Content content            `json:"content"`
	Request fileRequest        `json:"request"`
}

// fileRequest asks for lines of a file, from line Offset on, counted from 1. A Limit of 0 means all.
type fileRequest struct {
	Path   string `json:"filePath"`
	Offset int    `json:"offset,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

type storeReply struct {
	content
	Error *Error `json:"error,omitempty"`
}

// openStore is a store of a case. The context ends with the case.
type openStore struct {
	store Store
	ctx   context.Context
	once  sync.Once // the end of the case closes a store that the harness has not closed
}

// backend serves the requests of the role backend.
func (s *Server) backend(in *Case, method string, params json.RawMessage) (any, error) {
	if method == "backend/resources" {
		counted, err := countResources()
		return struct {
			Value resources `json:"value"`
		}{counted}, err
	}
	sent := storeRequest{Request: fileRequest{Offset: 1}}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	if method == "backend/open" {
		return s.openStore(in, sent.Files)
	}
	opened, ok := in.Kept(sent.Handle).(*openStore)
	if !ok {
		return nil, fmt.Errorf("there is no store %q", sent.Handle)
	}
	call, err := opened.call(method, sent)
	if err != nil {
		return nil, err
	}
	var read content
	came := guarded(func() (err error) {
		read, err = call()
		return err
	})
	if came.failed() {
		return storeReply{Error: in.storeError(came.asError())}, nil
	}
	return storeReply{content: read}, nil
}

// openStore opens a store with the files of a scene. An error other than a refused name is a fault of the adapter.
func (s *Server) openStore(in *Case, files map[string]content) (any, error) {
	given := make(map[string][]byte, len(files))
	for path, file := range files {
		given[path] = file.bytes()
	}
	ctx, cancel := context.WithCancel(InCase(context.Background(), in))
	store, err := s.adapter.OpenBackend(ctx, given)
	if err != nil {
		cancel()
		if !errors.Is(err, ErrCannotStore) {
			return nil, fmt.Errorf("%w; wrap ErrCannotStore for a name that the store cannot store", err)
		}
		return Created{Error: in.storeError(err)}, nil
	}
	opened := &openStore{store: store, ctx: ctx}
	in.Go(func() {
		<-in.Over()
		cancel()
		opened.once.Do(func() { _ = guarded(opened.closed) })
	})
	return Created{Handle: in.Keep(opened)}, nil
}

func (o *openStore) closed() error {
	if closer, ok := o.store.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// call returns the call of the store that a request asks for. Without the method, the adapter is at fault.
func (o *openStore) call(method string, sent storeRequest) (func() (content, error), error) {
	switch method {
	case "backend/read":
		return func() (content, error) {
			data, err := o.store.Read(o.ctx, ReadRequest(sent.Request))
			return contentOf(data), err
		}, nil
	case "backend/write":
		return with(o, "Write", func(one WritingStore) error { return one.Write(o.ctx, sent.Path, sent.Content.bytes()) })
	case "backend/delete":
		return with(o, "Delete", func(one DeletingStore) error { return one.Delete(o.ctx, sent.Path) })
	case "backend/fault":
		return with(o, "Fault", func(one FaultyStore) error { return one.Fault(o.ctx, sent.Path, sent.Kind) })
	case "backend/link":
		return with(o, "Link", func(one LinkingStore) error { return one.Link(o.ctx, sent.Path, sent.Target) })
	case "backend/fail":
		return with(o, "Fail", func(one FailingStore) error { return one.Fail(o.ctx, sent.Kind) })
	case "backend/close":
		return func() (content, error) {
			o.once.Do(func() {})
			return content{}, o.closed()
		}, nil
	}
	return nil, errUnknownMethod
}

// with returns a call of an optional method of a store.
func with[S any](o *openStore, name string, do func(one S) error) (func() (content, error), error) {
	one, ok := o.store.(S)
	if !ok {
		return nil, fmt.Errorf("the store %T has no method %s, which a declared capability requires", o.store, name)
	}
	return func() (content, error) { return content{}, do(one) }, nil
}

// storeError describes the error of a store. The refusal of a name takes precedence over the reason of the refusal.
func (c *Case) storeError(err error) *Error {
	sent := c.Describe(err)
	if errors.Is(err, ErrCannotStore) {
		sent.Kind = "cannot_store"
	}
	return sent
}
