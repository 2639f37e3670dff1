package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cloudwego/eino/adk"
)

const (
	protocolVersion = 2
	einoVersion     = "0.9.9"
)

var (
	roles        = []string{"loader", "middleware", "agent"}
	capabilities = []string{
		"after-agent-edits", "after-agent-hooks", "after-model-edits", "after-model-hooks", "agent-tool",
		"agentic-messages", "agentsmd", "before-agent-edits", "before-agent-hooks", "before-model-edits",
		"before-model-hooks", "callbacks", "cancel", "concurrent-runs", "context-values", "custom-input",
		"custom-types", "default-warning-sink", "deferred-tools", "enhanced-tools", "exit-tool", "failover",
		"incomplete-tools", "interrupt", "language-zh", "legacy", "missing-results", "model-wrappers",
		"nil-values", "output-key", "raw-arguments", "repeated-inner-calls", "reports-instruction",
		"reports-recovery", "reports-return-directly", "reports-tools", "retry", "return-directly", "run-values",
		"send-event", "sequential-tools", "session-values", "several-handlers", "streaming", "streaming-tools",
		"tool-middlewares", "tool-options", "tool-search", "tool-wrappers", "tools-from-hooks",
	}
)

// activeCase is a case of the harness, and the objects that were built for it.
type activeCase struct {
	number int
	peer   *peer
	over   chan struct{}

	mu          sync.Mutex
	handles     map[string]any
	cancels     map[string]*canceller
	byName      map[string]any
	sharedLists map[int]any
	underWay    map[string]bool
	background  sync.WaitGroup
}

// keep gives an object a handle.
func (c *activeCase) keep(built any) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	handle := "e" + strconv.Itoa(len(c.handles)+1)
	c.handles[handle] = built
	return handle
}

func (c *activeCase) kept(handle string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.handles[handle]
}

// running marks a run as under way until the returned function is called.
func (c *activeCase) running(run string) func() {
	c.mark(run, true)
	return func() { c.mark(run, false) }
}

func (c *activeCase) mark(run string, runs bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if runs {
		c.underWay[run] = true
	} else {
		delete(c.underWay, run)
	}
}

// onlyRun is the run under way. With several, the run of an event without a context is unknown.
func (c *activeCase) onlyRun() (only string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for run := range c.underWay {
		if len(c.underWay) == 1 {
			only = run
		}
	}
	return only
}

// server answers the harness.
type server struct {
	peer    *peer
	current atomic.Pointer[activeCase]
}

func newServer(out io.Writer) *server {
	s := &server{peer: newPeer(out)}
	lost.in.peer = s.peer
	s.current.Store(lost.in)
	return s
}

// caseNumbered is the active case, which begins with its first message. Only the reader calls it.
func (s *server) caseNumbered(number int) *activeCase {
	if now := s.current.Load(); now.number == number {
		return now
	}
	begun := &activeCase{
		number: number, peer: s.peer, over: make(chan struct{}), handles: map[string]any{},
		cancels: map[string]*canceller{}, byName: map[string]any{}, sharedLists: map[int]any{}, underWay: map[string]bool{},
	}
	s.current.Store(begun)
	return begun
}

var nestedMethods = map[string]bool{
	"next": true, "outcome/read": true, "local/set": true, "local/get": true, "local/delete": true,
	"session/set": true, "session/get": true, "event/send": true, "context/assign": true,
}

func (s *server) note(message envelope) {
	switch message.Method {
	case "exit":
		os.Exit(0)
	case "$/cancel": // the deadline of the case has passed
		go s.current.Load().end()
	}
}

func (s *server) request(message envelope) {
	switch message.Method {
	case "initialize":
		go s.initialize(message)
		return
	case "ping":
		go s.peer.reply(message.ID, struct{}{})
		return
	}
	var about struct {
		Case int    `json:"case"`
		In   string `json:"in"`
	}
	if err := json.Unmarshal(message.Params, &about); err != nil {
		s.peer.fault("%s: %v", message.Method, err)
		return
	}
	if nestedMethods[message.Method] && about.In != "" {
		s.peer.nested(about.In, message)
		return
	}
	in := s.caseNumbered(about.Case)
	if message.Method == "run/cancel" { // the request must be made before any later message is served
		begin, err := cancelRun(in, message.Params)
		if err != nil {
			s.peer.fault("%s: %v", message.Method, err)
			return
		}
		go s.peer.reply(message.ID, begin())
		return
	}
	go s.serve(in, message)
}

