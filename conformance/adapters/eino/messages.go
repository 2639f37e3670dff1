package main

import (
	"strings"
	"sync/atomic"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// Messages of the protocol and of eino, of both of its types.

// einoID is the key of eino's own identity of a message, which is not shown.
const einoID = "_eino_msg_id"

// adapter is eino's agent with one of its message types.
type adapter[M adk.MessageType] struct{}

// ToWire returns a message of eino as the protocol has it; nil is an empty message.
func (adapter[M]) ToWire(one M) []loopspec.Message { return []loopspec.Message{wire(one)} }

// FromWire returns a message of the protocol as eino has it.
func (adapter[M]) FromWire(sent loopspec.Message) M { return eino[M](sent, false) }

// FromWireChunk returns a chunk of a streamed message; eino joins the chunks in the end.
func (adapter[M]) FromWireChunk(sent loopspec.Message) M { return eino[M](sent, true) }

func wires[M adk.MessageType](messages []M) []loopspec.Message {
	sent := make([]loopspec.Message, len(messages))
	for at, one := range messages {
		sent[at] = wire(one)
	}
	return sent
}

func einos[M adk.MessageType](messages []loopspec.Message) []M {
	built := make([]M, len(messages))
	for at, one := range messages {
		built[at] = eino[M](one, false)
	}
	return built
}

func wire[M adk.MessageType](one M) loopspec.Message {
	switch m := any(one).(type) {
	case *schema.Message:
		if m != nil {
			return wirePlain(m)
		}
	case *schema.AgenticMessage:
		if m != nil {
			return wireAgentic(m)
		}
	}
	return loopspec.Message{Role: "assistant"}
}

func eino[M adk.MessageType](sent loopspec.Message, streamed bool) M {
	var none M
	if _, plain := any(none).(*schema.Message); plain {
		return any(plainOf(sent)).(M)
	}
	return any(agenticOf(sent, streamed)).(M)
}

func isNothing[M adk.MessageType](one M) bool {
	var none M
	return any(one) == any(none)
}

func wirePlain(m *schema.Message) loopspec.Message {
	sent := loopspec.Message{Role: string(m.Role), Content: m.Content, Extra: others(m.Extra)}
	if m.Role == schema.Tool {
		sent.ToolCallID, sent.ToolName = m.ToolCallID, m.ToolName
	}
	for _, call := range m.ToolCalls {
		sent.ToolCalls = append(sent.ToolCalls, loopspec.ToolCall{ID: call.ID, Name: call.Function.Name, Args: call.Function.Arguments})
	}
	for _, one := range m.UserInputMultiContent {
		if one.Image != nil {
			sent.Parts = append(sent.Parts, loopspec.Part{URL: value(one.Image.URL)})
		} else {
			sent.Parts = append(sent.Parts, loopspec.Part{Text: one.Text})
		}
	}
	return sent
}

func plainOf(sent loopspec.Message) *schema.Message {
	m := &schema.Message{Role: schema.RoleType(sent.Role), Content: sent.Content, Extra: sent.Extra}
	m.ToolCallID, m.ToolName = sent.ToolCallID, sent.ToolName
	for _, call := range sent.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, schema.ToolCall{
			ID: call.ID, Type: "function", Function: schema.FunctionCall{Name: call.Name, Arguments: call.Args},
		})
	}
	if parts, err := resultOf(sent.Parts).ToMessageInputParts(); err == nil {
		m.UserInputMultiContent = parts
	}
	return m
}

func wireAgentic(m *schema.AgenticMessage) loopspec.Message {
	sent := loopspec.Message{Role: string(m.Role), Extra: others(m.Extra)}
	for _, block := range m.ContentBlocks {
		switch {
		case block == nil:
		case block.UserInputText != nil:
			sent.Content += block.UserInputText.Text
		case block.AssistantGenText != nil:
			sent.Content += block.AssistantGenText.Text
		case block.FunctionToolCall != nil:
			call := block.FunctionToolCall
			sent.ToolCalls = append(sent.ToolCalls, loopspec.ToolCall{ID: call.CallID, Name: call.Name, Args: call.Arguments})
		case block.FunctionToolResult != nil:
			result := block.FunctionToolResult
			sent.Role, sent.ToolCallID, sent.ToolName = "tool", result.CallID, result.Name
			sent.Content, sent.Parts = contentOf(result.Content)
		}
	}
	return sent
}

