package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// plain is a store that can only be read: each path has a content, an error or a panic.
type plain struct {
	files  map[string][]byte
	errors map[string]error
}

func (p *plain) Read(_ context.Context, request ReadRequest) ([]byte, error) {
	if err, ok := p.errors[request.Path]; ok {
		if err == nil {
			panic("oops")
		}
		return nil, err
	}
	content, ok := p.files[request.Path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: request.Path, Err: syscall.ENOENT}
	}
	if request.Offset != 1 || request.Limit != 0 {
		return fmt.Appendf(nil, "lines %d and %d of %s", request.Offset, request.Limit, content), nil
	}
	return content, nil
}

// recording is a store with every method. Each call is a line.
type recording struct {
	plain
	calls []string
	ctx   context.Context
}

func (r *recording) called(words ...any) error {
	r.calls = append(r.calls, strings.TrimSuffix(fmt.Sprintln(words...), "\n"))
	return nil
}

func (r *recording) Write(ctx context.Context, path string, content []byte) error {
	r.ctx = ctx
	if path == "refused" {
		return fmt.Errorf("%w: %w", ErrCannotStore, syscall.ENOTDIR)
	}
	return r.called("write", path, content)
}
func (r *recording) Delete(_ context.Context, path string) error { return r.called("delete", path) }
func (r *recording) Fault(_ context.Context, path, kind string) error {
	return r.called("fault", path, kind)
}
func (r *recording) Link(_ context.Context, path, target string) error {
	return r.called("link", path, target)
}
func (r *recording) Fail(_ context.Context, kind string) error { return r.called("fail", kind) }
func (r *recording) Close() error                              { return r.called("close") }

// opened is a client that has opened a store in case 1.
type opened struct {
	*client
	handle string
}

func opening(t *testing.T, store Store) *opened {
	c := servingA(t, Adapter{OpenBackend: func(context.Context, map[string][]byte) (Store, error) { return store, nil }})
	c.send(`{"id":"h1","method":"backend/open","params":{"case":1}}`)
	var result Created
	if err := json.Unmarshal(c.receive(`"result"`).Result, &result); err != nil || result.Handle == "" {
		t.Fatal(err, result)
	}
	return &opened{c, result.Handle}
}

func (o *opened) asks(method, more string) {
	o.send(`{"id":"h2","method":"` + method + `","params":{"case":1,"handle":"` + o.handle + `"` + more + `}}`)
}

func TestABackendHasItsRoleAndResourcesWithoutADeclaration(t *testing.T) {
	c := servingA(t, Adapter{Capabilities: []string{"edits"}, OpenBackend: func(context.Context, map[string][]byte) (Store, error) {
		return nil, nil
	}})
	c.send(`{"id":"h1","method":"initialize","params":{"protocolVersions":[3]}}`)
	c.receive(`"capabilities":["edits","resources"]`)
	both := Adapter{Agents: NewAgents[*turn, *Parts[*turn]](echo{}), OpenBackend: c.noStore}
	if roles := both.roles(); len(roles) != 2 {
		t.Errorf("the roles are %v", roles)
	}
}

func (*client) noStore(context.Context, map[string][]byte) (Store, error) {
	return nil, errors.New("no disk")
}

func TestAStoreOpensWithTheFilesOfTheScene(t *testing.T) {
	given := map[string][]byte{}
	c := servingA(t, Adapter{OpenBackend: func(_ context.Context, files map[string][]byte) (Store, error) {
		given = files
		return nil, fmt.Errorf("%w: b", ErrCannotStore)
	}})
	c.send(`{"id":"h1","method":"backend/open","params":{"case":1,"files":{"a":{"text":"é"},"b":{"base64":"/w=="},"c":{}}}}`)
	c.receive(`"error":{"kind":"cannot_store"`)
	if fmt.Sprint(given) != fmt.Sprint(map[string][]byte{"a": []byte("é"), "b": {0xff}, "c": {}}) {
		t.Errorf("the files are %v", given)
	}
}

func TestAStoreThatDoesNotOpenIsAFault(t *testing.T) {
	c := servingA(t, Adapter{OpenBackend: (*client)(nil).noStore})
	c.send(`{"id":"h1","method":"backend/open","params":{"case":1}}`)
	c.receive(`"adapter/fault","params":{"message":"backend/open: no disk; wrap ErrCannotStore`)
}

