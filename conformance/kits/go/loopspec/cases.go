package loopspec

import (
	"strconv"
	"sync"
)

// A Case is one case of the harness. An adapter keeps nothing from one case to the next: what belongs to a case is kept
// in the case.
type Case struct {
	number  int
	peer    *peer
	adapter *Adapter
	over    chan struct{}

	mu         sync.Mutex
	handles    map[string]any
	shared     map[string]any
	underWay   map[string]bool
	atEnd      []func()
	background sync.WaitGroup
}

func newCase(number int, p *peer, adapter *Adapter) *Case {
	return &Case{
		number: number, peer: p, adapter: adapter, over: make(chan struct{}),
		handles: map[string]any{}, shared: map[string]any{}, underWay: map[string]bool{},
	}
}

// Keep gives an object a handle, by which the harness names the object later.
func (c *Case) Keep(object any) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	handle := "e" + strconv.Itoa(len(c.handles)+1)
	c.handles[handle] = object
	return handle
}

// Kept returns the object with a handle, or nil.
func (c *Case) Kept(handle string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.handles[handle]
}

// Shared returns the object of a case with a name. The first call builds the object.
func Shared[T any](c *Case, name string, build func() (T, error)) (T, error) {
	c.mu.Lock()
	there, ok := c.shared[name].(T)
	c.mu.Unlock()
	if ok {
		return there, nil
	}
	built, err := build() // without the lock: an object may need another one
	if err != nil {
		return built, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if there, ok := c.shared[name].(T); ok { // built concurrently
		return there, nil
	}
	c.shared[name] = built
	return built, nil
}

// Running marks a run as under way until the returned function is called.
func (c *Case) Running(run string) func() {
	c.mark(run, true)
	return func() { c.mark(run, false) }
}

func (c *Case) mark(run string, runs bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if runs {
		c.underWay[run] = true
	} else {
		delete(c.underWay, run)
	}
}

// OnlyRun returns the run under way. With several, the run of a message without a context is unknown.
func (c *Case) OnlyRun() (only string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for run := range c.underWay {
		if len(c.underWay) == 1 {
			only = run
		}
	}
	return only
}

// Over is closed when the case ends.
func (c *Case) Over() <-chan struct{} { return c.over }

// AtEnd has a function called when the case ends, on a goroutine of its own.
func (c *Case) AtEnd(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.atEnd = append(c.atEnd, do)
}

// Go starts a goroutine. The case ends only after the goroutine, which must end when Over is closed.
func (c *Case) Go(work func()) {
	c.background.Add(1)
	go func() {
		defer c.background.Done()
		work()
	}()
}

// Fault reports that the adapter is broken, so that its fault does not pass for behavior of the implementation.
func (c *Case) Fault(format string, values ...any) { c.peer.fault(format, values...) }

// Warn reports a warning about a file. Run may be empty.
func (c *Case) Warn(run, path string, warning error) {
	c.peer.notify("warning", struct {
		origin
		Path    string `json:"path"`
		Message string `json:"message,omitempty"`
	}{origin{Case: c.number, Run: run}, path, warning.Error()})
}

func (c *Case) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// end ends everything that is still under way.
func (c *Case) end() {
	c.mu.Lock()
	if !c.isOver() {
		close(c.over)
	}
	ending := c.atEnd
	c.atEnd = nil
	c.mu.Unlock()
	for _, do := range ending {
		go do() // a function may give running goroutines time
	}
	c.background.Wait()
}
