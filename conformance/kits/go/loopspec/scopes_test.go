package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// harness is the other side: it receives the adapter's lines, and answers.
type harness struct {
	t    *testing.T
	sent chan envelope
	to   *peer
	in   *Case
}

func (h *harness) Write(lines []byte) (int, error) {
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		var one envelope
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			h.t.Errorf("%q is no message", line)
		}
		h.sent <- one
	}
	return len(lines), nil
}

// outsider is an adapter whose implementation allows run-local values only inside a run.
type outsider struct{}

var errOutside = errors.New("there is no execution context")

func (outsider) SetLocal(context.Context, string, any) error { return errOutside }

func (outsider) GetLocal(context.Context, string) (any, bool, error) { return nil, false, errOutside }

func (outsider) DeleteLocal(context.Context, string) error { return errOutside }

func newHarness(t *testing.T) *harness {
	h := &harness{t: t, sent: make(chan envelope, 16)}
	h.to = newPeer(h)
	h.in = newCase(1, h.to, &Adapter{})
	return h
}

func (h *harness) context() context.Context {
	held := map[string]json.RawMessage{"user": json.RawMessage(`"Ann"`)}
	return Carry(InRun(context.Background(), h.in, "r"), held)
}

func (h *harness) answers(id, result string) {
	h.to.answered(envelope{ID: id, Result: json.RawMessage(result)})
}

// called begins a request to the harness, and returns the request and its outcome.
func (h *harness) called(ctx context.Context) (envelope, chan error) {
	came := make(chan error, 1)
	go func() {
		came <- ask(ctx, "clock/sleep", from(ctx), &reply{}, inside{outsider{}})
	}()
	return <-h.sent, came
}

func TestARequestCarriesWhereItComesFrom(t *testing.T) {
	h := newHarness(t)
	asked, came := h.called(h.context())
	if string(asked.Params) != `{"case":1,"run":"r","ctx":{"user":"Ann"}}` {
		t.Errorf("it says %s", asked.Params)
	}
	h.answers(asked.ID, "{}")
	if err := <-came; err != nil {
		t.Error(err)
	}
}

func TestARequestWithinACallIsServedThereUntilTheCallIsAnswered(t *testing.T) {
	h := newHarness(t)
	asked, came := h.called(h.context())
	get := envelope{ID: "h1", Method: "local/get", Params: json.RawMessage(`{"key":"k"}`)}
	h.to.nested(asked.ID, get)
	if answered := <-h.sent; answered.ID != "h1" || !strings.Contains(string(answered.Result), "no execution context") {
		t.Errorf("it is answered %s", answered.Result)
	}
	h.answers(asked.ID, "{}")
	<-came
	h.to.nested(asked.ID, get)
	if refused := <-h.sent; refused.Error == nil || refused.Error.Code != closedScope {
		t.Errorf("what comes later is answered %s", refused.Result)
	}
}

func TestAScriptedErrorIsAnErrorAndAScriptedCrashAPanic(t *testing.T) {
	h := newHarness(t)
	asked, came := h.called(h.context())
	h.answers(asked.ID, `{"error":{"kind":"scripted","code":"busy"}}`)
	if sent := (&Adapter{}).describe(fmt.Errorf("failed: %w", <-came)); sent.Kind != "scripted" || sent.Code != "busy" {
		t.Errorf("it is described as %+v", sent)
	}
	defer func() {
		if sent := (&Adapter{}).describe(fmt.Errorf("panic error: %v", recover())); sent.Kind != "crash" || sent.Code != "oops" {
			t.Errorf("it is described as %+v", sent)
		}
	}()
	_ = raised(&Error{Kind: "crash", Code: "oops"}, false)
}

func TestACancelledCallIsReportedAndItsAnswerAwaited(t *testing.T) {
	h := newHarness(t)
	ctx, cancel := context.WithCancel(h.context())
	asked, came := h.called(ctx)
	cancel()
	if taken := <-h.sent; taken.Method != "$/cancel" || !strings.Contains(string(taken.Params), asked.ID) {
		t.Errorf("it says %s %s", taken.Method, taken.Params)
	}
	h.answers(asked.ID, `{"cancelled":true}`)
	if err := <-came; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestACallEndsWithItsCase(t *testing.T) {
	h := newHarness(t)
	_, came := h.called(h.context())
	close(h.in.over)
	if err := <-came; !errors.Is(err, ErrCaseOver) {
		t.Error(err)
	}
}
