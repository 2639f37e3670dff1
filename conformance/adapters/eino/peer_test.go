package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cloudwego/eino/adk"
)

// harness is the other side: what the adapter says, line by line, and a way to answer.
type harness struct {
	t    *testing.T
	said chan envelope
	to   *peer
	in   *caseInHand
}

func (h *harness) Write(lines []byte) (int, error) {
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		var one envelope
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			h.t.Errorf("%q is no message", line)
		}
		h.said <- one
	}
	return len(lines), nil
}

func newHarness(t *testing.T) *harness {
	h := &harness{t: t, said: make(chan envelope, 16)}
	h.to = newPeer(h)
	h.in = &caseInHand{number: 1, peer: h.to, over: make(chan struct{})}
	return h
}

func (h *harness) context() context.Context {
	return withPlace(context.Background(), &place{in: h.in, run: &runInHand{id: "r"}, held: bag{"user": json.RawMessage(`"Ann"`)}})
}

func (h *harness) answers(id, result string) {
	h.to.answered(envelope{ID: id, Result: json.RawMessage(result)})
}

// called begins a request to the harness, and returns it as it was said, and what comes of it.
func (h *harness) called(ctx context.Context) (envelope, chan error) {
	came := make(chan error, 1)
	go func() {
		came <- ask(ctx, "clock/sleep", from(ctx), &reply{}, inside[adk.Message]{})
	}()
	return <-h.said, came
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

func TestWhatIsAskedWithinACallIsServedThereUntilItIsAnswered(t *testing.T) {
	h := newHarness(t)
	asked, came := h.called(h.context())
	get := envelope{ID: "h1", Method: "local/get", Params: json.RawMessage(`{"key":"k"}`)}
	h.to.nested(asked.ID, get)
	if answered := <-h.said; answered.ID != "h1" || !strings.Contains(string(answered.Result), "outside_run") {
		t.Errorf("it is answered %s", answered.Result)
	}
	h.answers(asked.ID, "{}")
	<-came
	h.to.nested(asked.ID, get)
	if refused := <-h.said; refused.Error == nil || refused.Error.Code != deadScope {
		t.Errorf("what comes later is answered %s", refused.Result)
	}
}

func TestWhatADoubleFailsWithIsAnErrorAndWhatNobodyForeseesAPanic(t *testing.T) {
	h := newHarness(t)
	asked, came := h.called(h.context())
	h.answers(asked.ID, `{"error":{"kind":"scripted","code":"busy"}}`)
	if said := told(fmt.Errorf("failed: %w", <-came)); said.Kind != "scripted" || said.Code != "busy" {
		t.Errorf("it is told as %+v", said)
	}
	defer func() {
		if said := told(fmt.Errorf("panic error: %v", recover())); said.Kind != "unforeseen" || said.Code != "oops" {
			t.Errorf("it is told as %+v", said)
		}
	}()
	_ = raised(&wireError{Kind: "unforeseen", Code: "oops"}, false)
}

func TestACancelledCallIsTakenBackAndWaitedForAllTheSame(t *testing.T) {
	h := newHarness(t)
	ctx, cancel := context.WithCancel(h.context())
	asked, came := h.called(ctx)
	cancel()
	if taken := <-h.said; taken.Method != "$/cancel" || !strings.Contains(string(taken.Params), asked.ID) {
		t.Errorf("it says %s %s", taken.Method, taken.Params)
	}
	h.answers(asked.ID, `{"cancelled":true}`)
	if err := <-came; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestACallIsLetGoWhenItsCaseIsOver(t *testing.T) {
	h := newHarness(t)
	_, came := h.called(h.context())
	close(h.in.over)
	if err := <-came; !errors.Is(err, errCaseOver) {
		t.Error(err)
	}
}

func TestErrorsAreToldFromTheOutsideIn(t *testing.T) {
	inner := &adk.RetryExhaustedError{LastErr: &scriptedError{"busy"}}
	said := told(fmt.Errorf("outer: %w", errors.Join(inner, &scriptedError{"other"})))
	if said.Kind != "retries_exhausted" || said.Cause == nil || said.Cause.Code != "busy" {
		t.Errorf("it is told as %+v", said)
	}
	if said := told(io.ErrUnexpectedEOF); said.Kind != "other" {
		t.Errorf("what nobody knows is told as %+v", said)
	}
}
