package loopspec

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
)

// The codes of JSON-RPC errors that the protocol knows.
const (
	unknownMethod = -32601
	noVersion     = -32010
	closedScope   = -32011
)

// envelope is one line: a request, a notification, or the answer to a request.
type envelope struct {
	ID     string          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// rpcError means that a program is broken, the harness or the adapter.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type outgoing struct {
	Version string    `json:"jsonrpc"`
	ID      string    `json:"id,omitempty"`
	Method  string    `json:"method,omitempty"`
	Params  any       `json:"params,omitempty"`
	Result  any       `json:"result,omitempty"`
	Error   *rpcError `json:"error,omitempty"`
}

// handles takes the messages of the harness. It must not wait for anything.
type handles interface {
	request(message envelope)
	note(message envelope)
}

// peer talks to the harness.
type peer struct {
	out *output

	mu    sync.Mutex
	asked int
	calls map[string]*call
}

func newPeer(out io.Writer) *peer {
	return &peer{out: &output{to: out}, calls: map[string]*call{}}
}

// read takes lines until the input ends. It waits for the next line only.
func (p *peer) read(in io.Reader, to handles) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		var message envelope
		if err := json.Unmarshal(line, &message); err != nil {
			go p.fault("this line is no message: %v", err)
			continue
		}
		switch {
		case message.Method == "":
			p.answered(message)
		case message.ID == "":
			to.note(message)
		default:
			to.request(message)
		}
	}
}

// answered passes an answer to the goroutine that waits for it, and closes the scope.
func (p *peer) answered(message envelope) {
	p.mu.Lock()
	waiting := p.calls[message.ID]
	delete(p.calls, message.ID)
	p.mu.Unlock()
	if waiting != nil { // otherwise the case of the call is over
		waiting.inbox <- message
	}
}

// nested passes a request to the call in whose scope it belongs.
func (p *peer) nested(scope string, message envelope) {
	p.mu.Lock()
	waiting := p.calls[scope]
	p.mu.Unlock()
	if waiting == nil {
		go p.refuse(message.ID, closedScope, fmt.Sprintf("the call %s is over", scope)) // the reader must not wait
		return
	}
	waiting.inbox <- message
}

// open begins a call; its id is the name of its scope.
func (p *peer) open() *call {
	opened := &call{peer: p, inbox: make(chan envelope, 4)}
	p.mu.Lock()
	p.asked++
	opened.id = "a" + strconv.Itoa(p.asked)
	p.calls[opened.id] = opened
	p.mu.Unlock()
	return opened
}

// forget removes a call that no goroutine waits for.
func (p *peer) forget(waiting *call) {
	p.mu.Lock()
	delete(p.calls, waiting.id)
	p.mu.Unlock()
}

func (p *peer) ask(id, method string, params any) {
	p.send(outgoing{ID: id, Method: method, Params: params})
}

func (p *peer) notify(method string, params any) {
	p.send(outgoing{Method: method, Params: params})
}

func (p *peer) reply(id string, result any) {
	p.send(outgoing{ID: id, Result: result})
}

func (p *peer) refuse(id string, code int, why string) {
	p.send(outgoing{ID: id, Error: &rpcError{Code: code, Message: why}})
}

// fault reports that this adapter is broken, so that the fault does not pass for behavior of the implementation.
func (p *peer) fault(format string, values ...any) {
	p.notify("adapter/fault", map[string]string{"message": fmt.Sprintf(format, values...)})
}

func (p *peer) send(message outgoing) {
	message.Version = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot write", message.Method, err)
		why := map[string]string{"message": err.Error()}
		line, _ = json.Marshal(outgoing{Version: "2.0", Method: "adapter/fault", Params: why})
	}
	p.out.write(append(line, '\n'))
}

// output writes whole lines. Lines that arrive during a write go out together.
type output struct {
	to io.Writer

	mu      sync.Mutex
	pending []byte
	writing bool
}

func (o *output) write(line []byte) {
	o.mu.Lock()
	o.pending = append(o.pending, line...)
	if o.writing {
		o.mu.Unlock()
		return
	}
	o.writing = true
	for len(o.pending) > 0 {
		batch := o.pending
		o.pending = nil
		o.mu.Unlock()
		if _, err := o.to.Write(batch); err != nil {
			os.Exit(1) // the harness is gone
		}
		o.mu.Lock()
	}
	o.writing = false
	o.mu.Unlock()
}
