package loopspec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// dialog answers the requests of the adapter by their methods, in order, and keeps the params.
type dialog struct {
	*harness
	asked []string
}

func (d *dialog) answering(lines ...[2]string) chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, line := range lines {
			asked := <-d.sent
			d.asked = append(d.asked, asked.Method+" "+string(asked.Params))
			if asked.Method != line[0] {
				d.t.Errorf("the adapter sends %s instead of %s", asked.Method, line[0])
			}
			if asked.ID != "" {
				d.answers(asked.ID, line[1])
			}
		}
	}()
	return done
}

func TestAHookThatTheHandlerDoesNotHaveCallsNothing(t *testing.T) {
	hooks := NewHooks[*turn](turns{}, "h", nil)
	given := State[*turn]{Messages: []*turn{question}, Tools: []string{"t1"}}
	_, after, err := hooks.BeforeModel(context.Background(), given) // without a case: a call would be a fault
	if err != nil || len(after.Messages) != 1 || after.Messages[0] != question {
		t.Errorf("the state is %+v, %v", after, err)
	}
	instruction := "Be brief."
	_, start, err := hooks.BeforeAgent(context.Background(), AgentStart{Instruction: &instruction})
	if err != nil || start.Instruction != &instruction {
		t.Errorf("the start is %+v, %v", start, err)
	}
	text, err := hooks.AroundTool(context.Background(), ToolRequest{}, func(context.Context, ToolRequest) (string, error) {
		return "sunny", nil
	})
	if err != nil || text != "sunny" {
		t.Errorf("the result is %q, %v", text, err)
	}
}

func TestAValueThatAHookDoesNotReceiveIsNull(t *testing.T) {
	for text, value := range map[string]any{
		`{"instruction":null,"tools":null,"returnDirectly":null}`: AgentStart{},
		`{"instruction":null,"tools":[],"returnDirectly":null}`:   AgentStart{Tools: []string{}},
		`{"tools":null}`: wireState{},
		`{"tools":[]}`:   wireState{Tools: []string{}},
		`{"tools":null,"retry":null,"failover":null}`: ModelContext{},
	} {
		if sent, err := json.Marshal(value); err != nil || string(sent) != text {
			t.Errorf("%+v is written as %s, %v", value, sent, err)
		}
	}
}

func TestAHookReturnsAStateOrNothing(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	hooks := NewHooks[*turn](turns{}, "h", []string{BeforeModel})
	done := d.answering(
		[2]string{"hook/edit", `{"value": {"messages": [0], "tools": ["t2"]}, "ctx": {"color": "red"}}`},
		[2]string{"hook/edit", `{}`},
	)
	ctx, after, err := hooks.BeforeModel(d.context(), State[*turn]{Messages: []*turn{question}, Tools: []string{"t1"}})
	if err != nil || after.Messages[0] != question || after.Tools[0] != "t2" {
		t.Errorf("the state is %+v, %v", after, err)
	}
	if held := from(ctx).Ctx; string(held["color"]) != `"red"` || string(held["user"]) != `"Ann"` {
		t.Errorf("the context values are %s", held)
	}
	if _, after, err = hooks.BeforeModel(d.context(), State[*turn]{}); after != nil || err != nil {
		t.Errorf("a hook that returns nothing returns %+v, %v", after, err)
	}
	<-done
	if !strings.Contains(d.asked[0], `"handler":"h","state":{"messages":[{"role":"user","content":"q"}],"tools":["t1"]}`) {
		t.Errorf("the request is %s", d.asked[0])
	}
}

// wrapped starts a model wrapper whose endpoint fails, and returns the id of its request and the outcome.
func wrapped(d *dialog) (string, chan error) {
	came := make(chan error, 1)
	go func() {
		hooks := NewHooks[*turn](turns{}, "h", []string{AroundModel})
		_, err := hooks.AroundModel(d.context(), ModelCall[*turn]{Messages: []*turn{question}}, func(context.Context, ModelCall[*turn]) (*turn, error) {
			return nil, fmt.Errorf("called: %w", &ScriptedError{"busy"})
		})
		came <- err
	}()
	return (<-d.sent).ID, came
}

func TestAWrapperRaisesTheErrorOfAnOutcome(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	id, came := wrapped(d)
	d.to.nested(id, envelope{ID: "h1", Method: "next", Params: json.RawMessage(`{"model": {"messages": []}}`)})
	if answered := <-d.sent; !strings.Contains(string(answered.Result), `"code":"busy"`) {
		t.Errorf("next is answered with %s", answered.Result)
	}
	d.answers(id, `{"raise": 0}`)
	if err := <-came; err == nil || err.Error() != "called: scripted error busy" {
		t.Errorf("the error is %v", err)
	}
}