func (s *server) initialize(message envelope) {
	var offered struct {
		ProtocolVersions []int `json:"protocolVersions"`
	}
	_ = json.Unmarshal(message.Params, &offered)
	for _, version := range offered.ProtocolVersions {
		if version == protocolVersion {
			s.peer.reply(message.ID, map[string]any{
				"protocolVersion": version, "roles": roles, "capabilities": capabilities,
				"implementation": map[string]string{"name": "eino", "version": einoVersion, "language": "Go"},
			})
			return
		}
	}
	s.peer.refuse(message.ID, noVersion, "this adapter speaks version "+strconv.Itoa(protocolVersion))
}

// serve answers one request. A panic here is a fault of this adapter.
func (s *server) serve(in *activeCase, message envelope) {
	defer func() {
		if broken := recover(); broken != nil {
			s.peer.fault("%s: %v\n%s", message.Method, broken, debug.Stack())
		}
	}()
	result, err := s.result(in, message)
	switch {
	case err == errUnknownMethod:
		s.peer.refuse(message.ID, unknownMethod, "this adapter does not know "+message.Method)
	case err != nil:
		s.peer.fault("%s: %v", message.Method, err)
	default:
		s.peer.reply(message.ID, result)
	}
}

func (s *server) result(in *activeCase, message envelope) (any, error) {
	if nestedMethods[message.Method] { // outside any run
		return inside[adk.Message]{}.serve(context.Background(), message.Method, message.Params)
	}
	switch message.Method {
	case "case/end":
		in.end()
		return struct{}{}, nil
	case "language/set":
		return setLanguage(message.Params)
	case "loader/load":
		return load(in, message.Params)
	case "middleware/create":
		return createMiddleware(in, message.Params)
	case "middleware/beforeModel":
		return beforeModel(in, message.Params)
	case "agent/create":
		return createAgent(in, message.Params)
	case "agent/run", "agent/resume":
		return runAgent(in, message.Params)
	case "cancel/wait":
		return waitForCancel(in, message.Params)
	}
	return nil, errUnknownMethod
}

func (c *activeCase) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// end cancels everything that is still under way.
func (c *activeCase) end() {
	c.mu.Lock()
	if !c.isOver() {
		close(c.over)
	}
	cancels := make([]*canceller, 0, len(c.cancels))
	for _, one := range c.cancels {
		cancels = append(cancels, one)
	}
	c.mu.Unlock()
	for _, one := range cancels {
		go one.cancel() // with sub-agents, it gives them time
	}
	_ = adk.SetLanguage(adk.LanguageEnglish)
	c.background.Wait()
}

var languages = map[string]adk.Language{"en": adk.LanguageEnglish, "zh": adk.LanguageChinese}

func setLanguage(params json.RawMessage) (any, error) {
	var sent struct {
		Language *string `json:"language"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	chosen := adk.LanguageEnglish
	if sent.Language != nil {
		known, ok := languages[*sent.Language]
		if !ok {
			known = adk.Language(255) // eino numbers its languages: this number is none of them
		}
		chosen = known
	}
	return outcome{refusal(adk.SetLanguage(chosen))}, nil
}

// logLines sends eino's own log to the harness, line by line.
type logLines struct{ to *server }

func (l logLines) Write(text []byte) (int, error) {
	in := l.to.current.Load()
	line := strings.TrimSuffix(string(text), "\n")
	if in.number >= 0 {
		l.to.peer.notify("log", struct {
			adapterMessage
			Line string `json:"line"`
		}{adapterMessage{Case: in.number}, line})
	}
	return len(text), nil
}

func unknownHandle(handle string) error { return fmt.Errorf("there is no %q", handle) }
