package loopspec

import (
	"encoding/json"
	"reflect"
	"testing"
)

// turn is a message of an implementation that keeps the results of all tools in one message.
type turn struct {
	role  string
	texts []string
}

type turns struct{}

func (turns) ToWire(one *turn) (sent []Message) {
	for _, text := range one.texts {
		sent = append(sent, Message{Role: one.role, Content: text})
	}
	return sent
}

func (turns) FromWire(sent Message) *turn { return &turn{sent.Role, []string{sent.Content}} }

var question, results, finalAnswer = &turn{"user", []string{"q"}}, &turn{"tool", []string{"r1", "r2"}}, &turn{"assistant", []string{"a"}}

func edited(t *testing.T, answered string) []*turn {
	t.Helper()
	before := conversationOf[*turn](turns{}, []*turn{question, results, finalAnswer})
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(answered), &raw); err != nil {
		t.Fatal(err)
	}
	list, err := before.read(raw)
	if err != nil {
		t.Fatal(err)
	}
	return before.restored(list)
}

func TestAMessageThatStaysIsTheSameObject(t *testing.T) {
	after := edited(t, `[0, 1, 2, {"role": "user", "content": "more"}, 3]`)
	if len(after) != 4 || after[0] != question || after[1] != results || after[3] != finalAnswer {
		t.Fatalf("the messages are %+v", after)
	}
	if !reflect.DeepEqual(after[2], &turn{"user", []string{"more"}}) {
		t.Errorf("the new message is %+v", after[2])
	}
}

func TestAMessageOfWhichAPartStaysIsBuiltAgain(t *testing.T) {
	for _, answered := range []string{`[0, 1]`, `[0, 2]`, `[2, 1]`, `[0, 1, 3, 2]`} {
		for _, one := range edited(t, answered) {
			if one == results || one.role == "tool" && len(one.texts) != 1 {
				t.Errorf("%s: the whole message stays", answered)
			}
		}
	}
}

func TestAMessageOfARequestIsRecognized(t *testing.T) {
	before := conversationOf[*turn](turns{}, []*turn{question, finalAnswer})
	after := before.restored(before.recognized([]Message{{Role: "system", Content: "s"}, {Role: "user", Content: "q"}}))
	if len(after) != 2 || after[1] != question || after[0].role != "system" {
		t.Errorf("the messages are %+v", after)
	}
}

func TestArgumentsThatAreAbsentAreAnEmptyObject(t *testing.T) {
	var read Message
	if err := json.Unmarshal([]byte(`{"role": "assistant", "toolCalls": [{"id": "c1", "name": "t1"}]}`), &read); err != nil {
		t.Fatal(err)
	}
	if args := read.ToolCalls[0].Args; args != "{}" {
		t.Errorf("the arguments are %q", args)
	}
}

func TestAToolMessageHasTheIDOfItsCall(t *testing.T) {
	for text, read := range map[string]Message{
		`{"role":"tool","content":"r","toolCallId":"c1","toolName":"t1"}`: {Role: "tool", Content: "r", ToolCallID: "c1", ToolName: "t1"},
		`{"role":"tool","toolCallId":"","toolName":""}`:                   {Role: "tool"},
		`{"role":"user","content":"q"}`:                                   {Role: "user", Content: "q"},
	} {
		if sent, err := json.Marshal(read); err != nil || string(sent) != text {
			t.Errorf("%+v is written as %s, %v", read, sent, err)
		}
		var back Message
		if err := json.Unmarshal([]byte(text), &back); err != nil || !reflect.DeepEqual(back, read) {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
	}
}

func TestANumberWithoutAFractionIsAnInt(t *testing.T) {
	read := Native(json.RawMessage(`{"a": [1, 1.5, "x", null]}`))
	if !reflect.DeepEqual(read, map[string]any{"a": []any{1, 1.5, "x", nil}}) {
		t.Errorf("the value is %#v", read)
	}
}
