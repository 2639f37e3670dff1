package loopspec

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

const protocolVersion = 3

// A Posture is a documented choice of the implementation. Measured: no document states the value, and the author of the
// adapter has measured the value.
type Posture struct {
	Value    string `json:"value"`
	Link     string `json:"link,omitempty"`
	Measured bool   `json:"measured,omitempty"`
}

// An Adapter connects an implementation with the harness.
type Adapter struct {
	Name         string             // the name of the implementation
	Version      string             // the version of the implementation
	Roles        []string           // without roles: agent, or backend if OpenBackend is set, or both
	Capabilities []string           // the role backend has resources without a declaration
	Postures     map[string]Posture // the documented choices of the implementation, by axis

	// Agents builds and runs agents; see NewAgents. Agentic does so for messages of content blocks.
	Agents, Agentic Agents

	// OpenBackend returns a store with the files of a scene, by path: the role backend. An error that wraps
	// ErrCannotStore refuses a name; any other error is a fault of the adapter. The context ends with the case.
	OpenBackend func(ctx context.Context, files map[string][]byte) (Store, error)

	// ErrorOf identifies an error of the implementation, without looking at the causes of the error; nil means unknown.
	ErrorOf func(err error) *Error

	// KindOf identifies an error of the implementation that has no value or type by its text; empty means unknown.
	KindOf func(text string) string

	// Canceller serves the capability cancel.
	Canceller Canceller

	// Methods serves requests of other roles, by method.
	Methods map[string]Method

	// AtCaseEnd is called when a case ends.
	AtCaseEnd func()
}

// A Method serves a request of the harness. An error means that the adapter is broken: a failure of the implementation
// is a result.
type Method func(in *Case, params json.RawMessage) (result any, err error)

// A Server answers the harness.
type Server struct {
	adapter *Adapter
	peer    *peer
	current atomic.Pointer[Case]
}

// NewServer returns a server that writes its messages to out.
func NewServer(adapter Adapter, out io.Writer) *Server {
	s := &Server{adapter: &adapter, peer: newPeer(out)}
	lost.in.peer = s.peer
	s.current.Store(lost.in)
	return s
}

// Main serves the harness over standard input and output until the input ends. Print to standard error only.
func Main(adapter Adapter) {
	if err := NewServer(adapter, os.Stdout).Serve(Input()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Input returns standard input, read through Go's poller where possible: a blocking read costs a thread each time.
func Input() io.Reader {
	if err := syscall.SetNonblock(0, true); err != nil {
		return os.Stdin
	}
	return os.NewFile(0, "stdin")
}

// Serve serves the messages of the harness until the input ends.
func (s *Server) Serve(in io.Reader) error {
	debug.SetGCPercent(400) // every case leaves little garbage: collecting it less often saves a fifth of the time
	return s.peer.read(in, s)
}

// Log returns a writer that sends each line of the implementation's log to the harness.
func (s *Server) Log() io.Writer { return logLines{s} }

type logLines struct{ to *Server }

func (l logLines) Write(text []byte) (int, error) {
	in := l.to.current.Load()
	if in.number >= 0 {
		l.to.peer.notify("log", struct {
			origin
			Line string `json:"line"`
		}{origin{Case: in.number}, strings.TrimSuffix(string(text), "\n")})
	}
	return len(text), nil
}

// caseNumbered is the active case, which begins with its first message. Only the reader calls it.
func (s *Server) caseNumbered(number int) *Case {
	if now := s.current.Load(); now.number == number {
		return now
	}
	begun := newCase(number, s.peer, s.adapter)
	s.current.Store(begun)
	return begun
}

var nestedMethods = map[string]bool{
	"next": true, "outcome/read": true, "local/set": true, "local/get": true, "local/delete": true,
	"session/set": true, "session/get": true, "event/send": true, "message/send": true, "context/assign": true,
}

func (s *Server) note(message envelope) {
	switch message.Method {
	case "exit":
		os.Exit(0)
	case "$/cancel": // the deadline of the case has passed
		go s.end(s.current.Load())
	}
}

func (s *Server) end(in *Case) {
	in.end()
	if s.adapter.AtCaseEnd != nil {
		s.adapter.AtCaseEnd()
	}
}

func (s *Server) request(message envelope) {
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
	if message.Method == "run/cancel" && s.adapter.Canceller != nil {
		s.cancel(in, message) // the request to cancel is made before any later message is served
		return
	}
	go s.serve(in, message)
}

func (s *Server) initialize(message envelope) {
	var offered struct {
		ProtocolVersions []int `json:"protocolVersions"`
	}
	_ = json.Unmarshal(message.Params, &offered)
	postures := s.adapter.Postures
	if postures == nil {
		postures = map[string]Posture{}
	}
	for _, version := range offered.ProtocolVersions {
		if version == protocolVersion {
			s.peer.reply(message.ID, map[string]any{
				"protocolVersion": version, "roles": s.adapter.roles(), "capabilities": s.adapter.capabilities(),
				"postures":       postures,
				"implementation": map[string]string{"name": s.adapter.Name, "version": s.adapter.Version, "language": "Go"},
			})
			return
		}
	}
	s.peer.refuse(message.ID, noVersion, "this adapter speaks version "+strconv.Itoa(protocolVersion))
}

func (a *Adapter) roles() []string {
	switch {
	case a.Roles != nil:
		return a.Roles
	case a.OpenBackend == nil:
		return []string{"agent"}
	case a.Agents == nil:
		return []string{"backend"}
	}
	return []string{"agent", "backend"}
}

func (a *Adapter) capabilities() []string {
	declared := a.Capabilities
	if a.OpenBackend != nil && !slices.Contains(declared, "resources") {
		declared = append(slices.Clone(declared), "resources")
	}
	return declared
}

// serve answers one request. A panic here is a fault of the adapter.
func (s *Server) serve(in *Case, message envelope) {
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

func (s *Server) result(in *Case, message envelope) (any, error) {
	if nestedMethods[message.Method] && s.adapter.Agents != nil { // outside any run
		return s.adapter.Agents.inside().serve(InCase(context.Background(), in), message.Method, message.Params)
	}
	if method, ok := s.adapter.Methods[message.Method]; ok {
		return method(in, message.Params)
	}
	if s.adapter.OpenBackend != nil && strings.HasPrefix(message.Method, "backend/") {
		return s.backend(in, message.Method, message.Params)
	}
	switch message.Method {
	case "case/end":
		s.end(in)
		return struct{}{}, nil
	case "agent/create":
		return s.createAgent(in, message.Params)
	case "agent/run", "agent/resume":
		return runAgent(in, message.Params)
	case "cancel/wait":
		return s.waitForCancel(in, message.Params)
	}
	return nil, errUnknownMethod
}