func TestContentIsTextOrBase64(t *testing.T) {
	o := opening(t, &plain{files: map[string][]byte{"text": []byte("é\n"), "bytes": {0xff, 0xfe}, "nil": nil}})
	for _, one := range [][2]string{
		{`,"request":{"filePath":"text"}`, `"result":{"text":"é\n"}`},
		{`,"request":{"filePath":"bytes"}`, `"result":{"base64":"//4="}`},
		{`,"request":{"filePath":"nil"}`, `"result":{"text":""}`},
		{`,"request":{"filePath":"text","offset":0,"limit":2}`, `"result":{"text":"lines 0 and 2 of é\n"}`},
	} {
		o.asks("backend/read", one[0])
		o.receive(one[1])
	}
}

func TestAnErrorOfAReadHasItsKind(t *testing.T) {
	o := opening(t, &plain{errors: map[string]error{
		"wrapped": fmt.Errorf("no such key: %w", fs.ErrNotExist), "folder": &fs.PathError{Err: syscall.EISDIR},
		"below": syscall.ENOTDIR, "forbidden": syscall.EACCES, "loop": syscall.ELOOP, "panic": nil,
	}})
	for path, kind := range map[string]string{
		"missing": "not_exist", "wrapped": "not_exist", "folder": "directory", "below": "not_a_directory",
		"forbidden": "permission", "loop": "other", "panic": "other",
	} {
		o.asks("backend/read", `,"request":{"filePath":"`+path+`"}`)
		o.receive(`"result":{"error":{"kind":"` + kind + `"`)
	}
}

func TestEachRequestCallsItsMethod(t *testing.T) {
	store := &recording{}
	o := opening(t, store)
	for _, one := range [][2]string{
		{"backend/write", `,"path":"a","content":{"text":"b"}`},
		{"backend/write", `,"path":"a","content":{"base64":"/w=="}`},
		{"backend/delete", `,"path":"a"`}, {"backend/fault", `,"path":"a","kind":"io"`},
		{"backend/link", `,"path":"a","target":"b"`}, {"backend/fail", `,"kind":"gone"`}, {"backend/close", ""},
		{"backend/close", ""},
	} {
		o.asks(one[0], one[1])
		o.receive(`"result":{}`)
	}
	called := "write a [98]|write a [255]|delete a|fault a io|link a b|fail gone|close|close"
	if strings.Join(store.calls, "|") != called {
		t.Errorf("the calls are %q", store.calls)
	}
	o.asks("backend/write", `,"path":"refused"`)
	o.receive(`"result":{"error":{"kind":"cannot_store"`)
}

func TestAMissingMethodIsAFault(t *testing.T) {
	o := opening(t, &plain{})
	o.asks("backend/delete", `,"path":"a"`)
	o.receive("has no method Delete, which a declared capability requires")
	o.asks("backend/close", "") // a store need not have Close
	o.receive(`"result":{}`)
	o.handle = "e9"
	o.asks("backend/read", `,"path":"a"`)
	o.receive(`there is no store`)
}

func TestTheEndOfACaseClosesItsStoreOnce(t *testing.T) {
	for name, closes := range map[string]bool{"left open": false, "closed": true} {
		store := &recording{}
		o := opening(t, store)
		o.asks("backend/write", `,"path":"a"`)
		o.receive(`"result":{}`)
		if closes {
			o.asks("backend/close", "")
			o.receive(`"result":{}`)
		}
		o.send(`{"id":"h3","method":"case/end","params":{"case":1}}`)
		o.receive(`"id":"h3","result":{}`)
		if store.ctx.Err() == nil {
			t.Error("the context of the store does not end")
		}
		if strings.Join(store.calls, "|") != "write a []|close" {
			t.Errorf("%s: the calls are %q", name, store.calls)
		}
	}
}

func TestResourcesAreFilesThreadsAndGoroutines(t *testing.T) {
	before, err := countResources()
	if err != nil || before.Descriptors < 3 || before.Threads < 1 || before.Tasks < 1 {
		t.Fatal(before, err)
	}
	file, err := os.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	hold := make(chan struct{})
	go func() { <-hold }()
	after, err := countResources()
	if err != nil || after.Descriptors != before.Descriptors+1 || after.Tasks != before.Tasks+1 {
		t.Errorf("after %+v come %+v, %v", before, after, err)
	}
	close(hold)
	_ = file.Close()
	o := opening(t, &plain{})
	o.asks("backend/resources", "")
	o.receive(`"descriptors":`)
}
