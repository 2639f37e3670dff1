package main

import (
	"reflect"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

var everyKind = []loopspec.Message{
	{Role: "system", Content: "Be brief."},
	{Role: "user", Content: "Hello.", Extra: map[string]any{"__agentsmd_content__": true}},
	{Role: "assistant", Content: "Look", ToolCalls: []loopspec.ToolCall{{ID: "c1", Name: "t1", Args: `{"x":1}`}, {ID: "c2", Name: "t2"}}},
	{Role: "assistant"},
	{Role: "tool", Content: "sunny", ToolCallID: "c1", ToolName: "t1"},
	{Role: "tool", Parts: []loopspec.Part{{Text: "sunny"}, {URL: "https://example.org/sun.png"}}, ToolCallID: "c2", ToolName: "t2"},
}

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	for _, one := range everyKind {
		if back := wire(eino[adk.Message](one, false)); !reflect.DeepEqual(back, one) {
			t.Errorf("a plain message came back as %+v, and was %+v", back, one)
		}
		if back := wire(eino[adk.AgenticMessage](one, false)); !reflect.DeepEqual(back, one) {
			t.Errorf("an agentic message came back as %+v, and was %+v", back, one)
		}
	}
}

func TestChunksOfEitherTypeAreJoinedIntoOneMessage(t *testing.T) {
	sent := []loopspec.Message{
		{Role: "assistant", Content: "Lo"},
		{Role: "assistant", Content: "ok", ToolCalls: []loopspec.ToolCall{{ID: "c1", Name: "t1", Args: "{}"}}},
	}
	whole := loopspec.Message{Role: "assistant", Content: "Look", ToolCalls: sent[1].ToolCalls}
	plain, err := joined([]adk.Message{eino[adk.Message](sent[0], true), eino[adk.Message](sent[1], true)})
	if back := wire(plain); err != nil || !reflect.DeepEqual(back, whole) {
		t.Errorf("plain ones make %+v, %v", back, err)
	}
	agentic, err := joined([]adk.AgenticMessage{eino[adk.AgenticMessage](sent[0], true), eino[adk.AgenticMessage](sent[1], true)})
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
	sent := loopspec.ToolInfo{Name: "t1", Description: "finds", Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}, "required": []any{"q"},
	}}
	if back := wireInfo(infoOf(sent)); !reflect.DeepEqual(back, sent) {
		t.Errorf("it came back as %+v", back)
	}
}