func TestAnOutcomeThatDoesNotExistIsAFault(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	id, came := wrapped(d)
	d.answers(id, `{"return": 0}`)
	if fault := <-d.sent; fault.Method != "adapter/fault" || <-came == nil {
		t.Errorf("the adapter sends %s %s", fault.Method, fault.Params)
	}
}

func TestAStreamIsPulledToItsEnd(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	done := d.answering(
		[2]string{"model/stream", `{"stream": "s1", "message": {"role": "assistant", "content": "Lo"}}`},
		[2]string{"stream/next", `{"message": {"role": "assistant", "content": "ok"}}`},
		[2]string{"stream/next", `{"end": true}`},
	)
	chunks, err := NewModel[*turn](turns{}, ModelSpec{Name: "m"}).Stream(d.context(), ModelCall[*turn]{})
	if err != nil {
		t.Fatal(err)
	}
	whole := ""
	for {
		chunk, err := chunks.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		whole += chunk.texts[0]
	}
	<-done
	if _, err := chunks.Recv(); whole != "Look" || err != io.EOF {
		t.Errorf("the stream has %q, then %v", whole, err)
	}
	chunks.Close() // after the end, nothing is sent
	if len(d.sent) != 0 {
		t.Errorf("the adapter sends %v", <-d.sent)
	}
}

func TestAStreamThatBreaksEnds(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	d.answering(
		[2]string{"tool/stream", `{"stream": "s1", "answer": {"text": "a"}}`},
		[2]string{"stream/next", `{"error": {"kind": "scripted", "code": "busy"}}`},
	)
	tool := NewTools[*turn](turns{}, []ToolSpec{{Name: "t1"}})[0]
	chunks, err := tool.Stream(d.context(), ToolRequest{Kind: Streamable})
	if err != nil {
		t.Fatal(err)
	}
	first, _ := chunks.Recv()
	_, err = chunks.Recv()
	var scripted *ScriptedError
	if !errors.As(err, &scripted) || first.Text != "a" {
		t.Errorf("the stream has %+v, then %v", first, err)
	}
	if _, err = chunks.Recv(); err != io.EOF {
		t.Errorf("after the error comes %v", err)
	}
}

func TestAnInterruptIsAnError(t *testing.T) {
	d := &dialog{harness: newHarness(t)}
	d.answering([2]string{"tool/invoke", `{"interrupt": {"info": "which?", "state": 1}}`})
	_, err := NewTools[*turn](turns{}, []ToolSpec{{Name: "t1"}})[0].Call(d.context(), "c1", "{}")
	var interrupt *Interrupt
	if !errors.As(err, &interrupt) || string(interrupt.Info) != `"which?"` {
		t.Errorf("the error is %v", err)
	}
}

func TestADecisionIsReadFromAnAnswer(t *testing.T) {
	for text, wanted := range map[string]Decision{
		`{"approved": true}`:                         {Approved: true},
		`{"approved": false, "reason": "not today"}`: {Reason: "not today"},
	} {
		if got, err := DecisionOf(Native(json.RawMessage(text))); err != nil || got != wanted {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	edited, err := DecisionOf(map[string]any{"approved": true, "arguments": "{}"})
	if err != nil || !edited.Approved || edited.Arguments == nil || *edited.Arguments != "{}" {
		t.Errorf("%+v, %v", edited, err)
	}
	if _, err := DecisionOf("yes"); err == nil {
		t.Error("a text is read as a decision")
	}
	if info := WaitingCall("t1", "a"); info != "t1 at a" {
		t.Error(info)
	}
}

func TestAToolThatIsNowhereIsAnError(t *testing.T) {
	parts := PartsOf[*turn](turns{}, &AgentSpec{
		Tools: []ToolSpec{{Name: "t1"}}, AdditionalTools: []ToolSpec{{Name: "t2"}}, AdditionalModels: []ModelSpec{{Name: "m2"}},
	})
	for name, there := range map[string]bool{"t1": true, "t2": true, "t3": false} {
		if found, err := parts.Named(name); (err == nil) != there || there && found.Name() != name {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	for name, there := range map[string]bool{"m2": true, "m3": false} {
		if _, err := parts.AdditionalModel(name); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}