// contentOf is the result of a tool: a text, or the parts of an enhanced result, pictures included.
func contentOf(blocks []*schema.FunctionToolResultContentBlock) (string, []loopspec.Part) {
	var parts []loopspec.Part
	texts, pictures := strings.Builder{}, false
	for _, block := range blocks {
		switch {
		case block.Text != nil:
			texts.WriteString(block.Text.Text)
			parts = append(parts, loopspec.Part{Text: block.Text.Text})
		case block.Image != nil:
			pictures = true
			parts = append(parts, loopspec.Part{URL: block.Image.URL})
		}
	}
	if pictures {
		return "", parts
	}
	return texts.String(), nil
}

// calls counts the streamed calls: eino joins blocks with one index, also of several chunks.
var calls atomic.Int64

func agenticOf(sent loopspec.Message, streamed bool) *schema.AgenticMessage {
	m := &schema.AgenticMessage{Role: schema.AgenticRoleType(sent.Role), Extra: sent.Extra}
	add := func(block *schema.ContentBlock) {
		if streamed {
			block.StreamingMeta = &schema.StreamingMeta{}
			if block.FunctionToolCall != nil {
				block.StreamingMeta.Index = int(calls.Add(1))
			}
		}
		m.ContentBlocks = append(m.ContentBlocks, block)
	}
	switch sent.Role {
	case "tool":
		m.Role = schema.AgenticRoleTypeUser
		result := &schema.FunctionToolResult{CallID: sent.ToolCallID, Name: sent.ToolName}
		if sent.Content != "" || len(sent.Parts) == 0 {
			result.Content = append(result.Content, textBlock(sent.Content))
		}
		for _, one := range sent.Parts {
			if one.URL != "" {
				picture := &schema.UserInputImage{URL: one.URL}
				result.Content = append(result.Content, &schema.FunctionToolResultContentBlock{
					Type: schema.FunctionToolResultContentBlockTypeImage, Image: picture,
				})
			} else {
				result.Content = append(result.Content, textBlock(one.Text))
			}
		}
		add(schema.NewContentBlock(result))
	case "assistant":
		if sent.Content != "" || len(sent.ToolCalls) == 0 || streamed {
			add(schema.NewContentBlock(&schema.AssistantGenText{Text: sent.Content}))
		}
	default:
		add(schema.NewContentBlock(&schema.UserInputText{Text: sent.Content}))
	}
	for _, call := range sent.ToolCalls {
		add(schema.NewContentBlock(&schema.FunctionToolCall{CallID: call.ID, Name: call.Name, Arguments: call.Args}))
	}
	return m
}

func textBlock(text string) *schema.FunctionToolResultContentBlock {
	return &schema.FunctionToolResultContentBlock{
		Type: schema.FunctionToolResultContentBlockTypeText, Text: &schema.UserInputText{Text: text},
	}
}

// others is the extra data of a message without eino's own.
func others(extra map[string]any) map[string]any {
	if _, its := extra[einoID]; !its {
		return extra
	}
	rest := make(map[string]any, len(extra))
	for key, one := range extra {
		if key != einoID {
			rest[key] = one
		}
	}
	return rest
}

func partsOf(result *schema.ToolResult) []loopspec.Part {
	var parts []loopspec.Part
	if result == nil {
		return nil
	}
	for _, one := range result.Parts {
		if one.Image != nil {
			parts = append(parts, loopspec.Part{URL: value(one.Image.URL)})
		} else {
			parts = append(parts, loopspec.Part{Text: one.Text})
		}
	}
	return parts
}

func resultOf(parts []loopspec.Part) *schema.ToolResult {
	result := &schema.ToolResult{}
	for _, one := range parts {
		if one.URL == "" {
			result.Parts = append(result.Parts, schema.ToolOutputPart{Type: schema.ToolPartTypeText, Text: one.Text})
			continue
		}
		url := one.URL
		picture := &schema.ToolOutputImage{MessagePartCommon: schema.MessagePartCommon{URL: &url}}
		result.Parts = append(result.Parts, schema.ToolOutputPart{Type: schema.ToolPartTypeImage, Image: picture})
	}
	return result
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
