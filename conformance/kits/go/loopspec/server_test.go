package loopspec

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// echo is an agent that calls its model once.
type echo struct{ turns }

func (echo) Build(_ context.Context, parts *Parts[*turn]) (*Parts[*turn], error) {
	if parts.Model == nil {
		return nil, fmt.Errorf("an agent needs a model")
	}
	return parts, nil
}

func (echo) Run(ctx context.Context, parts *Parts[*turn], run *Run[*turn]) error {
	answer, err := parts.Model.Generate(ctx, ModelCall[*turn]{Messages: run.Messages})
	if err != nil {
		return err
	}
	if run.Streaming {
		stream := run.Stream(Event[*turn]{})
		stream.Send(answer)
		stream.Close(nil)
		return nil
	}
	run.Message(answer)
	run.Final(answer.texts[0])
	return nil
}

// client is the harness of a whole server.
type client struct {
	t     *testing.T
	to    io.Writer
	lines *bufio.Scanner
}

func serving(t *testing.T) *client {
	return servingA(t, Adapter{
		Name: "echo", Version: "1.0", Capabilities: []string{"streaming"},
		Postures: map[string]Posture{"after-order": {Value: "reversed", Link: "https://example.org"}},
		Agents:   NewAgents[*turn, *Parts[*turn]](echo{}),
	})
}

func servingA(t *testing.T, adapter Adapter) *client {
	in, to := io.Pipe()
	from, out := io.Pipe()
	server := NewServer(adapter, out)
	go func() { _ = server.Serve(in) }()
	t.Cleanup(func() { _ = to.Close() })
	return &client{t, to, bufio.NewScanner(from)}
}

func (c *client) send(line string) {
	if _, err := io.WriteString(c.to, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns the next message of the adapter, which must contain a text.
func (c *client) receive(part string) (got envelope) {
	c.t.Helper()
	if !c.lines.Scan() || json.Unmarshal(c.lines.Bytes(), &got) != nil || !strings.Contains(c.lines.Text(), part) {
		c.t.Fatalf("%q is not in %q", part, c.lines.Text())
	}
	return got
}

func (c *client) created(spec string) string {
	c.send(`{"id":"h1","method":"agent/create","params":{"case":1,"role":"agent","agent":` + spec + `}}`)
	var result Created
	if err := json.Unmarshal(c.receive(`"result"`).Result, &result); err != nil {
		c.t.Fatal(err)
	}
	if result.Error != nil {
		return result.Error.Kind
	}
	return result.Handle
}

func (c *client) begun(more string) envelope {
	handle := c.created(`{"name":"A","model":{"name":"m"}}`)
	c.send(`{"id":"h2","method":"agent/run","params":{"case":1,"handle":"` + handle + `","run":"r","messages":[{"role":"user","content":"q"}]` + more + `}}`)
	return c.receive(`"request":{"messages":[{"role":"user","content":"q"}]}`)
}

func TestTheHandshakeNamesTheImplementation(t *testing.T) {
	c := serving(t)
	c.send(`{"id":"h1","method":"initialize","params":{"protocolVersions":[1]}}`)
	c.receive(`"code":-32010`)
	c.send(`{"id":"h2","method":"initialize","params":{"protocolVersions":[1,3]}}`)
	c.receive(`"postures":{"after-order":{"value":"reversed","link":"https://example.org"}},"protocolVersion":3,"roles":["agent"]`)
	c.send(`{"id":"h3","method":"loader/load","params":{"case":1}}`)
	c.receive(`"code":-32601`)
}

func TestARunReportsItsEventsAndEnds(t *testing.T) {
	c := serving(t)
	asked := c.begun("")
	c.send(`{"id":"` + asked.ID + `","result":{"value":{"role":"assistant","content":"a"}}}`)
	c.receive(`"run/event","params":{"case":1,"run":"r","agent":"A","message":{"role":"assistant","content":"a"}}`)
	c.receive(`"run/final","params":{"case":1,"run":"r","text":"a"}`)
	c.receive(`"id":"h2","result":{}`)
	c.send(`{"id":"h3","method":"case/end","params":{"case":1}}`)
	c.receive(`"id":"h3","result":{}`)
}

func TestAStreamingRunReportsChunks(t *testing.T) {
	c := serving(t)
	asked := c.begun(`,"streaming":true`)
	c.send(`{"id":"` + asked.ID + `","result":{"value":{"role":"assistant","content":"a"}}}`)
	c.receive(`"stream":1`)
	c.receive(`"run/chunk","params":{"case":1,"run":"r","stream":1,"message":{"role":"assistant","content":"a"}}`)
	c.receive(`"stream":1,"end":true`)
	c.receive(`"id":"h2"`)
}

func TestAResumptionHasTheModeThatTheCallerRequests(t *testing.T) {
	c := serving(t)
	handle := c.created(`{"name":"A","model":{"name":"m"}}`)
	c.send(`{"id":"h2","method":"agent/resume","params":{"case":1,"handle":"` + handle + `","run":"r","checkpoint":"","streaming":true}}`)
	asked := c.receive(`"request"`)
	c.send(`{"id":"` + asked.ID + `","result":{"value":{"role":"assistant","content":"a"}}}`)
	c.receive(`"stream":1`)
}

func TestAnErrorOfARunIsAnEventAndItsEnd(t *testing.T) {
	c := serving(t)
	asked := c.begun("")
	c.send(`{"id":"` + asked.ID + `","result":{"error":{"kind":"scripted","code":"busy"}}}`)
	c.receive(`"run/event","params":{"case":1,"run":"r","agent":"A","error":{"kind":"scripted","code":"busy"`)
	c.receive(`"id":"h2","result":{"error":{"kind":"scripted","code":"busy"`)
}

func TestARejectedConfigurationIsAResult(t *testing.T) {
	if kind := serving(t).created(`{"name":"A","model":null}`); kind != "invalid_config" {
		t.Errorf("the answer is %s", kind)
	}
}

func TestALogLineBelongsToTheActiveCase(t *testing.T) {
	var out strings.Builder
	server := NewServer(Adapter{}, &out)
	fmt.Fprintln(server.Log(), "before any case")
	server.caseNumbered(3)
	fmt.Fprintln(server.Log(), "careful")
	if sent := out.String(); sent != `{"jsonrpc":"2.0","method":"log","params":{"case":3,"line":"careful"}}`+"\n" {
		t.Errorf("the log is %s", sent)
	}
}
