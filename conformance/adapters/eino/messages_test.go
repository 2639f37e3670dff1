package main

import (
	"reflect"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

func text(one string) *string { return &one }

var everyKind = []message{
	{Role: "system", Content: "Be brief."},
	{Role: "user", Content: "Hello.", Extra: map[string]any{"__agentsmd_content__": true}},
	{Role: "assistant", Content: "Look", ToolCalls: []toolCall{{"c1", "t1", text(`{"x":1}`)}, {"c2", "t2", text("")}}},
	{Role: "assistant"},
	{Role: "tool", Content: "sunny", ToolCallID: text("c1"), ToolName: text("t1")},
	{Role: "tool", Parts: []part{{Text: "sunny"}, {URL: "https://example.org/sun.png"}}, ToolCallID: text("c2"), ToolName: text("t2")},
}

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	for _, one := range everyKind {
		if back := wire(eino[adk.Message](one)); !reflect.DeepEqual(back, one) {
			t.Errorf("a plain message came back as %+v, and was %+v", back, one)
		}
		if back := wire(eino[adk.AgenticMessage](one)); !reflect.DeepEqual(back, one) {
			t.Errorf("an agentic message came back as %+v, and was %+v", back, one)
		}
	}
}

func TestArgumentsThatAreAbsentAreAnEmptyObject(t *testing.T) {
	sent := message{Role: "assistant", ToolCalls: []toolCall{{ID: "c1", Name: "t1"}}}
	if args := plainOf(sent).ToolCalls[0].Function.Arguments; args != "{}" {
		t.Errorf("they are %q", args)
	}
}

func TestChunksOfEitherTypeAreJoinedIntoOneMessage(t *testing.T) {
	sent := []message{
		{Role: "assistant", Content: "Lo"},
		{Role: "assistant", Content: "ok", ToolCalls: []toolCall{{"c1", "t1", text("{}")}}},
	}
	whole := message{Role: "assistant", Content: "Look", ToolCalls: sent[1].ToolCalls}
	plain, err := joined([]adk.Message{chunk[adk.Message](sent[0]), chunk[adk.Message](sent[1])})
	if back := wire(plain); err != nil || !reflect.DeepEqual(back, whole) {
		t.Errorf("plain ones make %+v, %v", back, err)
	}
	agentic, err := joined([]adk.AgenticMessage{chunk[adk.AgenticMessage](sent[0]), chunk[adk.AgenticMessage](sent[1])})
	if back := wire(agentic); err != nil || !reflect.DeepEqual(back, whole) {
		t.Errorf("agentic ones make %+v, %v", back, err)
	}
}

func TestTheIdentityThatEinoGivesAMessageIsNotShown(t *testing.T) {
	one := schema.UserMessage("Hello.")
	one.Extra = map[string]any{"mine": 1}
	adk.EnsureMessageID(one)
	if sent := wire(one); !reflect.DeepEqual(sent.Extra, map[string]any{"mine": 1}) {
		t.Errorf("the extra data are %v", sent.Extra)
	}
	if adk.GetMessageID(one) == "" {
		t.Error("it is gone from the message itself")
	}
}

func TestInformationAboutAToolKeepsItsParameters(t *testing.T) {
	sent := toolInfo{"t1", "finds", map[string]any{
		"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}, "required": []any{"q"},
	}}
	if back := wireInfo(infoOf(sent)); !reflect.DeepEqual(back, sent) {
		t.Errorf("it came back as %+v", back)
	}
}
